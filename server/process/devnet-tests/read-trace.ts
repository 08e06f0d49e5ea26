import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { MessageStatus, TraceFailure } from "../../../shared/schema/v3/message-status.js";
import type { trace } from "../../../shared/schema/v3/traces.js";
import type { transaction } from "../../../shared/schema/v3/transactions.js";
import { bytesOfBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { failedPhaseOf } from "../../../shared/values/failed-phase.js";
import { isFinalStatus } from "../../../shared/values/final-status.js";
import { valueAt } from "../../../shared/values/lookups.js";
import { asBase64, explain } from "./explanation.js";
import type { Call } from "./service-call.js";
import type { DevnetAction, DevnetTrace, DevnetTransaction } from "./trace.js";
import { traceText } from "./trace-text.js";

type Trace = z.output<typeof trace>;
type Transaction = z.output<typeof transaction>;
type Completed = Extract<MessageStatus, { status: "completed" }>;
/** A trace as it goes to another thread. */
export type PlainTrace = Omit<DevnetTrace, "toString">;

const pollMs = 10;

/** The trace of a transaction or message, once it is complete. Rejects if it is not in time. */
export async function readTrace(hash: string, timeoutMs: number, call: Call): Promise<PlainTrace> {
  const message = await messageOf(asBase64(hash), call);
  const { trace_id: traceId } = await completed(message, timeoutMs, call);
  const wanted = { trace_id: [traceId], include_actions: true, include_text: true, include_abi: true };
  const { traces } = await call<{ traces: Trace[] }>("v3.traces", wanted);
  const [found] = traces;
  if (!found?.trace || !found.transactions) throw new Error(`trace ${traceId} has too many transactions`);
  const root = found.trace.in_msg_hash ?? message;
  // A message within the trace was asked about: that of its beginning knows all failures.
  const outcome = await completed(root, timeoutMs, call);
  const failures = new Map(outcome.failures.map((failure) => [failure.hash, failure]));
  const transactions = Object.values(found.transactions)
    .sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
    .map((each) => presented(each, failures.get(each.hash)));
  const explanation = outcome.failure ? await explain(outcome.failure.hash, call) : null;
  const actions = (found.actions ?? []).map(presentedAction);
  const { success } = outcome;
  const all = { success, hash: root, traceId: found.trace_id ?? root, transactions, actions, explanation };
  const byHash = new Map(transactions.map((each) => [each.hash, each]));
  const names = new Map((found.actions ?? []).flatMap(namesIn));
  return { ...all, text: traceText(found.trace, (key) => valueAt(byHash, key), names, explanation) };
}

/** The hash of a message: the given one, or that of the message which a transaction received. */
async function messageOf(hash: string, call: Call): Promise<string> {
  const status = await call<MessageStatus>("v3.messageStatus", { hash });
  if (status.status !== "unknown") return hash;
  const { transactions } = await call<{ transactions: Transaction[] }>("v3.transactions", { hash: [hash] });
  const message = transactions[0]?.in_msg?.hash;
  if (message === undefined)
    throw new Error(`no message or transaction that received one has the hash ${hash}`);
  return message;
}

/** The status of a message whose trace is complete. */
async function completed(hash: string, timeoutMs: number, call: Call): Promise<Completed> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const status = await call<MessageStatus>("v3.messageStatus", { hash, include_text: true });
    if (status.status === "completed") return status;
    if (isFinalStatus(status.status)) throw new Error(`the message was ${status.status}: ${status.text}`);
    if ("trace_id" in status && status.trace_id === null)
      throw new Error("the devnet has no index, which traces are read from: start it without index: false");
    if (performance.now() > end)
      throw new Error(
        `the trace of message ${hash} was not complete after ${timeoutMs} ms (${status.status}): in mining mode manual, call devnet.mine()`,
      );
    await wait(pollMs);
  }
}

function presented(row: Transaction, failure: TraceFailure | undefined): DevnetTransaction {
  const { in_msg: message, description, orig_status: oldStatus, end_status: endStatus } = row;
  const { compute_ph: compute, action, aborted = false } = description;
  const run = compute?.skipped === false ? compute : undefined;
  const content = message?.message_content;
  // An ABI that was chosen by the opcode alone is a guess.
  const abi = message?.abi?.by === "opcode" ? undefined : message?.abi;
  const standard = message?.decoded_opcode ?? null;
  const isOneName = standard !== null && !standard.includes(",");
  const forwarding = sumOf(
    row.out_msgs,
    ({ fwd_fee, ihr_fee }) => BigInt(fwd_fee ?? 0) + BigInt(ihr_fee ?? 0),
  );
  const value = BigInt(message?.value ?? 0);
  const fees = BigInt(row.total_fees) + forwarding;
  return {
    ...{ hash: row.hash, lt: BigInt(row.lt), now: row.now },
    ...{ from: message?.source ?? null, to: row.account, value },
    body: content?.body ?? null,
    bodyHash: content ? bytesToHex(bytesOfBase64(content.hash)) : null,
    op: message?.opcode ? Number(message.opcode) : null,
    message: abi?.message ?? (isOneName ? standard : null),
    fields: abi?.fields ?? null,
    bounced: message?.bounced ?? false,
    success: failedPhaseOf(row) === undefined,
    skippedReason: compute?.skipped ? compute.reason : null,
    aborted,
    exitCode: run?.exit_code ?? null,
    exitName: failure?.exit_name ?? run?.exit_name ?? null,
    actionCode: action?.result_code ?? null,
    deploy: oldStatus !== "active" && endStatus === "active",
    ...{ oldStatus, endStatus },
    outMessages: row.out_msgs.length,
    fees,
    balanceChange: value - sumOf(row.out_msgs, (sent) => BigInt(sent.value ?? 0)) - fees,
  };
}

function sumOf<T>(list: readonly T[], amountOf: (item: T) => bigint): bigint {
  return list.reduce((sum, item) => sum + amountOf(item), 0n);
}

function presentedAction({ type, success, text = "", details }: Action): DevnetAction {
  return { type, success: success === true, text, details: details as DevnetAction["details"] };
}

/** Names of accounts, as the texts of an action have them. */
function namesIn({ preview }: Action): [string, string][] {
  return (preview?.accounts ?? []).flatMap(({ account, name }) => (name ? [[account, name]] : []));
}
