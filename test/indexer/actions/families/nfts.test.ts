import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import type { Contract } from "../../../../server/indexer/actions/contracts.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf as madeActions } from "../../../helpers/index/made-jettons.js";
import { typesOf } from "../../../helpers/index/made-nfts.js";
import {
  accounts,
  addressOf,
  bodyWith,
  comment,
  type MadeMessage,
} from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";

const [alice, bob, item, collection, sale, auction, marketplace] = accounts(
  "alice, bob, item, collection, sale, auction, marketplace",
);
const nftItem = { index: 5n, collection, owner: bob, contentUri: undefined, codeHash: undefined };
const known: Record<string, Contract> = {
  [item]: { nftItem },
  [sale]: { nftSale: { nft: item, nftOwner: alice, marketplace, fullPrice: 100n } },
  [auction]: { nftAuction: { nft: item, nftOwner: alice, marketplace, lastBid: 90n } },
};

const actionsOf = (root: MadeMessage, contracts = known) => madeActions(root, contracts);
const from = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });

/** The first action, which must move an item. */
function transferOf(actions: readonly Action[], type: "nft_transfer" | "nft_purchase" = "nft_transfer") {
  const action = actions.find((each) => each.type === type);
  if (action?.type !== "nft_transfer" && action?.type !== "nft_purchase") throw new Error(`no ${type}`);
  return action;
}

const transferBody = cellWith(bodyWith(0x5fcc3d14, 7n), bob, alice, false, 3n, true, comment("hi"));
const assigned = (payload = fieldsWith(false), owner: string | undefined = alice): MadeMessage => ({
  to: bob,
  body: cellWith(bodyWith(0x05138d91, 7n), owner === undefined ? undefined : addressOf(owner), payload),
});
const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };
const transfer: MadeMessage = { to: item, body: transferBody, sends: [assigned(), excess] };

describe("An nft mint", () => {
  const mint: MadeMessage = { to: item, body: bodyOf(9), status: ["uninit", "active"] };

  it("is the message that deployed a known item", () => {
    const actions = actionsOf(from(mint));
    expect(typesOf(actions)).toEqual(["contract_deploy", "nft_mint"]);
    expect(actions.find(({ type }) => type === "nft_mint")).toMatchObject({
      success: true,
      source: alice,
      destination: item,
      asset: collection,
      asset_secondary: item,
      opcode: 9,
      nft_mint_data: { nft_item_index: 5n },
    });
  });

  it("can fail, thaw an item, and be an external message", () => {
    expect(actionsOf(from({ ...mint, isAborted: true, value: 1n }))).toContainEqual(
      expect.objectContaining({ type: "nft_mint", success: false }),
    );
    expect(typesOf(actionsOf(from({ ...mint, status: ["frozen", "active"] })))).toEqual(["nft_mint"]);
    const [minted] = actionsOf(mint).filter(({ type }) => type === "nft_mint");
    expect([minted?.source, minted?.destination]).toEqual([undefined, item]);
  });

  it("needs a known item and a deployment", () => {
    expect(typesOf(actionsOf(from(mint), {}))).toEqual(["call_contract", "contract_deploy"]);
    expect(typesOf(actionsOf(from({ ...mint, status: ["active", "active"] })))).toEqual(["call_contract"]);
  });
});

describe("An nft transfer", () => {
  it("is the request with its consequences", () => {
    const actions = actionsOf(from(transfer));
    expect(actions).toHaveLength(1);
    const { nft_transfer_data, ...action } = transferOf(actions);
    expect(action).toMatchObject({
      success: true,
      source: alice,
      destination: bob,
      asset: collection,
      asset_secondary: item,
      tx_hashes: { length: 4 },
    });
    expect(nft_transfer_data).toMatchObject({
      query_id: 7n,
      is_purchase: false,
      price: undefined,
      nft_item_index: 5n,
      forward_amount: 3n,
      custom_payload: undefined,
      forward_payload: expect.any(String),
      response_destination: alice,
      marketplace: undefined,
    });
  });

  it("is from its sender unless the notification has another one, and fails with the request", () => {
    const other = { ...transfer, sends: [assigned(undefined, collection)] };
    expect(transferOf(actionsOf(from(other))).source).toBe(collection);
    const alone = { ...transfer, isAborted: true, sends: [] };
    expect(transferOf(actionsOf(from(alone)))).toMatchObject({ source: alice, success: false });
  });

  it("needs a known item and a body that can be read", () => {
    expect(typesOf(actionsOf(from(transfer), {}))).toEqual(Array(3).fill("call_contract"));
    const unread = { ...transfer, body: bodyOf(0x5fcc3d14), sends: [] };
    expect(typesOf(actionsOf(from(unread)))).toEqual(["call_contract"]);
  });
});

