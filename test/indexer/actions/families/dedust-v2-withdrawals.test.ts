import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith } from "../../../helpers/made-cells.js";
import { alice, call, event, excess, payout, pool, usd } from "./dedust-v2-messages.js";

const position = account("position");
const known = walletsOf([alice, pool], [usd]);
const usdPaid = (amount: bigint) => jettonTransfer({ from: pool, to: alice, master: usd, amount });

/** Columns of withdrawal and claim rows, and the types of other rows. */
function payoutsOf(root: MadeMessage): unknown[] {
  return actionsOf(root, known).map((action) => {
    if (!("dex_withdraw_liquidity_data" in action)) return action.type;
    const { type, success, source, destination, destination_secondary } = action;
    const { dex_withdraw_liquidity_data: data } = action;
    return { type, success, source, destination, destination_secondary, ...data };
  });
}

const noSide = (index: 1 | 2) => ({
  [`amount${index}`]: undefined,
  [`asset${index}_out`]: undefined,
  [`user_jetton_wallet_${index}`]: undefined,
  [`dex_wallet_${index}`]: undefined,
  [`dex_jetton_wallet_${index}`]: undefined,
});
const usdSide = (index: 1 | 2, amount: bigint) => ({
  ...tonSide(index, amount),
  [`asset${index}_out`]: usd,
  [`user_jetton_wallet_${index}`]: walletOf(alice, usd),
  [`dex_jetton_wallet_${index}`]: walletOf(pool, usd),
});
const tonSide = (index: 1 | 2, amount: bigint) => ({
  ...noSide(index),
  [`amount${index}`]: amount,
  [`dex_wallet_${index}`]: pool,
});
const common = { success: true, source: alice, destination: pool, dex: "dedust_v2", is_refund: false };

describe("A withdrawal of liquidity at DeDust, version 2,", () => {
  function withdrawal(claimsFees: boolean, sends: readonly MadeMessage[]): MadeMessage {
    const body = bodyOf(0x20b5ef89, 8n, 1n, 1n, claimsFees, beginCell().endCell());
    const joined = call(position, 0xbc1531a9, [call(pool, 0xf6f6a3aa, sends)]);
    return { to: alice, sends: [{ to: pool, body, sends: [joined] }] };
  }
  const withdrawn = event(0xc0d77b54, fieldsWith(9n, 20n, 50n, alice, alice, beginCell().endCell()));
  const done = {
    ...common,
    type: "dex_withdraw_liquidity",
    destination_secondary: undefined,
    lp_tokens_burnt: 9n,
  };

  it("has the pool's payments, in the order of the messages", () => {
    expect(payoutsOf(withdrawal(false, [withdrawn, usdPaid(50n), payout(alice, 20n)]))).toEqual([
      { ...done, ...usdSide(1, 50n), ...tonSide(2, 20n) },
    ]);
    expect(payoutsOf(withdrawal(false, [withdrawn, payout(alice, 20n), usdPaid(50n), excess]))).toEqual([
      { ...done, ...tonSide(1, 20n), ...usdSide(2, 50n) },
      "call_contract",
    ]);
  });

  it("can be of one side, or of none", () => {
    expect(payoutsOf(withdrawal(false, [withdrawn, payout(alice, 20n)]))).toEqual([
      { ...done, ...tonSide(1, 20n), ...noSide(2) },
    ]);
    expect(payoutsOf(withdrawal(false, [withdrawn]))).toEqual([{ ...done, ...noSide(1), ...noSide(2) }]);
  });

  it("fails without the pool's event", () => {
    expect(payoutsOf(withdrawal(false, []))).toEqual([
      { ...done, success: false, is_refund: true, lp_tokens_burnt: 8n, ...noSide(1), ...noSide(2) },
    ]);
  });

  it("is none if it claims fees, or if the request cannot be read", () => {
    const calls = ["call_contract", "call_contract", "call_contract"];
    expect(payoutsOf(withdrawal(true, [withdrawn]))).toEqual(calls);
    const unread = call(pool, 0x20b5ef89, [call(position, 0xbc1531a9, [call(pool, 0xf6f6a3aa)])]);
    expect(payoutsOf({ to: alice, sends: [unread] })).toEqual(calls);
  });
});

