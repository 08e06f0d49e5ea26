import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, proxyTonPayout, walletOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, none } from "../../../helpers/made-cells.js";
import { call } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";
import {
  alice,
  eur,
  eurWallet,
  known,
  payTo,
  pool,
  proxy,
  router,
  ticks,
  tonWallet,
  usd,
  usdWallet,
} from "./tonco-messages.js";

const [item, owner] = accounts("position, owner");
/** The one wallet of proxy TON that counts as none. */
const mainTonWallet = "0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17";
const fees = cellWith([0, 256], [0, 256]);

function burnt(index: bigint, payment: MadeMessage): MadeMessage {
  const body = bodyOf(0xd73ac09d, alice, [index, 64], [9, 128], ticks, [9, 128], fees, fees);
  return { to: pool, body, sends: [payment] };
}

/** The position's message to the pool, for any origin of the request. */
function burnsPosition(...sends: MadeMessage[]): MadeMessage {
  const body = bodyOf(0x46ca335a, owner, [9, 128], ticks, fees);
  return { to: item, body, sends };
}

function burns(payment: MadeMessage, index = 7n): MadeMessage {
  const body = bodyOf(0x530b5f2c, [5, 64], [9, 128], ticks);
  return { to: alice, sends: [{ to: pool, body, sends: [burnsPosition(burnt(index, payment))] }] };
}

const withdrawalsOf = (root: MadeMessage) => liquidityOf(actionsOf(root, known));

const usdPaid = jettonTransfer({ from: router, to: alice, master: usd, amount: 50n });
const eurPaid = jettonTransfer({ from: router, to: alice, master: eur, amount: 40n });
const tonBehind: MadeMessage = { to: alice, body: bodyOf(0x01f3835d, 20n, none, false) };
const tonPaid = proxyTonPayout({ from: router, to: alice, master: proxy, amount: 20n }, [tonBehind]);

const common = {
  success: true,
  source: owner,
  destination: pool,
  dex: "tonco",
  lp_tokens_burnt: 9n,
  burned_nft_index: 7n,
  burned_nft_address: item,
  tick_lower: -60n,
  tick_upper: 120n,
};
const usdFirst = {
  amount1: 50n,
  asset1_out: usd,
  user_jetton_wallet_1: walletOf(alice, usd),
  dex_wallet_1: router,
  dex_jetton_wallet_1: usdWallet,
};
const eurSecond = {
  amount2: 40n,
  asset2_out: eur,
  user_jetton_wallet_2: walletOf(alice, eur),
  dex_wallet_2: router,
  dex_jetton_wallet_2: eurWallet,
};
const row = { ...common, ...usdFirst, ...eurSecond };

describe("A withdrawal of liquidity from TONCO", () => {
  it("pays TON over the proxy", () => {
    const amounts = { first: [mainTonWallet, 20n], second: [usdWallet, 50n] } as const;
    expect(withdrawalsOf(burns(payTo(amounts, [tonPaid, usdPaid])))).toEqual([
      {
        ...common,
        amount1: 20n,
        dex_wallet_1: router,
        amount2: 50n,
        asset2_out: usd,
        user_jetton_wallet_2: walletOf(alice, usd),
        dex_wallet_2: router,
        dex_jetton_wallet_2: usdWallet,
      },
    ]);
  });

  it("has the router's instructions where no jettons arrived", () => {
    const amounts = { first: [usdWallet, 50n], second: [tonWallet, 0n] } as const;
    expect(withdrawalsOf(burns(payTo(amounts, [usdPaid])))).toEqual([
      {
        ...common,
        ...usdFirst,
        amount2: 0n,
        asset2_out: undefined,
        user_jetton_wallet_2: alice,
        dex_wallet_2: pool,
        dex_jetton_wallet_2: tonWallet,
      },
    ]);
  });

  it("has the index of the request if the position's message lacks it", () => {
    const amounts = { first: [usdWallet, 50n], second: [eurWallet, 40n] } as const;
    expect(withdrawalsOf(burns(payTo(amounts, [usdPaid, eurPaid]), 0n))).toEqual([
      { ...row, burned_nft_index: 5n },
    ]);
  });

  it("has the index of the request if the position's message is unreadable", () => {
    const payment = payTo({ first: [usdWallet, 50n], second: [eurWallet, 40n] }, [usdPaid, eurPaid]);
    const body = bodyOf(0x530b5f2c, [5, 64], [9, 128], ticks);
    const position = burnsPosition(call(pool, 0xd73ac09d, [payment]));
    expect(withdrawalsOf({ to: alice, sends: [{ to: pool, body, sends: [position] }] })).toEqual([
      { ...row, burned_nft_index: 5n },
    ]);
  });

  it.each([
    [0, true],
    [201, true],
    [202, false],
  ])("with code %i has success %s", (exitCode, success) => {
    const amounts = { exitCode, first: [usdWallet, 50n], second: [eurWallet, 40n] } as const;
    expect(withdrawalsOf(burns(payTo(amounts, [usdPaid, eurPaid])))).toEqual([{ ...row, success }]);
  });

  it("is none without the payment order, or if a body is unreadable", () => {
    expect(withdrawalsOf(burns(call(router, 1)))[0]).toBe("call_contract");
    expect(withdrawalsOf(burns(call(router, 0xa1daa96d)))[0]).toBe("call_contract");
    const body = bodyOf(0xa1daa96d, alice, alice, [201, 32], [0, 64], false);
    expect(withdrawalsOf(burns({ to: router, body, sends: [usdPaid] }))[0]).toBe("call_contract");
  });
});
