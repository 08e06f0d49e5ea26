import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action as ClassifiedAction } from "../../server/indexer/actions/action.js";
import { classify } from "../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../server/indexer/actions/trace-of-rows.js";
import { actionRows } from "../../server/indexer/classify/action-rows.js";
import { replaceMarketplaceNames } from "../../server/store/queries/tokens/marketplaces.js";
import type { ActionRow } from "../../server/store/tables/actions.js";
import { hashPrefix } from "../../server/store/tables/directories.js";
import { supportedTypes } from "../../shared/schema/action-sets.js";
import { type ActionType, actionTypes } from "../../shared/schema/v3-actions.js";
import { actionsOfConstructed, constructedActions } from "../helpers/constructed-actions.js";
import { type DatabaseKind, databaseKinds, type FreshDatabase } from "../helpers/databases.js";
import { contractsOf, goldenCase, rowsOf } from "../helpers/golden-case.js";
import { type IndexApp, startIndexApp } from "../helpers/index-app.js";
import { collection, marketplace } from "../helpers/made-nfts.js";
import { accountOf, bytesOf, hashOf, storeRows, transactionRow } from "../helpers/rows.js";
import { describeWithTraces, type TraceCase } from "../helpers/test-data.js";
import { checked } from "../helpers/v3-results.js";

/** The type under which actions are stored: one is shown under another name. */
const storedType = (type: ActionType) => (type === "extra_currency_transfer" ? "ton_transfer" : type);

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

describeWithTraces("Actions of every type", (cases) => {
  const constructed = Object.entries(constructedActions);
  const rows = rowsOfTraces([
    ...cases.map(recordedActions),
    ...constructed.map(([, trace]) => actionsOfConstructed(trace)),
  ]);

  it.each(constructed)("match the intent of a constructed trace: %s", (type, trace) => {
    const types = actionsOfConstructed(trace).map((action) => action.type);
    expect(types).toContain(storedType(type as ActionType));
  });

  it.each(actionTypes)("have a recorded or a constructed trace: %s", (type) => {
    const isExtra = type === "extra_currency_transfer";
    const ofType = rows.filter((row) => row.type === storedType(type));
    expect(ofType.some((row) => !isExtra || row.value_extra_currencies !== undefined)).toBe(true);
  });

  describe.each(databaseKinds)("on %s", (_, open) => describeStored(open, rows));
});

function describeStored(open: DatabaseKind[1], rows: readonly ActionRow[]): void {
  let fresh: FreshDatabase;
  let app: IndexApp;
  beforeAll(async () => {
    fresh = await open();
    const account = bytesOf(accountOf("a"));
    const ends = [1n, BigInt(rows.length)];
    await storeRows(fresh.database, {
      transactions: ends.map((lt) => transactionRow({ account, lt })),
      actions: [...rows],
      actionLocator: rows.map(({ action_id, trace_end_lt }) => ({
        hash_prefix: hashPrefix(action_id),
        trace_end_lt,
      })),
    });
    const names = [
      { address: marketplace, name: "Bazaar" },
      { address: collection, name: "Gallery" },
    ];
    await fresh.database.sql().transaction((transaction) => replaceMarketplaceNames(transaction, names));
    app = await startIndexApp(fresh.database);
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  it.each(actionTypes)("are answered by their schema: %s", async (type) => {
    const stored = storedType(type);
    const { actions } = checked("actions", await app.result(`actions?action_type=${stored}&limit=1000`));
    const expected = rows.filter((row) => row.type === stored && !isPartOf(row));
    expect(actions.map(({ action_id }) => action_id).sort()).toEqual(
      expected.map(({ action_id }) => Buffer.from(action_id).toString("base64")).sort(),
    );
    expect(actions.map((action) => action.type)).toContain(type);
  });

  it("name a marketplace by its address, or by the collection, or as the classification does", async () => {
    const named = async (types: string) => {
      const { actions } = checked("actions", await app.result(`actions?action_type=${types}&limit=1000`));
      return actions.map(({ details }) => details as Trade);
    };
    const sold = await named("nft_put_on_sale,nft_update_sale,nft_cancel_sale,nft_cancel_auction");
    expect(sold.map((details) => [details.marketplace_address, details.marketplace])).toEqual(
      sold.map(() => [marketplace, "Bazaar"]),
    );
    const ofCollection = await named("teleitem_start_auction,auction_outbid");
    expect(ofCollection.map(({ marketplace: name }) => name)).toEqual(["Gallery", "Gallery"]);
    const others = (await named("nft_transfer,nft_purchase")).filter(
      (details) => details.marketplace_address !== marketplace && details.nft_collection !== collection,
    );
    const stored = rows
      .map(({ data }) => data as { nft_transfer_data?: { marketplace?: string } } | undefined)
      .flatMap((data) => data?.nft_transfer_data?.marketplace ?? []);
    for (const { marketplace: name } of others) if (name !== null) expect(stored).toContain(name);
    expect(others.some(({ marketplace: name }) => name !== null)).toBe(true);
  });
}

type Trade = {
  marketplace?: string | null;
  marketplace_address?: string | null;
  nft_collection?: string | null;
};

/** Actions that are shown as others to callers without supported types. */
const shown = supportedTypes([]);
const isPartOf = ({ ancestor_type }: ActionRow) => ancestor_type.some((type) => shown.includes(type));
