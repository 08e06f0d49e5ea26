import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  alice,
  bob,
  collection,
  from,
  item,
  itemWith,
  rowOf,
  typesOf,
} from "../../../helpers/index/made-nfts.js";
import { addressOf, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";

const known = { [item]: itemWith({ contentUri: "https://nft.fragment.com/username/carol.json" }) };
const ok: MadeMessage = { to: alice, body: bodyOf(0xa37a0983) };

function config(beneficiary: string | undefined) {
  return cellWith(
    beneficiary === undefined ? undefined : addressOf(beneficiary),
    10n,
    500n,
    [5, 8],
    [3600, 32],
    [7200, 32],
  );
}

describe("A start of an auction of an item of Telegram", () => {
  const start = (beneficiary: string | undefined): MadeMessage => ({
    to: item,
    body: bodyOf(0x487a8e81, config(beneficiary)),
  });

  it("is the request with its answer", () => {
    const actions = actionsOf(from(alice, { ...start(bob), sends: [ok] }), known);
    const row = rowOf(actions, "teleitem_start_auction");
    expect(row).toMatchObject({
      success: true,
      source: alice,
      source_secondary: undefined,
      destination: item,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { marketplace_address: undefined },
      tx_hashes: { length: 3 },
    });
    expect(row["nft_listing_data"]).toEqual({
      nft_item_index: 5n,
      mp_fee_factor: 0n,
      mp_fee_base: 0n,
      royalty_fee_base: 0n,
      min_bid: 10n,
      max_bid: 500n,
      marketplace_fee_address: bob,
      marketplace: "fragment",
    });
    const parts = actions.filter(({ parent_action_id }) => parent_action_id === row.action_id);
    expect(typesOf(parts)).toEqual(["call_contract", "call_contract"]);
  });

  it("can lack the answer and a beneficiary, and fails with its transaction", () => {
    const failed = { ...start(undefined), value: 0n, isAborted: true };
    const row = rowOf(actionsOf(from(alice, failed), known), "teleitem_start_auction");
    expect([row.success, row["nft_listing_data"]?.["marketplace_fee_address"]]).toEqual([false, undefined]);
  });

  it("needs a known item of Telegram and a request that can be read", () => {
    expect(typesOf(actionsOf(from(alice, start(bob)), {}))).toEqual(["call_contract"]);
    expect(typesOf(actionsOf(from(alice, start(bob)), { [item]: itemWith() }))).toEqual(["call_contract"]);
    const unread = { to: item, body: bodyOf(0x487a8e81) };
    expect(typesOf(actionsOf(from(alice, unread), known))).toEqual(["call_contract"]);
  });
});

describe("A cancellation of an auction of an item of Telegram", () => {
  const cancellation: MadeMessage = { to: item, body: bodyOf(0x371638ae) };

  it("is the request with its answer", () => {
    const actions = actionsOf(from(alice, { ...cancellation, sends: [ok] }), known);
    const row = rowOf(actions, "teleitem_cancel_auction");
    expect(row).toMatchObject({
      success: true,
      source: alice,
      destination: item,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { marketplace_address: undefined },
      tx_hashes: { length: 3 },
    });
    expect(row.accounts).toContain(item);
  });

  it("can lack the answer, and fails with its transaction", () => {
    const failed = { ...cancellation, value: 0n, isAborted: true };
    expect(rowOf(actionsOf(from(alice, failed), known), "teleitem_cancel_auction").success).toBe(false);
  });

  it("needs a known item of Telegram", () => {
    expect(typesOf(actionsOf(from(alice, cancellation), {}))).toEqual(["call_contract"]);
    const other = { [item]: itemWith({ contentUri: "https://nft.example/carol.json" }) };
    expect(typesOf(actionsOf(from(alice, cancellation), other))).toEqual(["call_contract"]);
  });
});
