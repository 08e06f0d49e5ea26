import { compareBytes } from "../../../../shared/values/bytes.js";

/**
 * `processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256`: all messages to this chain up to this (lt, hash) that
 * were queued when masterchain block `mcSeqno` was made have been processed. There is one shard, so none is stored.
 */
export type ProcessedUpto = { mcSeqno: number; lt: bigint; hash: Uint8Array };

/** The properties of a queued message that determine whether it was processed. */
export type QueuedMessage = { lt: bigint; hash: Uint8Array; enqueuedLt: bigint };

function contains(a: ProcessedUpto, b: ProcessedUpto): boolean {
  if (a.mcSeqno < b.mcSeqno || a.lt < b.lt) return false;
  return a.lt > b.lt || compareBytes(a.hash, b.hash) >= 0;
}

/** Adds a record and removes those that it covers. Returns an unchanged copy if a present record covers it. */
export function withProcessed(records: readonly ProcessedUpto[], added: ProcessedUpto): ProcessedUpto[] {
  if (records.some((record) => contains(record, added))) return [...records];
  return [...records.filter((record) => !contains(added, record)), added];
}

/**
 * Whether one of the records covers the message. `senderEndLt` returns the end lt of the sender's newest block known to
 * a masterchain block: messages queued later were not visible, whatever their own lt.
 */
export function isProcessed(
  records: readonly ProcessedUpto[],
  message: QueuedMessage,
  senderEndLt: (mcSeqno: number) => bigint,
): boolean {
  return records.some((record) => {
    if (message.lt > record.lt) return false;
    if (message.lt === record.lt && compareBytes(record.hash, message.hash) < 0) return false;
    return message.enqueuedLt < senderEndLt(record.mcSeqno);
  });
}
