import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  alice,
  auctionContract,
  bob,
  collection,
  from,
  item,
  itemWith,
  marketplace,
  nftTransfer,
  rowOf,
  saleContract,
  typesOf,
} from "../../../helpers/index/made-nfts.js";
import { accounts, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";

const [sale, auction, other] = accounts("sale, auction, other");
const known = { [sale]: saleContract, [auction]: auctionContract, [item]: itemWith(), [other]: itemWith() };
const returned = nftTransfer(alice);
const otherReturned = nftTransfer(alice, undefined, other);

const called = (to: string, opcode: number, ...sends: MadeMessage[]): MadeMessage =>
  from(alice, { to, body: bodyOf(opcode), sends });
const told = (word: string, ...sends: MadeMessage[]): MadeMessage =>
  from(alice, { to: auction, body: comment(word), sends });

const ended = {
  success: true,
  parent_action_id: undefined,
  source: alice,
  asset: collection,
  asset_secondary: item,
  nft_transfer_data: { marketplace_address: marketplace },
};

describe("A cancellation of a sale", () => {
  it("is the request; the transfer back keeps its row", () => {
    const actions = actionsOf(called(sale, 3, returned), known);
    expect(typesOf(actions)).toEqual(["call_contract", "nft_cancel_sale", "nft_transfer"]);
    const row = rowOf(actions, "nft_cancel_sale");
    expect(row).toMatchObject({ ...ended, destination: sale });
    expect(row.accounts).toContain(item);
    expect(rowOf(actions, "call_contract").parent_action_id).toBe(row.action_id);
    expect(rowOf(actions, "nft_transfer").parent_action_id).toBeUndefined();
  });

  it("succeeds though its transfer failed", () => {
    const failed = { ...returned, isAborted: true };
    const actions = actionsOf(called(sale, 3, failed), known);
    expect([rowOf(actions, "nft_cancel_sale").success, rowOf(actions, "nft_transfer").success]).toEqual([
      true,
      false,
    ]);
  });

  it("needs a known sale, its own item, and a transfer", () => {
    const isCancelled = (root: MadeMessage, contracts = known) =>
      typesOf(actionsOf(root, contracts)).includes("nft_cancel_sale");
    expect(isCancelled(called(sale, 3, returned))).toBe(true);
    expect(isCancelled(called(bob, 3, returned))).toBe(false);
    expect(isCancelled(called(auction, 3, returned))).toBe(false);
    expect(isCancelled(called(sale, 3, otherReturned))).toBe(false);
    expect(isCancelled(called(sale, 3))).toBe(false);
    expect(isCancelled(called(sale, 4, returned))).toBe(false);
  });
});

describe("An auction without a purchase", () => {
  it.each([
    ["the word cancel", told("cancel", returned), "nft_cancel_auction"],
    ["the request to cancel", called(auction, 0x5616c572, returned), "nft_cancel_auction"],
    ["the word finish", told("finish", returned), "nft_finish_auction"],
    ["the word stop", told("stop", returned), "nft_finish_auction"],
    ["the request to finish", called(auction, 0x20c9eb18, returned), "nft_finish_auction"],
    ["the request to stop", called(auction, 0xb95616b6, returned), "nft_finish_auction"],
  ] as const)("is ended by %s", (_, root, type) => {
    const actions = actionsOf(root, known);
    const row = rowOf(actions, type);
    expect(row).toMatchObject({ ...ended, destination: auction });
    expect(row.accounts).toContain(item);
    expect(rowOf(actions, "nft_transfer").parent_action_id).toBeUndefined();
    expect(actions).toHaveLength(3);
  });

  it("is not ended otherwise", () => {
    const isEnded = (root: MadeMessage, contracts = {}) =>
      typesOf(actionsOf(root, { ...known, ...contracts })).some((type) => /^nft_(cancel|finish)/.test(type));
    expect(isEnded(told("cancel", returned))).toBe(true);
    expect(isEnded(told("end", returned))).toBe(false);
    expect(isEnded(told("cancel"))).toBe(false);
    expect(isEnded(told("cancel", otherReturned))).toBe(false);
    expect(isEnded(told("cancel", returned), { [auction]: {} })).toBe(false);
    expect(isEnded(told("cancel", returned), { [auction]: saleContract })).toBe(false);
    expect(isEnded(called(auction, 1, returned))).toBe(false);
  });
});

describe("A finished auction whose item was bought", () => {
  const payout: MadeMessage = { to: alice, value: 80n, body: comment("sold") };
  const bought = told("finish", nftTransfer(bob), payout);

  it("is the request; the purchase keeps its row", () => {
    const actions = actionsOf(bought, known);
    expect(typesOf(actions)).toEqual([
      "nft_finish_auction",
      "nft_purchase",
      "nft_transfer",
      "ton_transfer",
      "ton_transfer",
    ]);
    expect(rowOf(actions, "nft_finish_auction")).toMatchObject({
      ...ended,
      source: bob,
      destination: auction,
      nft_transfer_data: { marketplace_address: undefined },
    });
    expect(rowOf(actions, "nft_purchase").parent_action_id).toBeUndefined();
  });

  it.each([0x20c9eb18, 0xb95616b6])("can be asked for by an opcode (%i)", (opcode) => {
    // The seller is paid in the same transaction as the buyer gets the item, so this is no purchase.
    const actions = actionsOf(called(auction, opcode, nftTransfer(bob), payout), known);
    expect(rowOf(actions, "nft_finish_auction")).toMatchObject({
      source: bob,
      nft_transfer_data: { marketplace_address: marketplace },
    });
    const throughItem = nftTransfer(bob, [payout]);
    const purchase = actionsOf(called(auction, opcode, throughItem), known);
    expect(typesOf(purchase)).toContain("nft_purchase");
    expect(rowOf(purchase, "nft_finish_auction")["nft_transfer_data"]).toEqual({
      marketplace_address: undefined,
    });
  });

  it("is none of an unknown auction", () => {
    const types = typesOf(actionsOf(bought, { [item]: itemWith() }));
    expect(types).toEqual(["nft_transfer", "ton_transfer", "ton_transfer"]);
  });
});
