import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Trace, TraceTrace } from "../../api.js";
import { RpcError } from "../../errors.js";
import type { BlocksOfCheck } from "./blocks.js";
import { listIn, recordIn } from "./claimed.js";
import { compare, contradiction, pathOf } from "./compare.js";
import { checkTransaction, isFinal, type ProvenTransaction } from "./transaction.js";

/** Largest trace, and number of its transactions that are proven at once. */
export const mostTransactions = 1000;
const atOnce = 16;

const path = pathOf("trace");
type Proven = ReadonlyMap<string, ProvenTransaction>;

/**
 * Proves a trace: each finalized transaction, that the tree's edges are messages, and the members that follow from both.
 * Throws a ProofError for the first member that is wrong.
 */
export async function checkTrace(
  claimed: Trace,
  blocks: BlocksOfCheck,
  unproven: Set<string>,
): Promise<number> {
  const entries = Object.entries(recordIn("trace.transactions", claimed.transactions ?? {}));
  if (entries.length > mostTransactions)
    throw new RpcError(
      "too-large",
      `a trace of ${entries.length} transactions: at most ${mostTransactions} are proven`,
    );
  const proven = new Map<string, ProvenTransaction>();
  for (let at = 0; at < entries.length; at += atOnce)
    await Promise.all(
      entries.slice(at, at + atOnce).map(async ([hash, transaction]) => {
        const own = { name: `${path.name}.transactions.${hash}`, kind: `${path.kind}.transactions[]` };
        if (!isFinal(recordIn(own.name, transaction))) return unproven.add(own.name);
        const each = await checkTransaction(transaction, own, blocks, unproven);
        if (transaction.hash !== hash) throw contradiction(own.name, hash, transaction.hash, each.block);
        return proven.set(hash, each);
      }),
    );
  if (entries.length === 0 || proven.size < entries.length) unproven.add("trace.trace");
  else checkWhole(claimed, proven, unproven);
  return proven.size;
}

function checkWhole(claimed: Trace, proven: Proven, unproven: Set<string>): void {
  const root = checkTree(claimed, proven);
  const { inMsg } = root.found.transaction.messages.value;
  const { transactions, trace: _, transactions_order: order, ...members } = claimed;
  checkOrder(order, proven, root.block);
  if (inMsg?.value.info.kind === "internal") {
    // Its sender is in no transaction of the trace.
    unproven.add("trace.trace_id");
    return;
  }
  const traceId = hashOf(root);
  for (const [hash, { trace_id: own }] of Object.entries(transactions!))
    if (own !== undefined && own !== traceId)
      throw contradiction(`${path.name}.transactions.${hash}.trace_id`, own, traceId, root.block);
  unproven.delete("trace.transactions[].trace_id");
  compare(members, summaryOf(root, proven), path, { block: root.block, unproven });
  if (pendingMessages(proven) > 0) unproven.add("trace.trace_info.trace_state");
}

/** Checks that the tree has each transaction once, below the sender of its message. Returns the root. */
function checkTree({ trace }: Trace, proven: Proven): ProvenTransaction {
  const [any] = proven.values();
  const seen = new Set<string>();
  const waiting: { node: TraceTrace | undefined; sender?: ProvenTransaction }[] = [{ node: trace }];
  let root: ProvenTransaction | undefined;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, sender } = next;
    const field = `${path.name}.trace`;
    const own = proven.get(node?.tx_hash ?? "");
    const block = own?.block ?? any!.block;
    if (!node || !own || seen.has(node.tx_hash!))
      throw contradiction(field, node?.tx_hash, "each transaction of the trace once", block);
    seen.add(node.tx_hash!);
    const message = own.found.transaction.messages.value.inMsg;
    const received = message && textOf(message);
    if ((node.in_msg_hash ?? undefined) !== received)
      throw contradiction(`${field}.in_msg_hash`, node.in_msg_hash, received, block);
    if (sender && !(received && sentBy(sender).has(received)))
      throw contradiction(field, `${node.tx_hash} below ${hashOf(sender)}`, "another sender", block);
    root ??= own;
    for (const child of listIn(`${field}.children`, node.children))
      waiting.push({ node: child, sender: own });
  }
  if (!root || seen.size < proven.size)
    throw contradiction(
      `${path.name}.trace`,
      `${seen.size} transactions`,
      `${proven.size} transactions`,
      any!.block,
    );
  return root;
}

function checkOrder(order: readonly string[] | undefined, proven: Proven, block: BlockIdExt): void {
  if (order === undefined) return;
  const lts = listIn(`${path.name}.transactions_order`, order).map(
    (hash) => proven.get(hash)?.found.transaction.lt ?? -1n,
  );
  const isSorted = lts.every((lt, index) => lt >= (lts[index - 1] ?? 0n));
  if (!isSorted || order.length !== proven.size || new Set(order).size !== proven.size)
    throw contradiction(`${path.name}.transactions_order`, order, "the transactions by logical time", block);
}

/** The members of a trace that follow from all its transactions. While messages are pending, more may follow. */
function summaryOf(root: ProvenTransaction, proven: Proven) {
  const all = [...proven.values()];
  const pending = pendingMessages(proven);
  const first = root.found.transaction;
  const last = (of: (each: ProvenTransaction) => bigint) =>
    String(all.reduce((most, each) => max(most, of(each)), 0n));
  const { inMsg } = first.messages.value;
  return {
    trace_id: hashOf(root),
    external_hash: inMsg ? textOf(inMsg) : null,
    mc_seqno_start: String(root.mcSeqno),
    mc_seqno_end: last(({ mcSeqno }) => BigInt(mcSeqno)),
    start_lt: String(first.lt),
    start_utime: first.now,
    end_lt: pending > 0 ? null : last(({ found }) => found.transaction.lt),
    end_utime: pending > 0 ? null : Number(last(({ found }) => BigInt(found.transaction.now))),
    trace_info: {
      trace_state: pending > 0 ? "pending" : "complete",
      transactions: proven.size,
      pending_messages: pending,
      messages: all.reduce((sum, each) => sum + messagesFrom(each).length, inMsg ? 1 : 0) - pending,
    },
  };
}

/** Number of messages to accounts that no transaction of the trace has received. */
function pendingMessages(proven: Proven): number {
  const received = new Set<string>();
  for (const { found } of proven.values()) {
    const { inMsg } = found.transaction.messages.value;
    if (inMsg) received.add(textOf(inMsg));
  }
  const sent = [...proven.values()]
    .flatMap(messagesFrom)
    .filter(({ value }) => value.info.kind === "internal");
  return sent.filter((message) => !received.has(textOf(message))).length;
}

function sentBy(sender: ProvenTransaction): Set<string> {
  return new Set(messagesFrom(sender).map(textOf));
}

function messagesFrom({ found }: ProvenTransaction): CellOf<Message>[] {
  return [...found.transaction.messages.value.outMsgs.values()];
}

function hashOf({ found }: ProvenTransaction): string {
  return bytesToBase64(found.cell.hash());
}

function textOf({ cell }: CellOf<Message>): string {
  return bytesToBase64(cell.hash());
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
