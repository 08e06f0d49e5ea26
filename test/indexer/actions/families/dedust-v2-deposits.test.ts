import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith } from "../../../helpers/made-cells.js";
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

const [bob, collector] = accounts("bob, deposit contract");
const known = walletsOf([alice, bob, pool], [usd]);
const nothing = beginCell().endCell();

/** The pool reports the received asset to the deposit contract. */
function creditOf(isX: boolean, amount: bigint, sends: readonly MadeMessage[]): MadeMessage {
  return { to: collector, body: bodyOf(0xdc5ddba1, isX, amount), sends };
}

/** The deposit contract reports both received sides to the pool. */
function joined(sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(0x25251ee0, nothing, 20n, 53n, alice);
  return { to: pool, body, sends };
}

/** The pool's event with the used amounts. */
const deposited = event(0x35df2e12, fieldsWith(20n, 50n, 9n, alice, alice, nothing));

/** The pool credits the position with its liquidity. */
const credited = call(account("position"), 0x855afcbd, [excess]);

/** TON is the first side of the pool, USD the second. */
const brings = {
  ton: (sends: readonly MadeMessage[], request = depositRequest(20n, 50n)) =>
    payNative(pool, 21n, request, [creditOf(true, 20n, sends)]),
  usd: (sends: readonly MadeMessage[], request: Cell = depositRequest(20n, 50n)) =>
    payJetton(53n, request, [creditOf(false, 53n, sends)]),
};
const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });
const usdBack = (to: string) => jettonTransfer({ from: pool, to, master: usd, amount: 3n });

