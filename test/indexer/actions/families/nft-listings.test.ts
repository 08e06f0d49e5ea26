import { describe, expect, it } from "vitest";
import type { Contract } from "../../../../server/indexer/actions/contracts.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import {
  alice,
  auctionContract,
  bob,
  collection,
  deployment,
  from,
  item,
  itemWith,
  marketplace,
  nftTransfer,
  rowOf,
  saleContract,
  sellersData,
  typesOf,
} from "../../../helpers/index/made-nfts.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";

const [seller, lister, other, founder, fees, royalties] = accounts(
  "seller, lister, other item, who deployed it says, fees, royalties",
);
const items = { [item]: itemWith(), [other]: itemWith() };
const withSale = { ...items, [seller]: saleContract };
const withAuction = { ...items, [seller]: auctionContract };

const data = sellersData(founder, fees, royalties);
const saleDeployed = (changes?: Partial<MadeMessage>) => deployment(seller, data.sale, changes);

/** Alice gives the item to an account that then sends these messages. */
const given = (...leadsTo: MadeMessage[]): MadeMessage => from(alice, nftTransfer(lister, leadsTo));
const passedOn = nftTransfer(seller);

function isListed(root: MadeMessage, contracts: Record<string, Contract> = withSale): boolean {
  return typesOf(actionsOf(root, contracts)).some((type) => type.startsWith("nft_put_on_"));
}

describe("An item that is put on sale", () => {
  it("goes to the contract that its new owner deployed; both transfers and the deployment are parts", () => {
    const actions = actionsOf(given(saleDeployed(), passedOn), withSale);
    const row = rowOf(actions, "nft_put_on_sale");
    expect(row).toMatchObject({
      success: true,
      source: alice,
      source_secondary: lister,
      destination: seller,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { marketplace_address: founder },
    });
    expect(row["nft_listing_data"]).toEqual({
      nft_item_index: 5n,
      full_price: 100n,
      marketplace_fee: undefined,
      marketplace_fee_address: fees,
      royalty_amount: undefined,
      royalty_address: royalties,
      marketplace: "getgems",
    });
    const parts = actions.filter(({ parent_action_id }) => parent_action_id === row.action_id);
    expect(typesOf(parts)).toEqual(["nft_transfer", "nft_transfer", "ton_transfer"]);
    expect(actions).toHaveLength(5);
    expect(rowOf(actions, "contract_deploy").parent_action_id).toBeUndefined();
  });

  it("can be deployed by a call, be thawed, and be on sale though a transfer failed", () => {
    const call = saleDeployed({ body: bodyOf(1) });
    expect(isListed(given(call, passedOn))).toBe(true);
    expect(isListed(given(saleDeployed({ status: ["frozen", "active"] }), passedOn))).toBe(true);
    const failed = actionsOf(given(saleDeployed(), { ...passedOn, isAborted: true }), withSale);
    expect(rowOf(failed, "nft_put_on_sale").success).toBe(true);
  });

  it("leaves an excess of the deployment where it is", () => {
    const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };
    const actions = actionsOf(given(saleDeployed({ sends: [excess] }), passedOn), withSale);
    expect(rowOf(actions, "call_contract").parent_action_id).toBeUndefined();
  });

  it("needs a known sale that was deployed, and the item for it", () => {
    expect(isListed(given(saleDeployed(), passedOn))).toBe(true);
    expect(isListed(given(saleDeployed(), passedOn), items)).toBe(false);
    expect(isListed(given(saleDeployed({ status: ["active", "active"] }), passedOn))).toBe(false);
    expect(isListed(given(saleDeployed()))).toBe(false);
    expect(isListed(given(passedOn))).toBe(false);
    expect(isListed(given(saleDeployed(), nftTransfer(bob)))).toBe(false);
    expect(isListed(given(saleDeployed(), nftTransfer(seller, undefined, other)))).toBe(false);
  });

  it("is sold by its contract for its owner", () => {
    const isListedFor = (changes: object) => {
      const nftSale = { ...saleContract.nftSale!, ...changes };
      return isListed(given(saleDeployed(), passedOn), { ...items, [seller]: { nftSale } });
    };
    expect(isListedFor({})).toBe(true);
    expect(isListedFor({ nft: other })).toBe(false);
    expect(isListedFor({ nftOwner: bob })).toBe(false);
  });

  it("needs a state that can be read", () => {
    const { initState: _, ...bare } = saleDeployed();
    expect(isListed(given(bare, passedOn))).toBe(false);
    expect(isListed(given(deployment(seller, Cell.empty), passedOn))).toBe(false);
    expect(isListed(given(saleDeployed({ initState: Cell.empty }), passedOn))).toBe(false);
  });
});