describe("A purchase at getgems", () => {
  const bought = (to: string, ...also: MadeMessage[]): MadeMessage => ({ to, sends: [transfer, ...also] });
  const payout: MadeMessage = { to: alice, value: 80n, body: comment("sold") };
  /** Sent by the buyer. */
  const byBuyer = (message: MadeMessage): MadeMessage => ({ to: bob, sends: [message] });

  it("of a sale includes the payment of its new owner", () => {
    const [action, ...others] = actionsOf(byBuyer(bought(sale)));
    expect([action?.type, others]).toEqual(["nft_transfer", []]);
    expect(transferOf([action!])).toMatchObject({
      tx_hashes: { length: 5 },
      nft_transfer_data: {
        is_purchase: true,
        price: 100n,
        marketplace: "getgems",
        marketplace_address: marketplace,
        real_prev_owner: alice,
      },
    });
  });

  it("of a sale is none if another account paid, of another item, or back to its owner", () => {
    const isPurchase = (root: MadeMessage, nftSale = {}) => {
      const changed = { ...known, [sale]: { nftSale: { ...known[sale]!.nftSale!, ...nftSale } } };
      return transferOf(actionsOf(root, changed))["nft_transfer_data"]?.["is_purchase"];
    };
    expect(isPurchase(byBuyer(bought(sale)))).toBe(true);
    expect(isPurchase(from(bought(sale)))).toBe(false);
    expect(isPurchase(byBuyer(bought(sale)), { nft: marketplace })).toBe(false);
    expect(isPurchase(byBuyer(bought(sale)), { nftOwner: bob })).toBe(false);
    expect(isPurchase(byBuyer({ ...bought(sale), body: bodyOf(8) }))).toBe(false);
  });

  it("of an auction can follow any message that ended it", () => {
    const called = { ...bought(auction), body: bodyOf(8) };
    const { nft_transfer_data } = transferOf(actionsOf(from(called)));
    expect(nft_transfer_data).toMatchObject({ is_purchase: true, price: 90n, real_prev_owner: alice });
    const [action] = actionsOf({ to: auction, sends: [transfer] });
    expect(action).toMatchObject({ type: "nft_transfer", tx_hashes: { length: 4 } });
  });

  it("with a payout to the seller is an nft purchase, of which the transfer is a part", () => {
    const actions = actionsOf(byBuyer(bought(sale, payout)));
    expect(typesOf(actions)).toEqual(["nft_purchase", "nft_transfer", "ton_transfer"]);
    const purchase = transferOf(actions, "nft_purchase");
    expect(purchase).toMatchObject({
      parent_action_id: undefined,
      source: alice,
      destination: bob,
      nft_transfer_data: {
        price: 100n,
        payout_amount: 80n,
        payout_comment: "sold",
        payout_comment_encrypted: false,
        payout_comment_encoded: false,
      },
    });
    expect(transferOf(actions)).toMatchObject({
      parent_action_id: purchase.action_id,
      ancestor_type: ["nft_purchase"],
    });
    const other = bought(sale, { ...payout, to: marketplace });
    expect(typesOf(actionsOf(byBuyer(other)))).toEqual(["nft_transfer", "ton_transfer"]);
  });

  it.each(["finish", "stop"])("that %s ended hangs together though the auction sent both", (word) => {
    const ended = { ...bought(auction, payout), body: comment(word) };
    const actions = actionsOf(from(ended));
    expect(typesOf(actions)).toEqual([
      "nft_finish_auction",
      "nft_purchase",
      "nft_transfer",
      "ton_transfer",
      "ton_transfer",
    ]);
    const purchase = transferOf(actions, "nft_purchase");
    const parts = actions.filter(({ parent_action_id }) => parent_action_id === purchase.action_id);
    expect(parts.map(({ type, value }) => [type, value]).sort()).toEqual([
      ["nft_transfer", undefined],
      ["ton_transfer", 80n],
    ]);
    expect(typesOf(actionsOf(from({ ...ended, sends: [transfer] })))).toEqual([
      "nft_finish_auction",
      "nft_transfer",
      "ton_transfer",
    ]);
  });
});

