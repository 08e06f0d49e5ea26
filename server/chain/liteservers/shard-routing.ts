import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { AccountId, BlockLookup } from "../../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import {
  accountPrefix,
  type BlockId,
  latestSeqno,
  masterchain,
  wholeShard,
} from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { Address } from "../../../shared/values/address.js";
import type { ShardPoint } from "./network-slices.js";

/** Request fields that name a shard or a block. */
type Named = Partial<BlockLookup> & {
  account?: AccountId;
  mcBlockId?: BlockId;
  knownBlock?: BlockId;
  targetBlock?: BlockId;
  wc?: number;
  shard?: bigint;
  body?: Uint8Array;
};

/** The parts of the network a server must hold to answer a request. */
export function shardPointsOf(method: LiteMethod, request: object): ShardPoint[] {
  const { id, account, mcBlockId, knownBlock, targetBlock, ...named } = request as Named;
  const references = [mcBlockId, knownBlock, targetBlock].flatMap((each) => (each ? [blockPoint(each)] : []));
  if (method.startsWith("lookupBlock") && id) return [lookupPoint({ ...named, id }), ...references];
  if (account) return [accountPoint(account, id, named.lt)];
  if (id) return [blockPoint(id)];
  if (references.length > 0) return references;
  if (named.body) return [destinationOf(named.body)];
  if (named.wc !== undefined) return [{ workchain: named.wc, shard: named.shard ?? wholeShard, when: "now" }];
  return [{ workchain: masterchain, shard: wholeShard, when: "now" }];
}

function lookupPoint({ id: { workchain, shard, seqno }, lt, utime }: BlockLookup): ShardPoint {
  if (lt !== undefined) return { workchain, shard, when: "lt", value: lt };
  if (utime !== undefined) return { workchain, shard, when: "utime", value: utime };
  return { workchain, shard, when: "seqno", value: seqno };
}

function blockPoint({ workchain, shard, seqno }: BlockId): ShardPoint {
  return seqno === latestSeqno
    ? { workchain, shard, when: "now" }
    : { workchain, shard, when: "seqno", value: seqno };
}

function accountPoint(account: AccountId, id: BlockId | undefined, lt: bigint | undefined): ShardPoint {
  if (id && id.workchain !== masterchain) return blockPoint(id);
  const shard = { workchain: account.workchain, shard: accountShard(account.id) };
  if (!id) return lt === undefined ? { ...shard, when: "now" } : { ...shard, when: "lt", value: lt };
  return id.seqno === latestSeqno
    ? { ...shard, when: "now" }
    : { ...shard, when: "masterchain", value: id.seqno };
}

/** The smallest shard that contains the account: its 63-bit prefix. */
function accountShard(id: Uint8Array): bigint {
  return accountPrefix(id) | 1n;
}

/** Destination of an external message; an invalid one goes anywhere, as every server rejects it. */
function destinationOf(body: Uint8Array): ShardPoint {
  const info = ifReadable(() => decode(Message, parseBocRoot(body)).info);
  if (info?.kind === "externalIn" && info.dest instanceof Address)
    return { workchain: info.dest.workchain, shard: accountShard(info.dest.hash), when: "now" };
  return { workchain: masterchain, shard: wholeShard, when: "now" };
}