describe("An item that is put on auction", () => {
  it("goes to the contract that its new owner deployed", () => {
    const row = rowOf(
      actionsOf(given(deployment(seller, data.auction), passedOn), withAuction),
      "nft_put_on_auction",
    );
    expect(row).toMatchObject({
      success: true,
      source: alice,
      source_secondary: lister,
      destination: seller,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { marketplace_address: marketplace },
    });
    expect(row["nft_listing_data"]).toEqual({
      nft_item_index: 5n,
      mp_fee_factor: 5n,
      mp_fee_base: 100n,
      royalty_fee_base: 1000n,
      max_bid: 900n,
      min_bid: 10n,
      marketplace_fee_address: fees,
      royalty_address: royalties,
      marketplace: "getgems",
    });
  });

  it("is on sale rather if the contract is both", () => {
    const both = { ...items, [seller]: { ...saleContract, ...auctionContract } };
    expect(typesOf(actionsOf(given(saleDeployed(), passedOn), both))).toContain("nft_put_on_sale");
  });

  it("is sold by its contract for its owner, in a state that can be read", () => {
    const isListedFor = (changes: object, state = data.auction) => {
      const nftAuction = { ...auctionContract.nftAuction!, ...changes };
      return isListed(given(deployment(seller, state), passedOn), { ...items, [seller]: { nftAuction } });
    };
    expect(isListedFor({})).toBe(true);
    expect(isListedFor({ nft: other })).toBe(false);
    expect(isListedFor({ nftOwner: bob })).toBe(false);
    expect(isListedFor({}, Cell.empty)).toBe(false);
  });
});

describe("An update of a sale", () => {
  const body = bodyOf(0x6c6c2080, 120n, 6n, 12n);
  const update: MadeMessage = { to: seller, body };

  it("is the request", () => {
    const actions = actionsOf(from(alice, update), withSale);
    const row = rowOf(actions, "nft_update_sale");
    expect(row).toMatchObject({
      success: true,
      source: alice,
      destination: seller,
      asset_secondary: item,
      nft_listing_data: { full_price: 120n, marketplace_fee: 6n, royalty_amount: 12n },
      nft_transfer_data: { marketplace_address: marketplace },
    });
    expect(row.accounts).toContain(item);
    expect(rowOf(actions, "call_contract").parent_action_id).toBe(row.action_id);
  });

  it("fails with its transaction, also without value", () => {
    const failed = from(alice, { ...update, value: 0n, isAborted: true });
    expect(rowOf(actionsOf(failed, withSale), "nft_update_sale").success).toBe(false);
  });

  it("needs a known sale and a request that can be read", () => {
    expect(typesOf(actionsOf(from(alice, update), {}))).toEqual(["call_contract"]);
    expect(typesOf(actionsOf(from(alice, update), withAuction))).toEqual(["call_contract"]);
    const cut = from(alice, { ...update, body: bodyOf(0x6c6c2080, 1n) });
    expect(typesOf(actionsOf(cut, withSale))).toEqual(["call_contract"]);
  });
});
