// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;
// processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256 = ProcessedUpto;
// key is [ shard:uint64 mc_seqno:uint32 ]
// _ (HashmapE 96 ProcessedUpto) = ProcessedInfo;
// key - created_lt
// _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue;
// key - sender address, aug - min created_lt
// _ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue;
// out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra;
// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bigUintKey, bytesKey, type Dictionary } from "../cells/dictionaries/dictionary.js";
import type { KeyCodec } from "../cells/dictionaries/dictionary-codec.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { hashmapAugE, hashmapE } from "./dictionaries.js";
import { emittedLt, MsgEnvelope } from "./msg-envelope.js";
import { bits256, maybe, uint, uint64 } from "./primitives.js";
import { record } from "./record.js";

export type EnqueuedMsg = Decoded<typeof EnqueuedMsg>;
export const EnqueuedMsg = record("EnqueuedMsg", { enqueuedLt: uint64, outMsg: cellOf(MsgEnvelope) });

/** Next hop of a queued message (workchain and first 64 bits of the account) and its hash. */
export type OutMsgQueueKey = { workchain: number; prefix: bigint; hash: Uint8Array };

const outMsgQueueKey: KeyCodec<OutMsgQueueKey> = {
  bits: 352,
  store: ({ workchain, prefix, hash }, builder) =>
    builder.storeInt(workchain, 32).storeUint(prefix, 64).storeBytes(hash),
  load: (slice) => ({
    workchain: slice.loadInt(32),
    prefix: slice.loadBigUint(64),
    hash: slice.loadBytes(32),
  }),
};

/** The extra of each node is the lowest lt below it. */
function lowestLt<V>(leaf: (value: V) => bigint): Augmentation<V, bigint> {
  return { codec: uint64, empty: 0n, leaf, fork: lower };
}

function lower(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export type OutMsgQueue = AugDictionary<OutMsgQueueKey, EnqueuedMsg, bigint>;
export const OutMsgQueue = hashmapAugE(
  outMsgQueueKey,
  EnqueuedMsg,
  lowestLt(({ outMsg }: EnqueuedMsg) => emittedLt(outMsg.value)),
);

/** The last message a shard has processed from the queues visible at masterchain block `mcSeqno`. */
type ProcessedUpto = Decoded<typeof ProcessedUpto>;
const ProcessedUpto = record("processed_upto$_", { lastMsgLt: uint64, lastMsgHash: bits256 });

type ProcessedInfoKey = { shard: bigint; mcSeqno: number };

const processedInfoKey: KeyCodec<ProcessedInfoKey> = {
  bits: 96,
  store: ({ shard, mcSeqno }, builder) => builder.storeUint(shard, 64).storeUint(mcSeqno, 32),
  load: (slice) => ({ shard: slice.loadBigUint(64), mcSeqno: slice.loadUint(32) }),
};

export type ProcessedInfo = Dictionary<ProcessedInfoKey, ProcessedUpto>;
export const ProcessedInfo = hashmapE(processedInfoKey, ProcessedUpto);

/** Messages of one sender, by lt, that wait for room in the queue. */
export type AccountDispatchQueue = Decoded<typeof AccountDispatchQueue>;
export const AccountDispatchQueue = record("AccountDispatchQueue", {
  messages: hashmapE(bigUintKey(64), EnqueuedMsg),
  count: uint(48),
});

const endOfTime = 2n ** 64n - 1n;

export type DispatchQueue = AugDictionary<Uint8Array, AccountDispatchQueue, bigint>;
export const DispatchQueue = hashmapAugE(
  bytesKey(32),
  AccountDispatchQueue,
  lowestLt(({ messages }: AccountDispatchQueue) => {
    const [lowest = endOfTime] = messages.keys();
    return lowest;
  }),
);

export type OutMsgQueueExtra = Decoded<typeof OutMsgQueueExtra>;
export const OutMsgQueueExtra = record("out_msg_queue_extra#0", {
  dispatchQueue: DispatchQueue,
  outQueueSize: maybe(uint(48)),
});

/** The bit that states whether `extra` is present was `ihr_pending`, always empty, in old states. */
export type OutMsgQueueInfo = Decoded<typeof OutMsgQueueInfo>;
export const OutMsgQueueInfo = record("OutMsgQueueInfo", {
  outQueue: OutMsgQueue,
  procInfo: ProcessedInfo,
  extra: maybe(OutMsgQueueExtra),
});
