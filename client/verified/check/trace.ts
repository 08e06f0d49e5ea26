import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Trace, TraceTrace } from "../../api.js";
import { RpcError } from "../../errors.js";
import { receivesImpersonated, startsTrace } from "./beginning.js";
import type { BlocksOfCheck } from "./blocks.js";
import { listIn, recordIn } from "./claimed.js";
import { compare, contradiction, pathOf, withoutProof } from "./compare.js";
import { checkTransaction, isFinal, type ProvenTransaction } from "./transaction.js";

/** Largest trace, and number of its transactions that are proven at once. */
export const mostTransactions = 1000;
const atOnce = 16;

const path = pathOf("trace");
type Proven = ReadonlyMap<string, ProvenTransaction>;
type WholeTrace = Trace & { transactions: NonNullable<Trace["transactions"]> };

/**
 * Proves a trace: each finalized transaction, that the tree's edges are messages, that no transaction is missing, and the
 * members that follow. Throws a ProofError for the first member that is wrong.
 */
export async function checkTrace(
  claimed: Trace,
  blocks: BlocksOfCheck,
  unproven: Set<string>,
): Promise<{ transactions: number; impersonated: boolean }> {
  const transactions = recordIn("trace.transactions", claimed.transactions ?? {});
  const entries = Object.entries(transactions);
  if (entries.length === 0 && claimed.is_incomplete === true)
    throw new RpcError("too-large", "unproven: the trace was answered without its transactions");
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
  const root = checkWhole({ ...claimed, transactions }, proven, unproven);
  return { transactions: proven.size, impersonated: root !== undefined && receivesImpersonated(root.found) };
}

/** Returns the root, if it is proven to be that. */
function checkWhole(
  claimed: WholeTrace,
  proven: Proven,
  unproven: Set<string>,
): ProvenTransaction | undefined {
  const belonging = checkTree(claimed, proven, unproven);
  const { transactions, trace: _, transactions_order: order, ...members } = claimed;
  const count = Object.keys(transactions).length;
  const isWhole = belonging.size === count;
  if (!isWhole) unproven.add(`${path.name}.trace`);
  checkOrder(order, count, proven, unproven);
  const [root] = belonging.values();
  if (root) checkTraceIds(claimed, belonging, unproven);
  const pending = pendingMessages(proven);
  for (const name of pending) unproven.add(name);
  const block = root?.block;
  compare(members, summaryOf(root, isWhole, proven, pending.length), path, { block, unproven });
  if (pending.length > 0) unproven.add(`${path.name}.trace_info.trace_state`);
  return root;
}

/**
 * Checks that the tree has each transaction once, below the sender of its message. Returns the proven transactions that are
 * proven to belong to the trace, its root first: none if the trace goes on above the tree.
 */
function checkTree({ trace, transactions }: WholeTrace, proven: Proven, unproven: Set<string>): Proven {
  const [any] = proven.values();
  const count = Object.keys(transactions).length;
  const own = `${path.name}.trace`;
  const seen = new Set<string>();
  const belonging = new Map<string, ProvenTransaction>();
  const waiting: { node: TraceTrace | undefined; sender?: string; kind: string }[] = [
    { node: trace, kind: own },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, sender, kind } = next;
    const hash = node?.tx_hash ?? "";
    const found = proven.get(hash);
    const block = (found ?? any)?.block;
    if (!node || seen.has(hash) || !Object.hasOwn(transactions, hash))
      throw contradiction(own, node?.tx_hash, "each transaction of the trace once", block);
    const message = found?.found.transaction.messages.value.inMsg;
    const received = message && textOf(message);
    const { children, ...members } = node;
    compare(members, { tx_hash: hash, ...(found && { in_msg_hash: received }) }, pathOf(kind), {
      block,
      unproven,
    });
    const above = proven.get(sender ?? "");
    if (found && above && !(received && sentBy(above).has(received)))
      throw contradiction(own, `${hash} below ${sender}`, "another sender", block);
    if (found && (sender === undefined ? startsTrace(found.found) : belonging.has(sender)))
      belonging.set(hash, found);
    seen.add(hash);
    const below = listIn(`${own}.children`, children);
    for (const child of below) waiting.push({ node: child, sender: hash, kind: `${own}.children[]` });
    // The order of siblings is that of their transactions.
    if (!isSorted(below.map((child) => ltOf(proven.get(child?.tx_hash ?? ""))))) unproven.add(own);
  }
  if (seen.size < count && proven.size === count)
    throw contradiction(own, `${seen.size} transactions`, `${count} transactions`, any?.block);
  return belonging;
}

