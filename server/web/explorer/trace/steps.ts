import type { Message, Trace, TraceTrace, Transaction } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";

/** A step of a trace: a message and the transaction that it caused. */
export type Step = {
  /** Hash of the transaction, or of a message without one. */
  readonly id: string;
  readonly kind: StepKind;
  /** Number of steps between it and the first one. */
  readonly depth: number;
  /** Indices of other steps. */
  readonly parent: number | undefined;
  readonly children: number[];
  readonly message: Message | undefined;
  readonly transaction: Transaction | undefined;
  /** Number of messages it represents: more than one if `kind` is `more`. */
  readonly messages: number;
  /** The equal steps that a step of kind `fold` stands for. */
  readonly folded?: readonly Step[] | undefined;
};

/**
 * `transaction`; `event`: an external outbound message; `pending`: a message not yet received; `more`: further messages
 * and their consequences, which are not shown; `fold`: equal messages, shown as the first of them.
 */
type StepKind = "transaction" | "event" | "pending" | "more" | "fold";

/** Limit on the messages without a transaction shown per step. */
const maxLonely = 6;

type Branch = { readonly node: TraceTrace; readonly parent: number | undefined; readonly depth: number };
type Growing = {
  add(step: Omit<Step, "children">): void;
  /** Counts hidden messages for their parent step. */
  hide(parent: number, messages: number): void;
};

/**
 * The steps of a trace, parents before children. At most `limit` are transactions, those nearest to the root; the
 * hidden children of a step are combined into one step.
 */
export function stepsOf({ trace, transactions = {} }: Trace, limit: number): Step[] {
  const steps: Step[] = [];
  const hidden = new Map<number, number>();
  const growing: Growing = {
    add(step) {
      if (step.parent !== undefined) itemAt(steps, step.parent).children.push(steps.length);
      steps.push({ ...step, children: [] });
    },
    hide: (parent, messages) => void hidden.set(parent, (hidden.get(parent) ?? 0) + messages),
  };
  // Breadth first and without recursion: a trace can be deeper than the call stack.
  const queue: Branch[] = trace ? [{ node: trace, parent: undefined, depth: 0 }] : [];
  for (let at = 0; at < Math.min(limit, queue.length); at++) {
    const { node, parent, depth } = itemAt(queue, at);
    growing.add({ ...contentOf(node, steps[parent ?? -1], transactions), depth, parent, messages: 1 });
    for (const child of node.children) queue.push({ node: child, parent: at, depth: depth + 1 });
  }
  for (const { node, parent } of queue.slice(limit))
    if (parent !== undefined) growing.hide(parent, sizeOf(node));
  const received = receivedBy(queue);
  for (const [parent, step] of [...steps.entries()]) addLonely(step, parent, received.get(parent), growing);
  for (const [parent, messages] of hidden) {
    const { id, depth } = itemAt(steps, parent);
    growing.add({ ...empty, id: `more ${id}`, kind: "more", depth: depth + 1, parent, messages });
  }
  return steps;
}

const empty = { message: undefined, transaction: undefined };

function contentOf(
  { tx_hash, in_msg_hash }: TraceTrace,
  parent: Step | undefined,
  all: Trace["transactions"],
) {
  const transaction = tx_hash === undefined ? undefined : all?.[tx_hash];
  const sent = parent?.transaction?.out_msgs.find(({ hash }) => hash === in_msg_hash);
  return {
    id: tx_hash ?? in_msg_hash ?? "",
    kind: tx_hash === undefined ? ("pending" as const) : ("transaction" as const),
    message: transaction?.in_msg ?? sent,
    transaction,
  };
}

/** Hashes of each step's messages that have a transaction in the trace. */
function receivedBy(branches: readonly Branch[]): Map<number, Set<string>> {
  const received = new Map<number, Set<string>>();
  for (const { node, parent } of branches) {
    if (parent === undefined || node.in_msg_hash === undefined) continue;
    received.set(parent, (received.get(parent) ?? new Set()).add(node.in_msg_hash));
  }
  return received;
}

/** Adds the messages of a step without a transaction in the trace. */
function addLonely(
  { transaction, depth }: Step,
  parent: number,
  received: ReadonlySet<string> | undefined,
  { add, hide }: Growing,
): void {
  const lonely = (transaction?.out_msgs ?? []).filter(({ hash }) => !received?.has(hash));
  for (const message of lonely.slice(0, maxLonely)) {
    const kind = message.destination === null ? "event" : "pending";
    add({ ...empty, id: message.hash, kind, message, depth: depth + 1, parent, messages: 1 });
  }
  if (lonely.length > maxLonely) hide(parent, lonely.length - maxLonely);
}

/** Number of transactions in a branch. */
function sizeOf(branch: TraceTrace): number {
  const found = [branch];
  for (let at = 0; at < found.length; at++) for (const child of itemAt(found, at).children) found.push(child);
  return found.length;
}
