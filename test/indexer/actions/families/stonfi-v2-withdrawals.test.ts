import { describe, expect, it } from "vitest";
import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import {
  actionsOf,
  jettonTransfer,
  proxyTonPayout,
  walletOf,
  walletsOf,
} from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, none } from "../../../helpers/made-cells.js";
import { burnt, call } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";

const [alice, router, pool, lpAccount, usd, eur] = accounts(
  "alice, router, pool, account of liquidity, usd, eur",
);
const [proxy] = [...proxyTonMasters] as [string];
const known = walletsOf([alice, router], [usd, eur, proxy, pool]);

const pays = (...sends: MadeMessage[]) => call(router, 0x657b54f5, sends);
const jettons = (master: string, amount: bigint) =>
  jettonTransfer({ from: router, to: alice, master, amount });
const usdPaid = pays(jettons(usd, 50n));
const eurPaid = pays(jettons(eur, 40n));
const tonPaid = pays(
  proxyTonPayout({ from: router, to: alice, master: proxy, amount: 21n }, [
    { to: alice, body: bodyOf(0x01f3835d, 20n, none, false) },
  ]),
);

const burns = (...sends: MadeMessage[]) => burnt(walletOf(alice, pool), 9n, [call(pool, 0x297437cf, sends)]);
const refunds = (...sends: MadeMessage[]) => call(lpAccount, 0x132b9a2c, [call(pool, 0x0f98e2b8, sends)]);

const rowsOf = (message: MadeMessage, contracts = known) =>
  liquidityOf(actionsOf({ to: alice, sends: [message] }, contracts));

const paid = {
  success: true,
  source: alice,
  destination: pool,
  dex: "stonfi_v2",
  amount1: 50n,
  asset1_out: usd,
  user_jetton_wallet_1: walletOf(alice, usd),
  dex_wallet_1: router,
  dex_jetton_wallet_1: walletOf(router, usd),
};
const ofEur = {
  amount2: 40n,
  asset2_out: eur,
  user_jetton_wallet_2: walletOf(alice, eur),
  dex_wallet_2: router,
  dex_jetton_wallet_2: walletOf(router, eur),
};
const burn = {
  source_secondary: walletOf(alice, pool),
  asset: pool,
  lp_tokens_burnt: 9n,
  is_refund: false,
};

describe("A withdrawal of liquidity from STON.fi, version 2", () => {
  it("pays both assets for burnt tokens", () => {
    expect(rowsOf(burns(usdPaid, eurPaid))).toEqual([{ ...paid, ...ofEur, ...burn }]);
  });

  it("may pay one asset", () => {
    expect(rowsOf(burns(usdPaid))).toEqual([{ ...paid, ...burn }]);
    expect(rowsOf(burns(usdPaid, pays()))).toEqual([{ ...paid, ...burn }, "call_contract"]);
  });

  it("pays TON over the proxy", () => {
    const ofTon = { amount2: 20n, dex_wallet_2: router };
    expect(rowsOf(burns(usdPaid, tonPaid))).toEqual([{ ...paid, ...ofTon, ...burn }]);
  });

  it("gives back a deposit, for which nothing is burnt", () => {
    expect(rowsOf(refunds(usdPaid, eurPaid))).toEqual([{ ...paid, ...ofEur, is_refund: true }]);
  });

  it("succeeds regardless of the request's outcome", () => {
    expect(rowsOf({ ...refunds(usdPaid), isAborted: true })).toEqual([{ ...paid, is_refund: true }]);
  });

  it("is none if nothing was paid, or without its cause", () => {
    expect(rowsOf(burns(pays()))[0]).toBe("jetton_burn");
    expect(rowsOf(call(pool, 0x0f98e2b8, [usdPaid]))[0]).toBe("call_contract");
    expect(rowsOf(call(pool, 0x297437cf, [usdPaid]))[0]).toBe("call_contract");
  });

  it("is none if the burnt wallet is unknown", () => {
    const { [walletOf(alice, pool)]: _, ...others } = known;
    expect(rowsOf(burns(usdPaid, eurPaid), others)[0]).toBe("call_contract");
  });
});