describe("An item of Telegram", () => {
  const bid = fieldsWith(true, cellWith([0x38127de1, 32], 500n, [9, 32]));
  const fillUp = (to: string, value: bigint): MadeMessage => ({ to, value, body: bodyOf(0x370fec51) });
  const root = (...sends: MadeMessage[]): MadeMessage => ({ to: bob, sends: [{ to: item, sends }] });

  it("changes its owner without a request", () => {
    const actions = actionsOf(root(assigned()));
    expect(typesOf(actions)).toEqual(["nft_transfer", "ton_transfer"]);
    expect(transferOf(actions)).toMatchObject({
      source: alice,
      destination: bob,
      asset_secondary: item,
      nft_transfer_data: {
        query_id: 7n,
        is_purchase: false,
        marketplace: undefined,
        forward_payload: expect.any(String),
      },
    });
    expect(typesOf(actionsOf(root(assigned()), {}))).toEqual(["call_contract", "ton_transfer"]);
  });

  it("is bought by a bid, with the royalty before the payout", () => {
    const actions = actionsOf(root(assigned(bid), fillUp(marketplace, 20n), fillUp(alice, 480n)));
    expect(typesOf(actions)).toEqual(["nft_transfer"]);
    expect(transferOf(actions)).toMatchObject({
      tx_hashes: { length: 5 },
      nft_transfer_data: {
        is_purchase: true,
        price: 500n,
        marketplace: "fragment",
        payout_amount: 480n,
        royalty_amount: 20n,
      },
      nft_listing_data: { marketplace_fee_address: alice, royalty_address: marketplace },
    });
    const [alone] = actionsOf(root(assigned(bid), fillUp(alice, 480n)));
    expect(transferOf([alone!])).toMatchObject({
      nft_transfer_data: { payout_amount: 480n, royalty_amount: undefined },
      nft_listing_data: { marketplace_fee_address: alice, royalty_address: undefined },
    });
  });

  it("is not bought while it is deployed", () => {
    const deployed = bodyOf(0x299a3e15);
    const actions = actionsOf({ to: bob, sends: [{ to: item, body: deployed, sends: [assigned(bid)] }] });
    expect(transferOf(actions)["nft_transfer_data"]).toMatchObject({ is_purchase: false, price: undefined });
    const minted = { to: item, status: ["uninit", "active"] as const, sends: [assigned(bid)] };
    const { nft_transfer_data: details } = transferOf(actionsOf({ to: bob, sends: [minted] }));
    expect(details).toMatchObject({ is_purchase: false, price: undefined, marketplace: "fragment" });
  });

  it("whose bid cannot be read changes nothing", () => {
    const cut = fieldsWith(true, cellWith([0x38127de1, 32]));
    expect(typesOf(actionsOf(root(assigned(cut))))).toEqual(["call_contract", "ton_transfer"]);
  });
});

describe("A discovery of an item", () => {
  const report: MadeMessage = { to: alice, body: bodyOf(0x8b771735, [5n, 256], collection) };
  const asked: MadeMessage = { to: item, body: bodyOf(0x2fcb26a2), sends: [report] };

  it("is the question with the item's report", () => {
    const actions = actionsOf(from(asked), {});
    expect(typesOf(actions)).toEqual(["call_contract", "call_contract", "nft_discovery"]);
    expect(actions.find(({ type }) => type === "nft_discovery")).toMatchObject({
      source: alice,
      asset: collection,
      asset_secondary: item,
      nft_transfer_data: { nft_item_index: 5n },
    });
  });

  it("needs a report that can be read", () => {
    expect(typesOf(actionsOf(from({ ...asked, sends: [] })))).toEqual(["call_contract"]);
    const unread = { ...report, body: Cell.empty };
    expect(typesOf(actionsOf(from({ ...asked, sends: [unread] })))).toEqual([
      "call_contract",
      "ton_transfer",
    ]);
    const short = { ...report, body: bodyOf(0x8b771735) };
    expect(typesOf(actionsOf(from({ ...asked, sends: [short] })))).toEqual([
      "call_contract",
      "call_contract",
    ]);
  });
});
