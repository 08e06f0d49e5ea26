import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { itemAt, valueAt } from "../../../shared/values/lookups.js";
import { classificationStates, codeOf, traceStates } from "../../store/codes.js";
import type { Queries } from "../../store/database.js";
import { actionContractOf } from "../../store/queries/traces/action-contracts.js";
import { readTraceParts, type TraceParts } from "../../store/queries/traces/trace-rows.js";
import { tables } from "../../store/tables/all-tables.js";
import type { TraceRow } from "../../store/tables/traces.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { keyOf } from "../hash-key.js";
import type { Found } from "../recognition/detection.js";
import type { RowBatch } from "../rows/row-batch.js";
import { contentHashes } from "../rows/trace-collector.js";
import { addActions } from "./action-rows.js";
import type { UnstoredContracts } from "./known-contracts.js";
import type { TraceClassifier } from "./trace-classifier.js";

const complete = codeOf(traceStates, "complete");

const unclassified = codeOf(classificationStates, "unclassified");

type Batch = Pick<RowBatch, "rows" | "traceParts" | "accounts">;

type Known = {
  /** The contracts recognised in the batch. */
  found: readonly Found[];
  /** Keys of the accounts whose recognition is deferred. */
  queued: ReadonlySet<string>;
  /** First block of the gap-free run up to the batch. */
  chainFrom: number;
};

/** The traces of a batch with their states of classification, and those of them to classify again. */
type ClassifiedTraces = { traces: TraceRow[]; waiting: readonly TraceRow[] };

/**
 * Classifies the traces that end in a batch, and adds their actions. Traces wait if they took too long or requested
 * accounts that wait for recognition.
 */
export async function classifyBatch(
  classifier: TraceClassifier,
  queries: Queries,
  { rows, traceParts, accounts }: Batch,
  traces: readonly TraceRow[],
  { found, queued, chainFrom }: Known,
): Promise<ClassifiedTraces> {
  const ended = traces.filter(({ state }) => state === complete);
  const changed = [...accounts.values()].map(({ state }) => ({
    table: tables.latestAccountStates,
    row: state,
  }));
  const unstored: UnstoredContracts = {
    chainFrom,
    contracts: [...found, ...changed].flatMap(({ table, row }) => actionContractOf(table, row) ?? []),
    dataOf(account) {
      const data = accounts.get(keyOf(account))?.data?.cell;
      return data && serializeBoc(data);
    },
    isQueued: (account) => queued.has(keyOf(account)),
    historyOf: (account) => traceParts.historyOf(account),
  };
  const results = await classifier.classify(queries, await rowsOf(queries, traceParts, ended), {
    horizon: "end of trace",
    unstored,
    isWaitedFor: true,
  });
  const states = new Map(ended.map((trace, i) => [trace, itemAt(results, i).state]));
  for (const result of results) addActions(rows, result);
  return {
    traces: traces.map((trace) => ({
      ...trace,
      classification_state: states.get(trace) ?? trace.classification_state,
    })),
    waiting: ended.filter(
      (_, i) => itemAt(results, i).awaited.length > 0 || itemAt(results, i).state === unclassified,
    ),
  };
}

/** The rows of traces; for those that began before the batch, including their stored rows. */
async function rowsOf(
  queries: Queries,
  parts: Batch["traceParts"],
  traces: readonly TraceRow[],
): Promise<TraceRows[]> {
  const older = traces.filter((trace) => parts.beganBefore(trace));
  const stored = partsByTrace(await readTraceParts(queries, older));
  return traces.map((trace) => parts.rowsOf(trace, stored.get(keyOf(trace.trace_id))));
}

/** Groups the parts of several traces by trace. */
export function partsByTrace({
  transactions,
  messages,
  messageContents,
}: TraceParts): Map<string, TraceParts> {
  const contents = new Map(messageContents.map((row) => [keyOf(row.hash), row]));
  const traces = new Map<string, TraceParts>();
  const byTransaction = new Map<string, TraceParts>();
  for (const transaction of transactions) {
    const key = keyOf(transaction.trace_id);
    const parts = traces.get(key) ?? { transactions: [], messages: [], messageContents: [] };
    traces.set(key, parts);
    parts.transactions.push(transaction);
    byTransaction.set(keyOf(transaction.hash), parts);
  }
  for (const message of messages) {
    const parts = valueAt(byTransaction, keyOf(message.tx_hash));
    parts.messages.push(message);
    for (const hash of contentHashes(message)) {
      const content = contents.get(keyOf(hash));
      if (content) parts.messageContents.push(content);
    }
  }
  return traces;
}
