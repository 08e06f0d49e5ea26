import { describe, expect, it } from "vitest";
import type { ActionRow } from "../../server/store/tables/actions.js";
import { supportedTypes } from "../../shared/schema/action-sets.js";
import { type ActionType, actionTypes } from "../../shared/schema/v3/actions.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { checked } from "../helpers/http/v3-results.js";
import { actionsOfConstructed, constructedActions } from "../helpers/index/constructed-actions.js";
import { rowsOfEveryType, storeActions } from "../helpers/index/every-action.js";
import { collection, marketplace } from "../helpers/index/made-nfts.js";
import { type DatabaseKind, databaseKinds } from "../helpers/store/databases.js";
import { describeWithTraces } from "../helpers/test-data.js";

/** The type under which actions are stored: one is shown under another name. */
const storedType = (type: ActionType) => (type === "extra_currency_transfer" ? "ton_transfer" : type);

describeWithTraces("Actions of every type", (cases) => {
  const constructed = Object.entries(constructedActions);
  const rows = rowsOfEveryType(cases);

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
  const suite = indexOfSuite(open, (database) => storeActions(database, rows));

  it("are all answered by their schemas", async () => {
    const types = new Set(actionTypes.map(storedType));
    const query = `actions?action_type=${[...types]}&limit=1000`;
    const { actions } = checked("actions", await suite.app.result(query));
    const expected = rows.filter((row) => !isPartOf(row));
    expect(actions.map(({ action_id }) => action_id).sort()).toEqual(
      expected.map(({ action_id }) => Buffer.from(action_id).toString("base64")).sort(),
    );
    expect(new Set(actions.map(({ type }) => type))).toEqual(new Set(actionTypes));
  });

  it("name a marketplace by its address, or by the collection, or as the classification does", async () => {
    const named = async (types: string) => {
      const { actions } = checked(
        "actions",
        await suite.app.result(`actions?action_type=${types}&limit=1000`),
      );
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
