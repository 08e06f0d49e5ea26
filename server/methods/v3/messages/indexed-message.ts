import { type MessageStatus, maxShownFailures } from "../../../../shared/schema/v3/message-status.js";
import { bytesEqual, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { interfacesOf } from "../../../contracts/interfaces.js";
import { readBookRows } from "../../../present/v3/answer-extras.js";
import { type InterfacesOf, presentFailures, presentOutcome } from "../../../present/v3/failure.js";
import { namesOf, presentBlockOf, presentTransactionRef } from "../../../present/v3/message-status.js";
import { codeOf, directions, traceStates } from "../../../store/codes.js";
import type { Queries } from "../../../store/database.js";
import { rawAddress } from "../../../store/declare/wire-forms.js";
import type { FailedTransactions, FoundMessage } from "../../../store/queries/messages/message-status.js";
import { reads } from "../../../store/reads/index-reads.js";

const complete = codeOf(traceStates, "complete");
const broken = codeOf(traceStates, "broken");
const inbound = codeOf(directions, "in");

/**
 * The status of a message that is in an indexed block; `undefined` if the index has no message with these hashes.
 * `hasFullHistory`: a message sent by no indexed transaction was sent by none.
 */
export async function indexedStatus(
  queries: Queries,
  hashes: readonly Uint8Array[],
  hasFullHistory = false,
): Promise<MessageStatus | undefined> {
  const found = await reads.findMessage(queries, hashes);
  return found && statusOfFound(queries, found, hasFullHistory);
}

async function statusOfFound(
  queries: Queries,
  { message, transaction: t, trace }: FoundMessage,
  hasFullHistory: boolean,
): Promise<MessageStatus> {
  const names = namesOf(message);
  const isFirst = trace?.external_hash !== undefined && bytesEqual(t.hash, t.trace_id);
  const transaction = presentTransactionRef(t, isFirst);
  if (message.direction !== inbound && message.destination !== undefined)
    return { status: "pending", ...names, wallet: null, sent_by: transaction, expected: null };
  const failed = trace
    ? await reads.failedTransactions(queries, trace, maxShownFailures)
    : { transactions: [], messages: [], total: 0 };
  const failures = presentFailures(failed, await readInterfaces(queries, failed));
  const inTrace = {
    ...names,
    transaction,
    block: presentBlockOf(t),
    mc_block_seqno: t.mc_block_seqno,
    trace_id: bytesToBase64(t.trace_id),
  };
  // A developer's message on a devnet has no sender, for which its trace would wait forever.
  const isInjected = hasFullHistory && trace?.state === broken && bytesEqual(t.hash, t.trace_id);
  const isComplete = trace?.state === complete || (isInjected && trace.pending_edges_ === 1);
  if (!trace || !isComplete)
    return {
      status: "included",
      ...inTrace,
      finality: "finalized",
      pending_messages: trace?.pending_edges_ ?? null,
      failures,
      failures_total: failed.total,
    };
  return {
    status: "completed",
    ...inTrace,
    ...presentOutcome(failed, failures, trace.nodes_),
  };
}

/** The interfaces of the failed contracts, by their current code. */
export async function readInterfaces(
  queries: Queries,
  { transactions }: Pick<FailedTransactions, "transactions">,
): Promise<InterfacesOf> {
  if (transactions.length === 0) return () => [];
  const accounts = new Map(transactions.map(({ account }) => [rawAddress.present(account), account]));
  const rows = await readBookRows(queries, [...accounts.values()]);
  return (account) => {
    const row = rows.get(account);
    return row ? interfacesOf(row.code_hash, row.methods === null ? null : JSON.parse(row.methods)) : [];
  };
}
