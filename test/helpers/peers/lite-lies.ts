import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { updateHashes } from "../../../shared/ton/cells/merkle/merkle-update.js";
import type { AccountId, LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { liesAbout } from "./lies.js";
import type { LiteExchange, LiteLie } from "./lying-tonwire.js";

/** Flips a bit at a place of the answer, given as a part of its length from 0 to 1. */
export function flippedAt(place: number, bit = 4): LiteLie {
  return ({ bytes }) => {
    const flipped = new Uint8Array(bytes);
    flipped[Math.min(bytes.length - 1, Math.floor(bytes.length * place))]! ^= 1 << bit;
    return flipped;
  };
}

/** Cuts bytes off the answer's end, as valid JSON and HTTP. */
export function shortenedBy(count: number): LiteLie {
  return ({ bytes }) => bytes.subarray(0, Math.max(0, bytes.length - count));
}

/** The bytes of every other answer to a query with one field, element or flag changed, removed or added. */
export function liesTo(exchange: LiteExchange): { path: string; bytes: Uint8Array }[] {
  return Array.from(liesAbout(exchange.answer()), ({ path, answer }) => ({
    path,
    bytes: encoded(exchange, answer as object),
  })).filter(({ bytes }) => !Buffer.from(bytes).equals(exchange.bytes));
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

/** The same with the older block's own id, which contradicts nothing in the answer. */
export function openlyOlderBy(blocks: number): LiteLie {
  return onlyFor(["getAccountState", "getAccountStatePrunned"], async (exchange) => {
    const { id } = exchange.query.request as { id: BlockIdExt };
    const seqno = Math.max(1, id.seqno - blocks);
    const older = await exchange.service.lookupBlock({ id: { ...id, seqno }, bySeqno: true });
    return exchange.encode(await askedWith(exchange, { id: older.id }));
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

/** Answers every query from another network, whose blocks have the same numbers. */
export function ofNetwork(other: LiteApi): LiteLie {
  return async (exchange) => {
    const { method } = exchange.query;
    const request = await translated(exchange.query.request, other);
    return exchange.encode((await invokerOf(other)(method, request, {})) as object);
  };
}

/** Proves blocks of the trusted chain by key blocks that another network's validators have signed. */
export function forgedKeyBlocks(other: LiteApi): LiteLie {
  return onlyFor(["getBlockProof"], async (exchange) => {
    const { knownBlock } = exchange.query.request as { knownBlock: BlockIdExt };
    const request = (await translated(exchange.query.request, other)) as { knownBlock: BlockIdExt };
    const proof = await other.getBlockProof(request);
    const claimed = (id: BlockIdExt) => (id.seqno === knownBlock.seqno ? knownBlock : id);
    return exchange.encode({
      ...proof,
      from: knownBlock,
      steps: proof.steps.map((step) => ({ ...step, from: claimed(step.from) })),
    });
  });
}

function onlyFor(methods: readonly LiteMethod[], lie: LiteLie): LiteLie {
  return (exchange) => (methods.includes(exchange.query.method) ? lie(exchange) : undefined);
}

async function askedWith({ query, service }: LiteExchange, changes: object): Promise<object> {
  const request = { ...query.request, ...changes };
  return (await invokerOf(service)(query.method, request, {})) as object;
}

/** The request with the other network's blocks of the same numbers. */
async function translated(request: object, other: LiteApi): Promise<object> {
  const { init } = await other.getMasterchainInfo();
  const entries = Object.entries(request).map(async ([name, value]) => {
    const id = value as BlockIdExt;
    if (id?.rootHash === undefined) return [name, value];
    if (id.seqno === 0) return [name, { ...init, shard: wholeShard, seqno: 0 }];
    return [name, (await other.lookupBlock({ id, bySeqno: true })).id];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Answers that cannot be encoded are those of other bytes. */
function encoded(exchange: LiteExchange, answer: object): Uint8Array {
  try {
    return exchange.encode(answer);
  } catch {
    return new Uint8Array(0);
  }
}
