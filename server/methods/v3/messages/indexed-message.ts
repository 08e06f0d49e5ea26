import { type MessageStatus, maxShownFailures } from "../../../../shared/schema/v3/message-status.js";
import type { AnswerNames } from "../../../../shared/text/answer-names.js";
import { bytesEqual, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { type AbisOf, readContracts } from "../../../present/v3/failed-contracts.js";
import { presentFailures, presentOutcome } from "../../../present/v3/failure.js";
import { namesOf, presentBlockOf, presentTransactionRef } from "../../../present/v3/message-status.js";
import { codeOf, directions, traceStates } from "../../../store/codes.js";
import type { Queries } from "../../../store/database.js";
import type { FoundMessage } from "../../../store/queries/messages/message-status.js";
import { reads } from "../../../store/reads/index-reads.js";

const complete = codeOf(traceStates, "complete");
const inbound = codeOf(directions, "in");

type Sources = {
  names: AnswerNames;
  artifacts: AbisOf;
};

/** The status of a message that is in an indexed block; `undefined` if the index has no message with these hashes. */
export async function indexedStatus(
  queries: Queries,
  hashes: readonly Uint8Array[],
  sources: Sources,
): Promise<MessageStatus | undefined> {
  const found = await reads.findMessage(queries, hashes);
  return found && statusOfFound(queries, found, sources);
}

async function statusOfFound(
  queries: Queries,
  { message, transaction: t, trace }: FoundMessage,
  { artifacts, names: known }: Sources,
): Promise<MessageStatus> {
  const names = namesOf(message);
  const isFirst = trace?.external_hash !== undefined && bytesEqual(t.hash, t.trace_id);
  const transaction = presentTransactionRef(t, isFirst);
  if (message.direction !== inbound && message.destination !== undefined)
    return { status: "pending", ...names, wallet: null, sent_by: transaction, expected: null };
  const failed = trace
    ? await reads.failedTransactions(queries, trace, maxShownFailures)
    : { transactions: [], messages: [], total: 0 };
  const failures = presentFailures(failed, await readContracts(queries, failed, artifacts), known);
  const inTrace = {
    ...names,
    transaction,
    block: presentBlockOf(t),
    mc_block_seqno: t.mc_block_seqno,
    trace_id: bytesToBase64(t.trace_id),
  };
  if (trace?.state !== complete)
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
