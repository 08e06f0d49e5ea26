import { describe, expect, it } from "vitest";
import type { Contract } from "../../../../server/indexer/actions/contracts.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  alice,
  auctionContract,
  bob,
  collection,
  from,
  item,
  itemWith,
  rowOf,
  typesOf,
} from "../../../helpers/index/made-nfts.js";
import { accounts, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";

const [auction, carol] = accounts("auction, carol");
const known = { [auction]: auctionContract, [item]: itemWith() };
const teleitem = itemWith({ contentUri: "https://nft.fragment.com/username/carol.json" });
const domain = itemWith({ codeHash: "i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=" });

function bid(to: string, ...sends: MadeMessage[]): MadeMessage {
  return from(alice, { to, value: 50n, sends });
}

describe("A bid", () => {
  it("at an auction is a transfer to it", () => {
    const actions = actionsOf(bid(auction), known);
    expect(typesOf(actions)).toEqual(["auction_bid"]);
    expect(rowOf(actions, "auction_bid")).toMatchObject({
      success: true,
      source: alice,
      destination: auction,
      value: 50n,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { nft_item_index: 5n, marketplace: "getgems" },
    });
    expect(actions[0]!.accounts).toContain(item);
  });

  it("at an auction needs no known item, and comes before one at the same address", () => {
    const [unknown] = actionsOf(bid(auction), { [auction]: auctionContract });
    expect(unknown).toMatchObject({ type: "auction_bid", asset: undefined, asset_secondary: item });
    const both: Contract = { ...auctionContract, ...domain };
    const [first] = actionsOf(bid(auction), { ...known, [auction]: both });
    expect(first).toMatchObject({ asset_secondary: item, nft_transfer_data: { marketplace: "getgems" } });
  });

  it("for an item of Telegram goes to the item", () => {
    const actions = actionsOf(bid(item), { [item]: teleitem });
    expect(typesOf(actions)).toEqual(["auction_bid"]);
    expect(actions[0]).toMatchObject({
      destination: item,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { nft_item_index: 5n, marketplace: "fragment" },
    });
  });

  it("for a domain outbids the previous one", () => {
    const outbid: MadeMessage = { to: bob, body: bodyOf(0x557cea20) };
    const actions = actionsOf(bid(item, outbid), { [item]: domain });
    expect(typesOf(actions)).toContain("auction_bid");
    expect(typesOf(actionsOf(bid(item), { [item]: domain }))).toEqual(["ton_transfer"]);
  });

  it("fails with its transfer", () => {
    const failed = from(alice, { to: auction, isAborted: true });
    expect(rowOf(actionsOf(failed, known), "auction_bid").success).toBe(false);
  });

  it("needs a known auction, deploys nothing, and has no text that ends it", () => {
    expect(typesOf(actionsOf(bid(auction), {}))).toEqual(["ton_transfer"]);
    expect(typesOf(actionsOf(bid(item), known))).toEqual(["ton_transfer"]);
    const deployed = from(alice, { to: auction, status: ["uninit", "active"] });
    expect(typesOf(actionsOf(deployed, known))).toEqual(["contract_deploy", "ton_transfer"]);
    for (const word of ["cancel", "finish", "stop"]) {
      const said = from(alice, { to: auction, body: comment(word) });
      expect(typesOf(actionsOf(said, known)), word).toEqual(["ton_transfer"]);
    }
  });
});

describe("An outbid bid", () => {
  const refund = (text: string, to = bob): MadeMessage => ({ to, value: 40n, body: comment(text) });
  const outbid = refund("Your bid has been outbid by another user.");
  const notification: MadeMessage = { to: bob, value: 40n, body: bodyOf(0x557cea20) };

  it("goes back to its bidder; the transfer and the new bid keep their rows", () => {
    const actions = actionsOf(bid(auction, outbid), known);
    expect(typesOf(actions)).toEqual(["auction_bid", "auction_outbid", "ton_transfer"]);
    const row = rowOf(actions, "auction_outbid");
    expect(row).toMatchObject({
      success: true,
      parent_action_id: undefined,
      source: auction,
      source_secondary: alice,
      destination: bob,
      asset: collection,
      asset_secondary: item,
      amount: 40n,
    });
    expect(row.accounts).toContain(item);
    expect(rowOf(actions, "ton_transfer").parent_action_id).toBe(row.action_id);
    expect(rowOf(actions, "auction_bid").parent_action_id).toBeUndefined();
  });

  it.each([
    ["of an item of Telegram", teleitem],
    ["of a domain", domain],
  ])("%s goes back with a notification", (_, sold) => {
    const actions = actionsOf(bid(item, notification), { [item]: sold });
    expect(typesOf(actions)).toEqual(["auction_bid", "auction_outbid", "call_contract"]);
    expect(rowOf(actions, "auction_outbid")).toMatchObject({
      source: item,
      source_secondary: alice,
      destination: bob,
      amount: 40n,
    });
  });

  it("is the only one, and has the outbid text", () => {
    const isOutbid = (...sent: MadeMessage[]) =>
      typesOf(actionsOf(bid(auction, ...sent), known)).includes("auction_outbid");
    expect(isOutbid(outbid, refund("something else", carol))).toBe(true);
    expect(isOutbid(outbid, { to: carol })).toBe(false);
    expect(isOutbid(outbid, { ...outbid, to: carol })).toBe(false);
    expect(isOutbid(refund("something else"))).toBe(false);
    expect(isOutbid(notification)).toBe(false);
    const twice = bid(item, notification, { ...notification, to: carol });
    expect(typesOf(actionsOf(twice, { [item]: teleitem }))).not.toContain("auction_outbid");
    expect(typesOf(actionsOf(bid(item, outbid), { [item]: teleitem }))).not.toContain("auction_outbid");
  });

  it("is none without a known auction", () => {
    expect(typesOf(actionsOf(bid(auction, outbid), {}))).toEqual(["ton_transfer", "ton_transfer"]);
  });
});
