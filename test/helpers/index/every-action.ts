import type { Action as ClassifiedAction } from "../../../server/indexer/actions/action.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { actionRows } from "../../../server/indexer/classify/action-rows.js";
import type { Database } from "../../../server/store/database.js";
import { replaceMarketplaceNames } from "../../../server/store/queries/tokens/marketplaces.js";
import { type ActionRow, locatorOfAction } from "../../../server/store/tables/actions.js";
import { accountOf, bytesOf, hashOf, storeRows, transactionRow } from "../store/rows.js";
import type { TraceCase } from "../test-data.js";
import { actionsOfConstructed, constructedActions } from "./constructed-actions.js";
import { contractsOf, goldenCase, rowsOf } from "./golden-case.js";
import { collection, marketplace } from "./made-nfts.js";

function recordedActions(each: TraceCase): readonly ClassifiedAction[] {
  const golden = goldenCase(each);
  return classify(traceOfRows(rowsOf(golden)), contractsOf(golden)).actions;
}

/** Rows of traces, each with a different end. */
function rowsOfTraces(traces: readonly (readonly ClassifiedAction[])[]): ActionRow[] {
  return traces.flatMap((actions, i) =>
    actions.map((action) => ({
      ...actionRows([action])[0]!,
      trace_id: hashOf(`trace ${i}`),
      trace_end_lt: BigInt(i + 1),
    })),
  );
}

/** Actions of every type, of recorded traces and of constructed ones. */
export function rowsOfEveryType(cases: readonly TraceCase[]): ActionRow[] {
  const constructed = Object.values(constructedActions).map((trace) => actionsOfConstructed(trace));
  return rowsOfTraces([...cases.map(recordedActions), ...constructed]);
}

/** Stores them, with names of a marketplace and of a collection. */
export async function storeActions(database: Database, rows: readonly ActionRow[]): Promise<void> {
  const account = bytesOf(accountOf("a"));
  const ends = [1n, BigInt(rows.length)];
  await storeRows(database, {
    transactions: ends.map((lt) => transactionRow({ account, lt })),
    actions: [...rows],
    actionLocator: rows.map(locatorOfAction),
  });
  const names = [
    { address: marketplace, name: "Bazaar" },
    { address: collection, name: "Gallery" },
  ];
  await database.sql().transaction((transaction) => replaceMarketplaceNames(transaction, names));
}
