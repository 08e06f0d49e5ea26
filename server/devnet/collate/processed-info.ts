import { compareBytes } from "../../../shared/values/bytes.js";

/**
 * `processed_upto$_ last_msg_lt:uint64 last_msg_hash:bits256`: every message to us up to this (lt, hash) is done, as
 * far as it was in a queue when masterchain block `mcSeqno` was made. Shards are whole here, so they are not told apart.
 */
export type ProcessedUpto = { mcSeqno: number; lt: bigint; hash: Uint8Array };

/** What decides whether a queued message was processed: when it came, and when its sender queued it. */
export type QueuedMessage = { lt: bigint; hash: Uint8Array; enqueuedLt: bigint };

function contains(a: ProcessedUpto, b: ProcessedUpto): boolean {
  if (a.mcSeqno < b.mcSeqno || a.lt < b.lt) return false;
  return a.lt > b.lt || compareBytes(a.hash, b.hash) >= 0;
}

/** Adds a record and drops those it makes superfluous; nothing changes when an older record says the same. */
export function withProcessed(records: readonly ProcessedUpto[], added: ProcessedUpto): ProcessedUpto[] {
  if (records.some((record) => contains(record, added))) return [...records];
  return [...records.filter((record) => !contains(added, record)), added];
}

/**
 * Whether one of the records covers the message. `senderEndLt` gives the end of the sender's newest block known to a
 * masterchain block: what was queued later was not seen yet, whatever its own time says.
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
