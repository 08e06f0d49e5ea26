import type { Call, Handlers, ParamsOf, ResultOf } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import type { traceMethods } from "../../../shared/methods/v3/traces.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import { addressesOfAction, presentAction } from "../../present/v3/action.js";
import { type IndexDeps, wantedExtras, withExtras } from "../../present/v3/answer-extras.js";
import { TextBytes } from "../../present/v3/answer-text.js";
import { CodeHashes } from "../../present/v3/code-book.js";
import { nameMarketplaces } from "../../present/v3/marketplaces.js";
import { type Contents, expectedBytes } from "../../present/v3/message.js";
import { shownTypes } from "../../present/v3/shown-actions.js";
import { readTexts, withTexts } from "../../present/v3/texts.js";
import { addTrace, isTooLarge, presentWithout } from "../../present/v3/trace.js";
import { addressesOf } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { TraceRow } from "../../store/queries/traces/traces.js";
import { reads } from "../../store/reads/index-reads.js";
import { ofMasterchainBlock } from "./blockchain.js";

/** Transactions per answer: a page of the largest traces would be gigabytes. */
const maxTransactions = 20_000;
const leftOut = "answer is too large: transactions of this trace are left out, ask for it by trace_id";

export const traceHandlers: Handlers<typeof traceMethods, IndexDeps, "text"> = {
  traces: (params, deps, call) => readTraces("traces", params, deps, call),
  events: (params, deps, call) => readTraces("events", { ...params, include_actions: true }, deps, call),
};

/** The list is the answer's member `name`. */
function readTraces<Name extends "traces" | "events">(
  name: Name,
  params: ParamsOf<typeof traceMethods.traces>,
  { index, book }: IndexDeps,
  call: Call,
): Promise<JsonText<ResultOf<(typeof traceMethods)[Name]>>> {
  return index.read(call, async (queries) => {
    const rows = await ofMasterchainBlock(queries, params.mc_seqno, () =>
      reads.listTraces(queries, params, params),
    );
    const shown = rows.filter(fitting(maxTransactions));
    // Actions contain additional accounts.
    const came = params.include_actions ? undefined : wantedExtras(call);
    // Sent together, like address book and metadata.
    const [texts, actions] = await Promise.all([
      shown.length > 0
        ? reads.transactionsOfTraces(queries, shown, { rows: transactionsIn(shown), extras: came })
        : [],
      params.include_actions ? readActions(queries, shown, params, { call, book }) : undefined,
    ]);
    const byTrace = groupByTrace(texts, ({ trace_id }) => trace_id);
    const ofActions = [...(actions?.values() ?? [])].flat().flatMap(addressesOfAction);
    const extras = await withExtras({}, [...addressesOf(texts), ...ofActions], {
      queries,
      call,
      book,
      extras: came,
    });
    const codes = new CodeHashes();
    for (const { text } of texts) codes.addText(text);
    const found = new TextBytes(expectedBytes(texts));
    const contents: Contents = new Map();
    found.add(`{"${name}":`);
    for (const [at, row] of rows.entries()) {
      found.add(at === 0 ? "[" : ",");
      if (isTooLarge(row) || shown.includes(row)) {
        const own = actions && (actions.get(row.trace_id) ?? []);
        addTrace(found, row, byTrace.get(row.trace_id) ?? [], { contents, actions: own });
      } else found.add(JSON.stringify(presentWithout(row, leftOut)));
    }
    found.add(rows.length === 0 ? "[]" : "]");
    found.endObject(name === "traces" ? { ...extras, ...codes.book(book) } : extras);
    return new JsonText(found.end());
  });
}

/** The actions of complete traces, by trace. */
async function readActions(
  queries: Queries,
  traces: readonly TraceRow[],
  params: Pick<ParamsOf<typeof traceMethods.traces>, "supported_action_types" | "include_text">,
  { call, book }: { call: Call; book: IndexDeps["book"] },
): Promise<ReadonlyMap<string, Action[]>> {
  const types = shownTypes(params.supported_action_types, call);
  const rows = await reads.actionsOfTraces(queries, traces, types);
  const presented = rows.map((row) => presentAction(row, { accounts: false }));
  const actions = await nameMarketplaces(queries, presented);
  const texts = params.include_text ? await readTexts(queries, actions, book) : [];
  return groupByTrace(withTexts(actions, texts), ({ trace_id }) => trace_id ?? "");
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

/** Entries by the id of their trace, each group in the order of the list. */
function groupByTrace<Entry>(
  entries: readonly Entry[],
  idOf: (entry: Entry) => string,
): ReadonlyMap<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const id = idOf(entry);
    const group = groups.get(id);
    if (group) group.push(entry);
    else groups.set(id, [entry]);
  }
  return groups;
}
