import type { Call } from "../../../../shared/methods/define.js";
import type { MessageStatus } from "../../../../shared/schema/v3/message-status.js";
import type { AnswerNames } from "../../../../shared/text/answer-names.js";
import { bytesEqual, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { type AbisOf, readContracts } from "../../../present/v3/failed-contracts.js";
import {
  type ContractsOf,
  failuresAmong,
  presentFailures,
  presentOutcome,
} from "../../../present/v3/failure.js";
import {
  type MessageNames,
  presentBlockOf,
  presentTransactionRef,
} from "../../../present/v3/message-status.js";
import type { PendingDeps, PendingTrace } from "../../../present/v3/pending-traces.js";
import type { TransactionParts } from "../../../present/v3/transaction.js";
import type { Queries } from "../../../store/database.js";
import { rawAddress } from "../../../store/declare/wire-forms.js";
import type {
  FailedTransactions,
  JudgedTransaction,
} from "../../../store/queries/messages/message-status.js";

export type Outcome = ReturnType<typeof presentOutcome>;
type Pending = Extract<MessageStatus, { status: "pending" }>;
type Included = Extract<MessageStatus, { status: "included" }>;

/** The expected trace of a waiting message; `undefined` if it has none or was not emulated. */
export async function expectedTrace(
  hash: Uint8Array,
  pending: PendingDeps["pending"] | undefined,
  call: Call,
): Promise<PendingTrace | undefined> {
  const own = (await pending?.messages())?.find((each) => bytesEqual(each.hash, hash));
  const [trace] = own ? await pending!.traces([own], call) : [];
  return trace;
}

type Sources = {
  /** Reads the index; absent without an index. */
  read: (<T>(work: (queries: Queries) => Promise<T>) => Promise<T>) | undefined;
  artifacts: AbisOf;
  /** Names for hints. */
  names: AnswerNames;
};

export async function statusOfExpected(
  names: MessageNames,
  wallet: Pending["wallet"],
  trace: PendingTrace | undefined,
  sources: Sources,
): Promise<Pending | Included> {
  if (!trace) return { status: "pending", ...names, wallet, sent_by: null, expected: null };
  const { transactions, messages } = trace.rows;
  const first = itemAt(transactions, 0);
  const isInBlock = ({ hash }: JudgedTransaction) => trace.happened.has(bytesToBase64(hash));
  if (!isInBlock(first)) {
    const expected = { ...(await expectedOutcome(trace, sources)), is_incomplete: trace.unfollowed > 0 };
    return { status: "pending", ...names, wallet, sent_by: null, expected };
  }
  const happened = failuresAmong(transactions.filter(isInBlock), messages);
  return {
    status: "included",
    ...names,
    transaction: presentTransactionRef(first, true),
    block: presentBlockOf(first),
    mc_block_seqno: null,
    trace_id: bytesToBase64(first.trace_id),
    finality: "confirmed",
    pending_messages: transactions.length - transactions.filter(isInBlock).length + trace.unfollowed,
    failures: presentFailures(happened, await contractsIn(trace, happened, sources), sources.names),
    failures_total: happened.total,
  };
}

/** Whether a trace succeeds, as far as it was followed, and what fails in it. */
export async function expectedOutcome(trace: PendingTrace, sources: Sources): Promise<Outcome> {
  const { transactions, messages } = trace.rows;
  const failed = failuresAmong(transactions, messages);
  const failures = presentFailures(failed, await contractsIn(trace, failed, sources), sources.names);
  return presentOutcome(failed, failures, transactions.length);
}

/** What is known of the contracts that failed, by their codes in the trace. */
async function contractsIn(
  { rows }: PendingTrace,
  failed: FailedTransactions,
  { read, artifacts }: Sources,
): Promise<ContractsOf> {
  if (failed.total === 0) return () => ({ interfaces: [] });
  const known = codesIn(rows);
  return read
    ? read((queries) => readContracts(queries, failed, artifacts, known))
    : readContracts(undefined, failed, artifacts, known);
}

/** Code hashes in base64 by raw account: those before its first transaction, else the first that it has. */
function codesIn({ transactions, accountStates }: TransactionParts): ReadonlyMap<string, string> {
  const states = new Map(
    accountStates.map(({ hash, code_hash: code }) => [bytesToBase64(hash), code && bytesToBase64(code)]),
  );
  const codes = new Map<string, string>();
  for (const { account, account_state_hash_before: before, account_state_hash_after: after } of transactions)
    for (const state of [before, after]) {
      const code = states.get(bytesToBase64(state));
      const raw = rawAddress.present(account);
      if (code !== undefined && !codes.has(raw)) codes.set(raw, code);
    }
  return codes;
}
