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
import type { Queries } from "../../../store/database.js";
import type { JudgedTransaction } from "../../../store/queries/messages/message-status.js";

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
  { read, artifacts, names: known }: Sources,
): Promise<Pending | Included> {
  if (!trace) return { status: "pending", ...names, wallet, sent_by: null, expected: null };
  const { transactions, messages } = trace.rows;
  const first = itemAt(transactions, 0);
  const isInBlock = ({ hash }: JudgedTransaction) => trace.happened.has(bytesToBase64(hash));
  const failed = failuresAmong(transactions, messages);
  const contractOf: ContractsOf =
    read && failed.total > 0
      ? await read((queries) => readContracts(queries, failed, artifacts))
      : () => ({ interfaces: [] });
  const failures = presentFailures(failed, contractOf, known);
  if (!isInBlock(first)) {
    const outcome = presentOutcome(failed, failures, transactions.length);
    const expected = { ...outcome, is_incomplete: trace.unfollowed > 0 };
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
    failures: presentFailures(happened, contractOf, known),
    failures_total: happened.total,
  };
}
