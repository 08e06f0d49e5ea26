import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../server/cells/builder.js";
import type { Cell } from "../../../../server/cells/cell.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/made-jettons.js";
import { account, addressOf, bodyWith, type MadeMessage } from "../../../helpers/made-trace.js";
import {
  alice,
  call,
  depositRequest,
  event,
  excess,
  payJetton,
  payNative,
  payout,
  pool,
  usd,
} from "./dedust-v2-messages.js";

const bob = account("bob");
const collector = account("deposit contract");
const known = walletsOf([alice, bob, pool], [usd]);
const nothing = beginCell().endCell();

/** The pool tells the deposit contract what came. */
function credited(isX: boolean, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  return { to: collector, body: bodyWith(0xdc5ddba1).storeBit(isX).storeCoins(amount).endCell(), sends };
}

/** The deposit contract tells the pool of both sides. */
function joined(sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyWith(0x25251ee0)
    .storeRef(nothing)
    .storeCoins(20n)
    .storeCoins(50n)
    .storeAddress(addressOf(alice))
    .endCell();
  return { to: pool, body, sends };
}

const deposited = event(
  0x35df2e12,
  beginCell()
    .storeCoins(20n)
    .storeCoins(50n)
    .storeCoins(9n)
    .storeAddress(addressOf(alice))
    .storeAddress(addressOf(alice))
    .storeRef(nothing),
);

/** TON is the first side of the pool, USD the second. */
const brings = {
  ton: (sends: readonly MadeMessage[], request = depositRequest(20n, 50n)) =>
    payNative(pool, 21n, request, [credited(true, 20n, sends)]),
  usd: (sends: readonly MadeMessage[], request: Cell = depositRequest(20n, 50n)) =>
    payJetton(50n, request, [credited(false, 50n, sends)]),
};
const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });
const usdBack = (to: string) => jettonTransfer({ from: pool, to, master: usd, amount: 3n });

/** What rows of deposits say; of other rows their types. */
function depositsOf(root: MadeMessage): unknown[] {
  return actionsOf(root, known).map((action) => {
    if (action.type !== "dex_deposit_liquidity") return action.type;
    const { success, source, destination, destination_secondary } = action;
    return { success, source, destination, destination_secondary, ...action.dex_deposit_liquidity_data };
  });
}

const both = {
  success: true,
  source: alice,
  destination: pool,
  destination_secondary: collector,
  dex: "dedust_v2",
};
const ofUsd = {
  ...both,
  asset1: undefined,
  amount1: 20n,
  asset2: usd,
  amount2: 50n,
  user_jetton_wallet_1: undefined,
  user_jetton_wallet_2: walletOf(alice, usd),
  lp_tokens_minted: 9n,
  target_asset_1: undefined,
  target_amount_1: 20n,
  target_asset_2: usd,
  target_amount_2: 50n,
  vault_excesses: [],
};
/** The pool knows both amounts, the carrier of TON nothing of the jettons. */
const ofTon = { ...ofUsd, asset2: undefined, user_jetton_wallet_2: undefined, target_asset_2: undefined };
const partOfUsd = {
  ...both,
  asset1: undefined,
  amount1: undefined,
  asset2: usd,
  amount2: 50n,
  user_jetton_wallet_1: undefined,
  user_jetton_wallet_2: walletOf(alice, usd),
  lp_tokens_minted: undefined,
};
const partOfTon = {
  ...partOfUsd,
  amount1: 20n,
  asset2: undefined,
  amount2: undefined,
  user_jetton_wallet_2: undefined,
};