function checkOrder(
  order: readonly string[] | null | undefined,
  count: number,
  proven: Proven,
  unproven: Set<string>,
): void {
  const field = `${path.name}.transactions_order`;
  const [any] = proven.values();
  const isProven = proven.size === count && (order ?? undefined) !== undefined;
  if (!isProven) return void unproven.add(field);
  const lts = listIn(field, order!).map((hash) => ltOf(proven.get(hash)) ?? -1n);
  if (!isSorted(lts) || lts[0]! < 0n || lts.length !== count || new Set(order).size !== count)
    throw contradiction(field, order, "the transactions by logical time", any?.block);
}

function checkTraceIds({ transactions }: WholeTrace, belonging: Proven, unproven: Set<string>): void {
  const [traceId] = belonging.keys();
  let shown = 0;
  for (const [hash, { block }] of belonging) {
    const own = transactions[hash]!.trace_id ?? undefined;
    if (own === undefined) continue;
    if (own !== traceId)
      throw contradiction(`${path.name}.transactions.${hash}.trace_id`, own, traceId, block);
    shown++;
  }
  if (shown === Object.keys(transactions).length) unproven.delete("trace.transactions[].trace_id");
}

const summaryNames = [
  "trace_id",
  "external_hash",
  "mc_seqno_start",
  "mc_seqno_end",
  "start_lt",
  "start_utime",
  "end_lt",
  "end_utime",
  "trace_info",
  "is_incomplete",
  "actions",
];

/** The members of a trace that follow from its root, if that is proven, and those that follow from all its transactions. */
function summaryOf(root: ProvenTransaction | undefined, isWhole: boolean, proven: Proven, pending: number) {
  return {
    ...Object.fromEntries(summaryNames.map((name) => [name, withoutProof])),
    ...(root && {
      trace_id: hashOf(root),
      start_lt: String(root.found.transaction.lt),
      start_utime: root.found.transaction.now,
    }),
    ...(root && isWhole && wholeSummary(root, [...proven.values()], pending)),
  };
}

/** While messages are pending, more may follow. */
function wholeSummary(root: ProvenTransaction, all: readonly ProvenTransaction[], pending: number) {
  const last = (of: (each: ProvenTransaction) => bigint) =>
    String(all.reduce((most, each) => max(most, of(each)), 0n));
  const { inMsg } = root.found.transaction.messages.value;
  return {
    external_hash: inMsg ? textOf(inMsg) : null,
    mc_seqno_start: String(root.mcSeqno),
    mc_seqno_end: last(({ mcSeqno }) => BigInt(mcSeqno)),
    end_lt: pending > 0 ? null : last(({ found }) => found.transaction.lt),
    end_utime: pending > 0 ? null : Number(last(({ found }) => BigInt(found.transaction.now))),
    trace_info: {
      trace_state: pending > 0 ? "pending" : "complete",
      transactions: all.length,
      pending_messages: pending,
      messages: all.reduce((sum, each) => sum + messagesFrom(each).length, inMsg ? 1 : 0) - pending,
      classification_state: withoutProof,
    },
  };
}

/** The messages to accounts that no proven transaction of the trace has received: the members with their receivers. */
function pendingMessages(proven: Proven): string[] {
  const received = new Set<string>();
  for (const { found } of proven.values()) {
    const { inMsg } = found.transaction.messages.value;
    if (inMsg) received.add(textOf(inMsg));
  }
  return [...proven].flatMap(([hash, sender]) =>
    messagesFrom(sender).flatMap((message, index) =>
      message.value.info.kind !== "internal" || received.has(textOf(message))
        ? []
        : [`${path.name}.transactions.${hash}.out_msgs[${index}].in_msg_tx_hash`],
    ),
  );
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

function ltOf(each: ProvenTransaction | undefined): bigint | undefined {
  return each?.found.transaction.lt;
}

/** Unknown ones are left out. */
function isSorted(lts: readonly (bigint | undefined)[]): boolean {
  const known = lts.filter((lt) => lt !== undefined);
  return known.every((lt, index) => index === 0 || lt >= known[index - 1]!);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