/** Columns of deposit rows, and the types of other rows. */
function depositsOf(root: MadeMessage): unknown[] {
  return actionsOf(root, known).map((action) => {
    if (action.type !== "dex_deposit_liquidity") return action.type;
    const { success, source, destination, destination_secondary } = action;
    return { success, source, destination, destination_secondary, ...action["dex_deposit_liquidity_data"] };
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
/** The amounts received by a refusing pool. */
const refusedUsd = { ...ofUsd, success: false, amount2: 53n, lp_tokens_minted: undefined };
/** The pool knows both amounts; the TON carrier has no data of the jettons. */
const ofTon = { ...ofUsd, asset2: undefined, user_jetton_wallet_2: undefined, target_asset_2: undefined };
const partOfUsd = {
  ...both,
  asset1: undefined,
  amount1: undefined,
  asset2: usd,
  amount2: 53n,
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
  it("has the pool's minted amount, with the data of the last carrier", () => {
    expect(depositsOf(sentBy(brings.usd([joined([deposited])])))).toEqual([ofUsd]);
    expect(depositsOf(sentBy(brings.ton([joined([deposited])])))).toEqual([ofTon]);
  });

  it("has no targets if the request is unreadable", () => {
    const [deposit] = depositsOf(sentBy(brings.usd([joined([deposited])], nothing)));
    expect(deposit).toEqual({ ...ofUsd, target_amount_1: undefined, target_amount_2: undefined });
  });

  it("has the returned amounts, jettons first", () => {
    const sends = [deposited, credited, payout(alice, 2n), usdBack(alice), excess];
    expect(depositsOf(sentBy(brings.usd([joined(sends)])))).toEqual([
      {
        ...ofUsd,
        vault_excesses: [
          { asset: usd, amount: 3n },
          { asset: undefined, amount: 2n },
        ],
      },
      // The excess of the pool.
      "call_contract",
    ]);
  });

  it("has the jetton amount used by the pool, less than received and less than the target", () => {
    const [deposit] = depositsOf(sentBy(brings.usd([joined([deposited, usdBack(alice)])])));
    expect(deposit).toMatchObject({ amount2: 50n, vault_excesses: [{ asset: usd, amount: 3n }] });
  });

  it("includes the excess of the position that gets the liquidity", () => {
    const root = sentBy(brings.usd([joined([deposited, credited])]));
    expect(depositsOf(root)).toEqual([ofUsd]);
    expect(actionsOf(root, known)[0]?.tx_hashes).toHaveLength(8);
  });

  it.each([
    ["jettons", usdBack(bob)],
    ["TON", payout(bob, 2n)],
  ])("stays a part if %s are returned to another account", (_, refund) => {
    for (const sends of [
      [deposited, refund],
      [refund, excess],
    ])
      expect(depositsOf(sentBy(brings.usd([joined(sends)])))[0]).toEqual(partOfUsd);
  });

  it("fails if the pool returns the input", () => {
    const sends = [usdBack(alice), payout(alice, 2n), excess];
    expect(depositsOf(sentBy(brings.usd([joined(sends)])))).toEqual([
      {
        ...refusedUsd,
        vault_excesses: [
          { asset: usd, amount: 3n },
          { asset: undefined, amount: 2n },
        ],
      },
    ]);
  });

  it("fails without an excess as well", () => {
    expect(depositsOf(sentBy(brings.usd([joined([usdBack(alice)])])))).toEqual([
      { ...refusedUsd, vault_excesses: [{ asset: usd, amount: 3n }] },
    ]);
  });

  it("stays a part if the pool neither mints nor gives back", () => {
    for (const sends of [[], [excess]])
      expect(depositsOf(sentBy(brings.usd([joined(sends)])))[0]).toEqual(partOfUsd);
  });

  it("stays a part if a body cannot be read, and is none if nothing was brought", () => {
    for (const unread of [
      { ...joined([deposited]), body: bodyOf(0x25251ee0) },
      joined([event(0x35df2e12, fieldsWith(20n))]),
    ])
      expect(depositsOf(sentBy(brings.usd([unread])))[0]).toEqual(partOfUsd);
    const [first] = depositsOf(sentBy(creditOf(true, 20n, [joined([deposited])])));
    expect(first).toBe("call_contract");
  });
});

describe("A part of a deposit at DeDust, version 2,", () => {
  it("is the side that was brought", () => {
    expect(depositsOf(sentBy(brings.usd([excess])))).toEqual([partOfUsd]);
    expect(depositsOf(sentBy(brings.ton([excess])))).toEqual([partOfTon]);
  });

  it("includes all excesses, and needs none", () => {
    expect(depositsOf(sentBy(brings.usd([excess, excess])))).toEqual([partOfUsd]);
    expect(depositsOf(sentBy(brings.usd([])))).toEqual([partOfUsd]);
  });

  it("needs a body that can be read", () => {
    const unread = payJetton(50n, nothing, [call(collector, 0xdc5ddba1, [excess])]);
    expect(depositsOf(sentBy(unread))[0]).toBe("jetton_transfer");
  });

  it("needs no body of the TON that were brought", () => {
    const unread = call(pool, 0xa5a7cbf8, [creditOf(true, 20n, [])]);
    expect(depositsOf(sentBy(unread))).toEqual([partOfTon]);
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
    expect(depositsOf(root)).toMatchObject([{ success: false, asset2: usd, amount2: 53n }]);
  });

  it("adds only its messages to a deposit of the same side", () => {
    const root = sentBy(brings.usd([excess]), brings.usd([joined([deposited])]));
    expect(depositsOf(root)).toEqual([ofUsd]);
    expect(actionsOf(root, known)[0]?.tx_hashes).toHaveLength(11);
  });

  it("stays apart if its contract has more than two blocks", () => {
    const root = sentBy(brings.usd([excess]), brings.usd([excess]), brings.ton([joined([deposited])]));
    expect(depositsOf(root)).toEqual([partOfUsd, partOfUsd, ofTon]);
  });

  it("stays apart from other parts", () => {
    expect(depositsOf(sentBy(brings.usd([excess]), brings.ton([excess])))).toEqual([partOfUsd, partOfTon]);
  });
});
