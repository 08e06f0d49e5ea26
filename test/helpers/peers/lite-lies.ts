import { parseBocRoot } from "../../../shared/ton/cells/boc.js";
import { updateHashes } from "../../../shared/ton/cells/merkle-update.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import type { LiteExchange, LiteLie } from "./lying-tonwire.js";

/** Flips a bit at a place of the answer, given as a part of its length from 0 to 1. */
export function flippedAt(place: number, bit = 4): LiteLie {
  return ({ bytes }) => {
    const flipped = new Uint8Array(bytes);
    flipped[Math.min(bytes.length - 1, Math.floor(bytes.length * place))]! ^= 1 << bit;
    return flipped;
  };
}

/** Leaves out the first entry of each list. */
export function withoutFirst(...methods: LiteMethod[]): LiteLie {
  return onlyFor(methods, (exchange) => {
    const shorter = Object.entries(exchange.answer()).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(1) : value,
    ]);
    return exchange.encode(Object.fromEntries(shorter));
  });
}

/** Answers about an account as of so many masterchain blocks earlier, under the id that was asked for. */
export function olderBy(blocks: number): LiteLie {
  return onlyFor(["getAccountState", "getAccountStatePrunned", "runSmcMethod"], async (exchange) => {
    const { query, service } = exchange;
    const { id } = query.request as { id: BlockIdExt };
    const seqno = Math.max(1, id.seqno - blocks);
    const older = await service.lookupBlock({ id: { ...id, seqno }, bySeqno: true });
    const answer = await askedWith(exchange, { id: older.id });
    return exchange.encode({ ...answer, id });
  });
}

/** Names an old block as the newest one, with its true state hash. */
export function stuckAt(seqno: number): LiteLie {
  return onlyFor(["getMasterchainInfo"], async (exchange) => {
    const info = exchange.answer() as { last: BlockIdExt };
    const { id } = await exchange.service.lookupBlock({ id: { ...info.last, seqno }, bySeqno: true });
    const { data } = await exchange.service.getBlock({ id });
    const stateRootHash = updateHashes(decode(Block, parseBocRoot(data)).stateUpdate).to;
    return exchange.encode({ ...info, last: id, stateRootHash });
  });
}

/** Answers about another account than the one that was asked for. */
export function ofAccount(account: AccountId): LiteLie {
  return onlyFor(
    ["getAccountState", "getAccountStatePrunned", "runSmcMethod", "getTransactions", "getOneTransaction"],
    async (exchange) => exchange.encode(await askedWith(exchange, { account })),
  );
}

function onlyFor(methods: readonly LiteMethod[], lie: LiteLie): LiteLie {
  return (exchange) => (methods.includes(exchange.query.method) ? lie(exchange) : undefined);
}

async function askedWith({ query, service }: LiteExchange, changes: object): Promise<object> {
  const request = { ...query.request, ...changes };
  return (await invokerOf(service)(query.method, request, {})) as object;
}