describe("A deposit at DeDust, version 2,", () => {
  it("is what the pool minted for, with what the last carrier tells", () => {
    expect(depositsOf(sentBy(brings.usd([joined([deposited])])))).toEqual([ofUsd]);
    expect(depositsOf(sentBy(brings.ton([joined([deposited])])))).toEqual([ofTon]);
  });

  it("has no targets if nobody can read what was asked for", () => {
    const [deposit] = depositsOf(sentBy(brings.usd([joined([deposited])], nothing)));
    expect(deposit).toEqual({ ...ofUsd, target_amount_1: undefined, target_amount_2: undefined });
  });

  it("has what was given back, jettons first", () => {
    const sends = [deposited, call(alice, 0x855afcbd), payout(alice, 2n), usdBack(alice), excess];
    expect(depositsOf(sentBy(brings.usd([joined(sends)])))).toEqual([
      {
        ...ofUsd,
        vault_excesses: [
          { asset: usd, amount: 3n },
          { asset: undefined, amount: 2n },
        ],
      },
      "call_contract",
    ]);
  });

  it.each([
    ["jettons", usdBack(bob)],
    ["TON", payout(bob, 2n)],
  ])("is none if %s go back to somebody else", (_, refund) => {
    for (const sends of [
      [deposited, refund],
      [refund, excess],
    ]) {
      const types = actionsOf(sentBy(brings.usd([joined(sends)])), known).map(({ type }) => type);
      expect(types).not.toContain("dex_deposit_liquidity");
    }
  });

  it("fails if the pool gives back what came", () => {
    const sends = [usdBack(alice), payout(alice, 2n), excess];
    expect(depositsOf(sentBy(brings.usd([joined(sends)])))).toEqual([
      {
        ...ofUsd,
        success: false,
        lp_tokens_minted: undefined,
        vault_excesses: [
          { asset: usd, amount: 3n },
          { asset: undefined, amount: 2n },
        ],
      },
    ]);
  });

  it("is none if the pool neither mints nor gives back", () => {
    for (const sends of [[], [excess], [usdBack(alice)]])
      expect(depositsOf(sentBy(brings.usd([joined(sends)])))[0]).toBe("jetton_transfer");
  });

  it("is none if a body cannot be read, or if nothing was brought", () => {
    const unread = { ...joined([deposited]), body: bodyWith(0x25251ee0).endCell() };
    expect(depositsOf(sentBy(brings.usd([unread])))[0]).toBe("jetton_transfer");
    const [first] = depositsOf(sentBy(credited(true, 20n, [joined([deposited])])));
    expect(first).toBe("call_contract");
  });
});

describe("A part of a deposit at DeDust, version 2,", () => {
  it("is the side that was brought", () => {
    expect(depositsOf(sentBy(brings.usd([excess])))).toEqual([partOfUsd]);
    expect(depositsOf(sentBy(brings.ton([excess])))).toEqual([partOfTon]);
  });

  it("needs the excess and a body that can be read", () => {
    expect(depositsOf(sentBy(brings.usd([])))[0]).toBe("jetton_transfer");
    const unread = payJetton(50n, nothing, [call(collector, 0xdc5ddba1, [excess])]);
    expect(depositsOf(sentBy(unread))[0]).toBe("jetton_transfer");
  });

  it("completes the deposit of its contract", () => {
    const root = sentBy(brings.usd([excess]), brings.ton([joined([deposited])]));
    expect(depositsOf(root)).toEqual([ofUsd]);
    const [action] = actionsOf(root, known);
    expect(action?.tx_hashes).toHaveLength(9);
    expect(depositsOf(sentBy(brings.ton([excess]), brings.usd([joined([deposited])])))).toEqual([ofUsd]);
  });

  it("completes a deposit that was rejected", () => {
    const root = sentBy(brings.usd([excess]), brings.ton([joined([payout(alice, 2n), excess])]));
    expect(depositsOf(root)).toMatchObject([{ success: false, asset2: usd, amount2: 50n }]);
  });

  it("stays apart from a deposit of its own side", () => {
    const root = sentBy(brings.usd([excess]), brings.usd([joined([deposited])]));
    expect(depositsOf(root)).toEqual([partOfUsd, ofUsd]);
  });

  it("stays apart if its contract has more than two blocks", () => {
    const root = sentBy(brings.usd([excess]), brings.usd([excess]), brings.ton([joined([deposited])]));
    expect(depositsOf(root)).toEqual([partOfUsd, partOfUsd, ofTon]);
  });

  it("stays apart from other parts", () => {
    expect(depositsOf(sentBy(brings.usd([excess]), brings.ton([excess])))).toEqual([partOfUsd, partOfTon]);
  });
});
