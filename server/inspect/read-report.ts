import type { Action } from "../../shared/schema/v3/actions.js";
import { maxShownFailures } from "../../shared/schema/v3/message-status.js";
import { AnswerNames } from "../../shared/text/answer-names.js";
import { describeFailure } from "../../shared/text/describe.js";
import { english } from "../../shared/text/english/english.js";
import { knownAccounts } from "../../shared/text/known-accounts.js";
import { coinName } from "../../shared/values/coin.js";
import { itemAt } from "../../shared/values/lookups.js";
import { SetupError } from "../errors.js";
import { explainStored } from "../indexer/classify/explain.js";
import { addressesOfAction, addressesWithin, presentAction } from "../present/v3/action.js";
import { withExtras } from "../present/v3/answer-extras.js";
import { presentFailures } from "../present/v3/failure.js";
import { allTypes } from "../present/v3/shown-actions.js";
import { readTexts } from "../present/v3/texts.js";
import { isTooLarge, presentTrace } from "../present/v3/trace.js";
import { addressesOf, readTransaction } from "../present/v3/transaction.js";
import type { Queries } from "../store/database.js";
import { failedTransactions } from "../store/queries/messages/message-status.js";
import { actionsOfTraces } from "../store/queries/traces/actions.js";
import { readTrace } from "../store/queries/traces/trace-rows.js";
import type { TraceRow } from "../store/queries/traces/traces.js";
import { transactionsOfTraces } from "../store/queries/transactions/transactions.js";
import { readMeta } from "../store/queries/upkeep/index-meta.js";
import type { ActionRow } from "../store/tables/actions.js";
import { reportExplanation } from "./explanation.js";
import type { ReportedFailure, TraceReport } from "./report.js";

/**
 * The report of a trace, from one snapshot. With `explain` the trace is classified again, and the report has the
 * resulting actions; throws SetupError if the trace is incomplete.
 */
export async function readReport(
  queries: Queries,
  trace: TraceRow,
  { explain }: { explain: boolean },
): Promise<TraceReport> {
  const texts = isTooLarge(trace) ? [] : await transactionsOfTraces(queries, [trace]);
  const stored = (await actionsOfTraces(queries, [trace], allTypes)).map(reportAction);
  const explained = explain ? await explainedTrace(queries, trace) : undefined;
  const actions = explained ? explained.actions.map(reportAction).sort(byStart) : stored;
  const records = texts.map(readTransaction);
  const addresses = [
    ...addressesOf(texts),
    ...records.flatMap(({ in_msg }) => addressesWithin(in_msg?.message_content?.decoded)),
    ...actions.flatMap(addressesOfAction),
  ];
  const network = await readNetwork(queries);
  const source = { queries, call: { options: {} }, book: { testOnly: network === "testnet" } };
  const names = { coin: coinName(network ?? ""), known: knownAccounts() };
  const book = { ...source.book, texts: { ...names, known: async () => names.known } };
  const sentences = await readTexts(queries, actions, { book });
  const failed = await readFailed(queries, trace);
  const extras = await withExtras({}, addresses, source);
  const failures = failed ? presentFailed(failed, new AnswerNames(extras, names)) : [];
  return {
    ...presentTrace(trace, records),
    actions: actions.map((action, at) => ({ ...action, text: itemAt(sentences, at).text })),
    ...extras,
    ...(failures.length > 0 && { failures }),
    ...(explained && { explanation: reportExplanation(explained, actions, stored) }),
  };
}

async function readFailed(queries: Queries, { id }: TraceRow) {
  const row = await readTrace(queries, id);
  return row && failedTransactions(queries, row, maxShownFailures);
}

/** The failed transactions in words. */
function presentFailed(failed: Parameters<typeof presentFailures>[0], names: AnswerNames): ReportedFailure[] {
  const contractOf = (account: string) => ({ interfaces: names.interfaces(account) });
  return presentFailures(failed, contractOf, names).map((failure) => ({
    transaction: failure.hash,
    text: describeFailure(failure, names, english),
  }));
}

async function explainedTrace(queries: Queries, { id, trace_state, pending_messages }: TraceRow) {
  if (trace_state === "pending")
    throw new SetupError(
      `the trace is not complete, which explanations need: ${pending_messages} of its messages have not been received`,
    );
  if (trace_state === "broken")
    throw new SetupError("the trace is not complete, which explanations need: its start is not in the index");
  return explainStored(queries, (await readTrace(queries, id))!);
}

function reportAction(row: ActionRow): Action {
  return presentAction(row, { accounts: false, parents: true });
}

/** The index's order. */
function byStart(a: Action, b: Action): number {
  return (
    compareLt(a.start_lt, b.start_lt) ||
    compareLt(a.end_lt, b.end_lt) ||
    Buffer.compare(Buffer.from(a.action_id, "base64"), Buffer.from(b.action_id, "base64"))
  );
}

function compareLt(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The network of the index; undefined if it has none yet. */
export async function readNetwork(queries: Queries): Promise<string | undefined> {
  const [network] = await readMeta(queries, ["network"]);
  return network?.value;
}
