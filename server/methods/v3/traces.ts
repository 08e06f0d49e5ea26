import type { Call, Handlers, ParamsOf, ResultOf } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import type { traceMethods } from "../../../shared/methods/v3/traces.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import { groupBy } from "../../../shared/values/groups.js";
import { addressesOfAction, presentAction } from "../../present/v3/action.js";
import {
  type BookSettings,
  type IndexDeps,
  wantedExtras,
  withExtras,
} from "../../present/v3/answer-extras.js";
import { TextBytes } from "../../present/v3/answer-text.js";
import { CodeHashes } from "../../present/v3/code-book.js";
import { nameMarketplaces } from "../../present/v3/marketplaces.js";
import { type Contents, expectedBytes } from "../../present/v3/message.js";
import {
  type AbiSource,
  actionsByAbi,
  provisional,
  transactionsByAbi,
} from "../../present/v3/record-abis.js";
import { allTypes, shownTypes } from "../../present/v3/shown-actions.js";
import { readTexts, withTexts } from "../../present/v3/texts.js";
import { addTrace, isTooLarge, presentTrace, presentWithout } from "../../present/v3/trace.js";
import { addressesOf, readTransaction, type TransactionRecord } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { TraceRow } from "../../store/queries/traces/traces.js";
import type { TraceTransactionText } from "../../store/queries/transactions/transactions.js";
import { reads } from "../../store/reads/index-reads.js";
import { ofMasterchainBlock } from "./blockchain.js";

/** Transactions per answer: a page of the largest traces would be gigabytes. */
const maxTransactions = 20_000;
const leftOut = "answer is too large: transactions of this trace are left out, ask for it by trace_id";

export const traceHandlers: Handlers<typeof traceMethods, IndexDeps, "text"> = {
  traces: (params, deps, call) => readTraces("traces", params, deps, call),
  events: (params, deps, call) =>
    readTraces("events", { ...params, include_actions: true, include_parts: false }, deps, call),
};

/** The list is the answer's member `name`. */
function readTraces<Name extends "traces" | "events">(
  name: Name,
  params: ParamsOf<typeof traceMethods.traces>,
  { index, book }: IndexDeps,
  call: Call,
): Promise<ResultOf<(typeof traceMethods)[Name]> | JsonText<ResultOf<(typeof traceMethods)[Name]>>> {
  return index.read(call, async (queries) => {
    const rows = await ofMasterchainBlock(queries, params.mc_seqno, () =>
      reads.listTraces(queries, params, params),
    );
    const shown = rows.filter(fitting(maxTransactions));
    // Actions contain additional accounts, and more is read behind a page by ABIs.
    const came =
      params.include_actions || params.include_abi ? undefined : await wantedExtras({ queries, call });
    // Sent together, like address book and metadata.
    const [texts, found] = await Promise.all([
      shown.length > 0
        ? reads.transactionsOfTraces(queries, shown, { rows: transactionsIn(shown), extras: came })
        : [],
      params.include_actions ? readActions(queries, shown, params, call) : undefined,
    ]);
    const source = { queries, call, book };
    const records = params.include_abi
      ? await transactionsByAbi(texts.map(readTransaction), provisional(source))
      : undefined;
    const actions = found && (await withRequested(found, records, params, source));
    const extras = await withExtras(
      {},
      [...addressesOf(texts), ...(actions ?? []).flatMap(addressesOfAction)],
      {
        ...source,
        extras: came,
      },
    );
    const codes = new CodeHashes();
    for (const { text } of texts) codes.addText(text);
    const others = name === "traces" ? { ...extras, ...codes.book(book) } : extras;
    const page = { rows, shown, actions: actions && groupBy(actions, ({ trace_id }) => trace_id ?? "") };
    // The list is named as the method.
    return records
      ? ({ [name]: presentPage(page, records), ...others } as ResultOf<(typeof traceMethods)[Name]>)
      : pageText(name, page, texts, others);
  });
}

/** Actions with the members that a caller requests. */
async function withRequested(
  found: readonly Action[],
  records: readonly TransactionRecord[] | undefined,
  { include_text }: Pick<ParamsOf<typeof traceMethods.traces>, "include_text">,
  source: AbiSource & { queries: Queries; book: BookSettings; call: Call },
): Promise<readonly Action[]> {
  const actions = records ? await actionsByAbi(found, source, records) : found;
  return include_text ? withTexts(actions, await readTexts(source.queries, actions, source)) : actions;
}

/** The traces of a page, those of them whose transactions are part of the answer, and all actions by trace. */
type TracePage = {
  rows: readonly TraceRow[];
  shown: readonly TraceRow[];
  actions: ReadonlyMap<string, Action[]> | undefined;
};

function presentPage({ rows, shown, actions }: TracePage, records: readonly TransactionRecord[]) {
  const byTrace = groupBy(records, ({ trace_id }) => trace_id ?? "");
  return rows.map((row) =>
    isTooLarge(row) || shown.includes(row)
      ? presentTrace(row, byTrace.get(row.trace_id) ?? [], actions && (actions.get(row.trace_id) ?? []))
      : presentWithout(row, leftOut),
  );
}

/** The same from texts, as a whole answer. */
function pageText(
  name: "traces" | "events",
  { rows, shown, actions }: TracePage,
  texts: readonly TraceTransactionText[],
  others: object,
): JsonText<never> {
  const byTrace = groupBy(texts, ({ trace_id }) => trace_id);
  const filled = new TextBytes(expectedBytes(texts));
  const contents: Contents = new Map();
  filled.add(`{"${name}":`);
  for (const [at, row] of rows.entries()) {
    filled.add(at === 0 ? "[" : ",");
    if (isTooLarge(row) || shown.includes(row)) {
      const own = actions && (actions.get(row.trace_id) ?? []);
      addTrace(filled, row, byTrace.get(row.trace_id) ?? [], { contents, actions: own });
    } else filled.add(JSON.stringify(presentWithout(row, leftOut)));
  }
  filled.add(rows.length === 0 ? "[]" : "]");
  filled.endObject(others);
  return new JsonText(filled.end());
}

/** The actions of complete traces. */
async function readActions(
  queries: Queries,
  traces: readonly TraceRow[],
  {
    supported_action_types,
    include_parts: parts,
  }: Pick<ParamsOf<typeof traceMethods.traces>, "supported_action_types" | "include_parts">,
  call: Call,
): Promise<Action[]> {
  const types = parts ? allTypes : shownTypes(supported_action_types, call);
  const rows = await reads.actionsOfTraces(queries, traces, types);
  return nameMarketplaces(
    queries,
    rows.map((row) => presentAction(row, { accounts: false, parents: parts })),
  );
}

function transactionsIn(traces: readonly TraceRow[]): number {
  return traces.reduce((sum, { transactions }) => sum + transactions, 0);
}

/**
 * Whether a trace's transactions are part of the answer: in page order, those that fit. The page keeps all its traces,
 * so that callers can continue by offset.
 */
function fitting(maximum: number): (row: TraceRow) => boolean {
  let left = maximum;
  return (row) => {
    if (isTooLarge(row) || row.transactions > left) return false;
    left -= row.transactions;
    return true;
  };
}