describe("A claim at DeDust, version 2,", () => {
  const claim = (first: number, second: number, last: MadeMessage): MadeMessage => ({
    to: alice,
    sends: [call(pool, first, [call(position, second, [last])])],
  });
  const children = (...legs: string[]) => ["call_contract", "call_contract", "call_contract", ...legs];

  describe("of fees", () => {
    const paid = (...sends: MadeMessage[]): MadeMessage => {
      const body = bodyOf(0x29ff1bcf, 20n, 50n, alice, alice);
      return claim(0x5652f1df, 0x25f19752, { to: pool, body, sends });
    };
    const done = {
      ...common,
      type: "dedust_v2_claim_fees",
      destination_secondary: position,
      lp_tokens_burnt: undefined,
      amount1: 20n,
      amount2: 50n,
    };

    it("assigns the sides by their amounts, in any order", () => {
      const rows = payoutsOf(paid(usdPaid(50n), payout(alice, 20n), excess));
      expect(rows).toContainEqual({ ...done, ...tonSide(1, 20n), ...usdSide(2, 50n) });
      expect(rows.filter((row) => typeof row === "string").sort()).toEqual([
        ...children("call_contract", "call_contract"),
        "jetton_transfer",
      ]);
    });

    it("ignores payments of other amounts", () => {
      expect(payoutsOf(paid(usdPaid(49n), payout(alice, 20n), excess))).toContainEqual({
        ...done,
        ...tonSide(1, 20n),
        ...noSide(2),
        amount2: 50n,
      });
      expect(payoutsOf(paid(excess))).toContainEqual({ ...noSide(1), ...noSide(2), ...done });
    });

    it("needs no excess", () => {
      expect(payoutsOf(paid(payout(alice, 20n)))).toContainEqual({
        ...done,
        ...tonSide(1, 20n),
        ...noSide(2),
        amount2: 50n,
      });
    });

    it("is none if the amounts cannot be read", () => {
      const unread = claim(0x5652f1df, 0x25f19752, call(pool, 0x29ff1bcf, [excess]));
      expect(payoutsOf(unread)).toEqual(children("call_contract"));
    });
  });

  describe("of a reward", () => {
    const asked = bodyOf(0x909fdb65, [1, 2], alice);
    const rewardOf = (last: MadeMessage): MadeMessage => ({
      to: alice,
      sends: [{ to: pool, body: asked, sends: [call(position, 0x2e0cccba, [last])] }],
    });
    const paid = (...sends: MadeMessage[]): MadeMessage => {
      const body = bodyOf(0x9e17fbbe, 50n, [1, 2], alice, alice);
      return rewardOf({ to: pool, body, sends });
    };
    const done = {
      ...common,
      type: "dedust_v2_claim_reward",
      destination_secondary: position,
      lp_tokens_burnt: undefined,
      ...noSide(2),
    };

    it("has one side", () => {
      expect(payoutsOf(paid(usdPaid(50n), excess))).toContainEqual({ ...done, ...usdSide(1, 50n) });
    });

    it("has the asset of the payment, for any amount, and needs no excess", () => {
      expect(payoutsOf(paid(usdPaid(49n)))).toContainEqual({ ...done, ...usdSide(1, 50n) });
    });

    it("can be of nothing", () => {
      expect(payoutsOf(paid())).toContainEqual({ ...done, ...noSide(1), amount1: 50n });
    });

    it("is none if the claim or the amount cannot be read", () => {
      for (const unread of [
        rewardOf(call(pool, 0x9e17fbbe)),
        { to: alice, sends: [call(pool, 0x909fdb65, paid().sends![0]!.sends)] },
      ])
        expect(payoutsOf(unread)).toEqual(children());
    });
  });
});
