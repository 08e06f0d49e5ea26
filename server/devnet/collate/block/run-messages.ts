import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import type { InMsg } from "../../../../shared/ton/tlb/in-msg.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import { envelopedInfo } from "../../../../shared/ton/tlb/msg-envelope.js";
import type { OutMsgQueue } from "../../../../shared/ton/tlb/out-msg-queue.js";
import { Address } from "../../../../shared/values/address.js";
import type { TimeSlice } from "../../../chain/time-slice.js";
import type { ExternalMessage } from "../../mempool/mempool.js";
import type { Budget } from "../messages/budget.js";
import { waitsForLibraries } from "../messages/import-gate.js";
import { entriesTo, inOrder, type QueueEntry } from "../messages/out-queue.js";
import { isProcessed, type ProcessedUpto } from "../messages/processed-info.js";
import type { FinishedMessage } from "./block-pair.js";
import { type BlockDraft, type Delivery, destinationOf } from "./draft.js";

/** The state of the other chain. */
export type Neighbour = {
  workchain: number;
  queue: OutMsgQueue;
  processed: readonly ProcessedUpto[];
  endLt: bigint;
};

/** All sources of transactions in one block. */
type Work = {
  workchain: number;
  neighbour: Neighbour;
  /** Records of the messages imported by this chain so far. */
  processed: readonly ProcessedUpto[];
  /** End lt of a chain at a masterchain block. */
  endLtAt: (mcSeqno: number, workchain: number) => bigint;
  /** Accounts that may have tick and tock transactions. */
  special: readonly Uint8Array[];
  /** Messages made by the block itself: recovered fees, minted money. */
  made: readonly CellOf<Message>[];
  injected: readonly CellOf<Message>[];
  externals: Iterable<ExternalMessage>;
  budget: Budget;
  timeSlice: TimeSlice;
};

/** The results of the messages of a block. */
export type WorkDone = {
  made: CellOf<InMsg>[];
  injected: Delivery[];
  finished: FinishedMessage[];
  /** Whether all queued messages to this chain were imported. */
  inboundEmpty: boolean;
};

/** No more external messages are imported once the queue exceeds this size. */
const longQueue = 2000;
/** Messages behind one that is held back whose imports are announced, so that they happen at once. */
const lookAhead = 500;
/** Share of the budget for external messages. The rest is for the messages they send. */
const externalShare = 2 / 3;

/** Runs messages in the node's order until the budget is spent. Messages sent but not delivered are queued. */
export async function runMessages(draft: BlockDraft, work: Work): Promise<WorkDone> {
  const { special, workchain } = work;
  cleanQueue(draft, work);
  const present = special.filter((id) => !draft.holdsBack(new Address(workchain, id)));
  for (const id of present) draft.tickTock(id, "tick");
  const made = work.made.map((message) => draft.importSpecial(message));
  const injected = work.injected.map((message) => draft.importInjected(message));
  const inboundEmpty = await importQueued(draft, work);
  const finished = await importExternals(draft, work);
  // New messages must not overtake queued ones.
  if (inboundEmpty) await deliverNew(draft, work);
  for (const id of present) draft.tickTock(id, "tock");
  for (let left = draft.newMessages.pop(); left; left = draft.newMessages.pop()) draft.enqueue(left);
  return { made, injected, finished, inboundEmpty };
}

/** Dequeues messages that the neighbour has imported. */
function cleanQueue(draft: BlockDraft, { workchain, neighbour, endLtAt }: Work): void {
  for (const entry of entriesTo(draft.queue, neighbour.workchain)) {
    if (!isProcessed(neighbour.processed, entry, (mcSeqno) => endLtAt(mcSeqno, workchain))) return;
    draft.dequeue(entry, neighbour.endLt);
  }
}

async function importQueued(draft: BlockDraft, work: Work): Promise<boolean> {
  const { workchain, neighbour, processed, endLtAt, budget, timeSlice } = work;
  const own = entriesTo(draft.queue, workchain).map((entry) => ({ entry, own: true }));
  const foreign = entriesTo(neighbour.queue, workchain)
    .filter((entry) => !isProcessed(processed, entry, (mcSeqno) => endLtAt(mcSeqno, neighbour.workchain)))
    .map((entry) => ({ entry, own: false }));
  const inbound = [...own, ...foreign].sort((a, b) => inOrder(a.entry, b.entry));
  for (const [at, { entry, own }] of inbound.entries()) {
    if (budget.remaining === 0) return false;
    if (isHeldBack(draft, entry)) {
      for (const { entry: later } of inbound.slice(at + 1, at + 1 + lookAhead)) isHeldBack(draft, later);
      return false;
    }
    const waits = waitsForLibraries(() => draft.importQueued(entry, own));
    budget.spend();
    if (waits) return false;
    await timeSlice.yieldIfDue();
  }
  return true;
}

function isHeldBack(draft: BlockDraft, { envelope }: QueueEntry): boolean {
  const { msg } = envelope.value;
  return draft.holdsBack(destinationOf(envelopedInfo(envelope.value)), msg.cell);
}

async function importExternals(
  draft: BlockDraft,
  { externals, budget, timeSlice }: Work,
): Promise<FinishedMessage[]> {
  const finished: FinishedMessage[] = [];
  const reserved = Math.floor(budget.remaining * (1 - externalShare));
  for (const { fileHash, ...external } of externals) {
    if (budget.remaining <= reserved || draft.queueSize > longQueue) break;
    const { root, destination } = external;
    if (draft.holdsBack(destination, root)) continue;
    let included = false;
    const waits = waitsForLibraries(() => {
      included = draft.importExternal(external);
    });
    if (!waits) finished.push({ hash: Buffer.from(fileHash, "hex"), included });
    // A refused message takes as much time as a transaction.
    budget.spend();
    await timeSlice.yieldIfDue();
  }
  return finished;
}

async function deliverNew(draft: BlockDraft, { workchain, budget, timeSlice }: Work): Promise<void> {
  while (budget.remaining > 0) {
    const next = draft.newMessages.pop();
    if (!next) return;
    if (destinationOf(next.info).workchain !== workchain) {
      draft.enqueue(next);
      continue;
    }
    const { message, info } = next;
    if (draft.holdsBack(destinationOf(info), message.cell) || waitsForLibraries(() => draft.deliver(next))) {
      draft.enqueue(next);
      return;
    }
    budget.spend();
    await timeSlice.yieldIfDue();
  }
}
