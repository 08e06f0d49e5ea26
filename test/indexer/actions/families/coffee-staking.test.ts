import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";
import { call } from "./liquidity-messages.js";
import { columnsOf, partsLast } from "./liquidity-rows.js";

const [alice, pool, vault, item, usd] = accounts("alice, pool, vault, item, usd");
const wallets = walletsOf([alice, vault, pool], [usd]);
const nftItem = { index: 7n, collection: pool, owner: alice, contentUri: undefined, codeHash: undefined };
const known = { ...wallets, [item]: { nftItem } };

type Known = Parameters<typeof actionsOf>[1];

function rowsOf(root: MadeMessage, contracts: Known = known): unknown[] {
  return partsLast(actionsOf(root, contracts)).map((action) => {
    if (action.type === "coffee_staking_claim_rewards") return columnsOf(action);
    if (action.type === "coffee_staking_deposit")
      return { ...columnsOf(action), ...action["coffee_staking_deposit_data"] };
    if (action.type === "coffee_staking_withdraw")
      return { ...columnsOf(action), ...action["coffee_staking_withdraw_data"] };
    return action.type;
  });
}

const logOf = (opcode: number): MadeMessage => ({ to: undefined, body: bodyOf(opcode) });
const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });

describe("A deposit to stake at swap.coffee", () => {
  const minted: MadeMessage = { to: item, body: bodyOf(0x12345678), status: ["uninit", "active"] };
  const stakes = (...sends: MadeMessage[]) =>
    sentBy(
      jettonTransfer({
        from: alice,
        to: vault,
        master: usd,
        amount: 50n,
        leadsTo: [call(pool, 0xf9471134, sends)],
      }),
    );
  const row = {
    success: true,
    source: alice,
    source_secondary: walletOf(alice, usd),
    destination: pool,
    destination_secondary: walletOf(vault, usd),
    asset: usd,
    amount: 50n,
    minted_item_address: item,
    minted_item_index: 7n,
  };

  it("gives an item", () => {
    for (const sends of [[minted], [logOf(0xf9471134), minted]]) {
      const rows = rowsOf(stakes(...sends));
      expect(rows).toContainEqual(row);
      expect(rows).toContain("jetton_transfer");
      expect(rows).toContain("nft_mint");
    }
  });

  it("leaves excesses outside", () => {
    const actions = actionsOf(stakes(minted, call(alice, 0xd53276db)), known);
    const excess = actions.find(({ opcode }) => opcode === 0xd53276db);
    expect(excess?.parent_action_id).toBeUndefined();
    expect(excess?.type).toBe("call_contract");
  });

  it("is none without a known item, or if the wallet is unknown", () => {
    expect(rowsOf(stakes())[0]).toBe("jetton_transfer");
    expect(rowsOf(stakes(minted), wallets)[0]).toBe("jetton_transfer");
    expect(rowsOf(stakes(minted), { [item]: { nftItem } })).not.toContainEqual(row);
  });
});

describe("A withdrawal of a stake at swap.coffee", () => {
  const paid = jettonTransfer({ from: vault, to: alice, master: usd, amount: 50n });
  function byPool(...sends: MadeMessage[]): MadeMessage {
    const body = bodyOf(0xcb03bfaf, walletOf(vault, usd), 50n, alice);
    return { to: vault, body, sends };
  }
  function byItem(...sends: MadeMessage[]): MadeMessage {
    const body = bodyOf(0xcb03bfaf, [7, 64], alice, 90n);
    return { to: pool, body, sends };
  }
  const asks = (...sends: MadeMessage[]) => sentBy(call(item, 0xcb03bfaf, sends));
  const row = {
    success: true,
    source: alice,
    source_secondary: walletOf(alice, usd),
    destination: item,
    destination_secondary: walletOf(vault, usd),
    asset: usd,
    amount: 50n,
    nft_address: item,
    nft_index: 7n,
    points: 90n,
  };

  it("pays the stake, with a log or without", () => {
    for (const sends of [[byPool(paid)], [logOf(0xcb03bfaf), byPool(paid)]])
      expect(rowsOf(asks(byItem(...sends)))).toContainEqual(row);
  });

  it("succeeds regardless of the request's outcome", () => {
    const [request] = asks(byItem(byPool(paid))).sends!;
    expect(rowsOf(sentBy({ ...request!, isAborted: true }))).toContainEqual(row);
  });

  it("is none if nothing was paid, if the wallet is unknown, or if a body cannot be read", () => {
    const unread = call(pool, 0xcb03bfaf, [byPool(paid)]);
    for (const each of [asks(byItem(byPool())), asks(byItem()), asks(unread)])
      expect(rowsOf(each).every((each) => typeof each === "string")).toBe(true);
    expect(rowsOf(asks(byItem(byPool(paid))), {}).every((each) => typeof each === "string")).toBe(true);
  });
});

describe("A claim of rewards at swap.coffee", () => {
  const paid = jettonTransfer({ from: pool, to: alice, master: usd, amount: 5n });
  const claims = (...sends: MadeMessage[]) => ({ to: item, sends: [call(pool, 0xb30c7310, sends)] });
  const row = {
    success: true,
    source: pool,
    source_secondary: walletOf(pool, usd),
    destination: alice,
    destination_secondary: walletOf(alice, usd),
    asset: usd,
    amount: 5n,
  };

  it("pays jettons, with a log or without", () => {
    for (const sends of [[paid], [logOf(0xb30c7310), paid]])
      expect(rowsOf(claims(...sends))).toEqual([row, "call_contract", "jetton_transfer"]);
  });

  it("is none if nothing was paid, or if the wallet is unknown", () => {
    expect(rowsOf(claims())).toEqual(["call_contract"]);
    expect(rowsOf(claims(paid), {})[0]).toBe("call_contract");
  });
});
