import { accountPrefix } from "../../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { emittedLt, type MsgEnvelope } from "../../../../shared/ton/tlb/msg-envelope.js";
import type { OutMsgQueue, OutMsgQueueKey } from "../../../../shared/ton/tlb/out-msg-queue.js";
import type { Address } from "../../../../shared/values/address.js";
import { compareBytes } from "../../../../shared/values/bytes.js";
import type { QueuedMessage } from "./processed-info.js";

/** A queued message. */
export type QueueEntry = QueuedMessage & { key: OutMsgQueueKey; envelope: CellOf<MsgEnvelope> };

/** Queue key of a message: the destination's workchain, its first 64 bits, and the hash of the message. */
export function queueKey(destination: Address, hash: Uint8Array): OutMsgQueueKey {
  return { workchain: destination.workchain, prefix: accountPrefix(destination.hash), hash };
}

/** The queued messages to one workchain in processing order, i.e. by (lt, hash). */
export function entriesTo(queue: OutMsgQueue, workchain: number): QueueEntry[] {
  const entries: QueueEntry[] = [];
  for (const [key, { enqueuedLt, outMsg }] of queue.entries()) {
    if (key.workchain !== workchain) continue;
    entries.push({ key, envelope: outMsg, enqueuedLt, lt: emittedLt(outMsg.value), hash: key.hash });
  }
  return entries.sort(inOrder);
}

/** Compares by (lt, hash). */
export function inOrder(a: QueuedMessage, b: QueuedMessage): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return compareBytes(a.hash, b.hash);
}
