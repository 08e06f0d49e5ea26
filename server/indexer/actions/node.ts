import type { HashText, Trace, TraceMessage, TraceTransaction } from "./trace.js";

/** A received message with its transaction, an outbound external message (a log), or a tick-tock transaction. */
export class TraceNode {
  readonly kind: "received" | "log" | "ghost";
  readonly transaction: TraceTransaction;
  /** Undefined for transactions without an inbound message. */
  readonly message: TraceMessage | undefined;
  /** The node whose transaction sent the message. */
  readonly sender: TraceNode | undefined;
  readonly lt: bigint;
  readonly utime: number;
  /** Hash of the message, or of the transaction if there is no message. */
  readonly hash: HashText;
  readonly isAborted: boolean;
  /** By created_lt. */
  readonly sent: TraceNode[] = [];

  constructor(
    kind: TraceNode["kind"],
    transaction: TraceTransaction,
    message: TraceMessage | undefined,
    sender?: TraceNode,
  ) {
    this.kind = kind;
    this.transaction = transaction;
    this.message = message;
    this.sender = sender;
    this.lt = message?.createdLt ?? transaction.lt;
    this.utime = message?.createdAt ?? transaction.now;
    this.hash = message?.hash ?? transaction.hash;
    this.isAborted = kind === "ghost" || transaction.isAborted;
  }

  /** Whether the transaction activated its account. True for its logs as well. */
  get isDeployed(): boolean {
    return this.transaction.statusBefore !== "active" && this.transaction.statusAfter === "active";
  }
}

/**
 * The nodes whose message was not sent within the trace, ascending; one unless the trace is broken. Throws if the body
 * of a message is not stored.
 */
export function nodesOf({ transactions }: Trace): TraceNode[] {
  const receivers = new Map<HashText, TraceTransaction>();
  for (const transaction of transactions)
    if (transaction.inMessage) receivers.set(transaction.inMessage.hash, transaction);
  const received = new Set<TraceTransaction>();
  for (const { outMessages } of transactions)
    for (const { hash } of outMessages) {
      const receiver = receivers.get(hash);
      if (receiver) received.add(receiver);
    }
  const roots = transactions.filter((transaction) => !received.has(transaction)).sort(byLt);
  const nodes = roots.map((each) => new TraceNode("received", each, each.inMessage));
  const all = [...nodes];
  const placed = new Set(roots);
  // The loop appends to the list.
  for (const node of all) {
    if (node.message?.hasBody === false) throw new Error(`message ${node.hash} has no body`);
    if (node.kind === "log") continue;
    for (const message of [...node.transaction.outMessages].sort(byCreatedLt)) {
      const receiver = message.destination === undefined ? undefined : receivers.get(message.hash);
      if (message.destination !== undefined && (receiver === undefined || placed.has(receiver))) continue;
      if (receiver) placed.add(receiver);
      const sent = receiver
        ? new TraceNode("received", receiver, receiver.inMessage, node)
        : new TraceNode("log", node.transaction, message, node);
      node.sent.push(sent);
      all.push(sent);
    }
  }
  return nodes;
}

function byLt(a: TraceTransaction, b: TraceTransaction): number {
  return compare(a.lt, b.lt) || compare(a.hash, b.hash);
}

function byCreatedLt(a: TraceMessage, b: TraceMessage): number {
  return compare(a.createdLt ?? 0n, b.createdLt ?? 0n) || compare(a.hash, b.hash);
}

export function compare<T extends bigint | string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
