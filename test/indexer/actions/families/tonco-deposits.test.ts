import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, proxyTonPayout, walletOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, none } from "../../../helpers/made-cells.js";
import { call, jettonsFor, notified } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";
import {
  alice,
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

const [positions, item] = accounts("account of positions, position");
const withItem = {
  ...known,
  [item]: {
    nftItem: {
      index: 7n,
      collection: pool,
      owner: alice,
      contentUri: undefined,
      codeHash: undefined,
    },
  },
};

/** The payload that requests a position in this asset and in that of another router wallet. */
const ask = (otherWallet: string) => cellWith([0x4468de77, 32], otherWallet, 20n, 50n, [9, 128], ticks);

/** The pool reports its first or second received asset to the account. */
function funded(amounts: readonly [bigint, bigint], sends: readonly MadeMessage[] = []): MadeMessage {
  const body = bodyOf(0x3ebe5431, amounts[0], amounts[1], 18n, 48n, [9, 128], ticks);
  return call(pool, 0x4468de77, [{ to: positions, body, sends }]);
}

const fees = cellWith([0, 256], [0, 256], [7, 64], 18n, 48n, [0, 24]);
const minted: MadeMessage = {
  to: item,
  body: bodyOf(0xd5ecca2a, alice, [9, 128], ticks, fees),
  status: ["uninit", "active"],
};
const excess = call(alice, 0xd53276db);
const made = (...before: MadeMessage[]) => [call(pool, 0x81702ef8, [...before, minted, excess])];

function ton(sends: readonly MadeMessage[], payload = ask(usdWallet)): MadeMessage {
  const notification = notified({ from: alice, to: router, amount: 20n, payload }, sends);
  return { to: tonWallet, body: bodyOf(0x01f3835d), sends: [notification] };
}
const jettons = (sends: readonly MadeMessage[], payload = ask(tonWallet)) =>
  jettonsFor({ from: alice, to: router, master: usd, amount: 50n, payload }, sends);

const depositsOf = (message: MadeMessage, contracts = withItem as Parameters<typeof actionsOf>[1]) =>
  liquidityOf(actionsOf({ to: alice, sends: [message] }, contracts));

const both = {
  success: true,
  source: alice,
  destination: pool,
  destination_secondary: positions,
  dex: "tonco",
  target_amount_1: 18n,
  target_asset_2: usd,
  target_amount_2: 48n,
  tick_lower: -60n,
  tick_upper: 120n,
  vault_excesses: [],
};
const ofTon = { ...both, amount1: 20n };
const ofUsd = {
  ...both,
  source_secondary: walletOf(alice, usd),
  asset1: usd,
  amount1: 50n,
  user_jetton_wallet_2: walletOf(alice, usd),
};
const position = { lp_tokens_minted: 9n, nft_index: 7n, nft_address: item };

describe("A deposit at TONCO", () => {
  it("waits for the other asset", () => {
    expect(depositsOf(ton([funded([20n, 0n])]))).toEqual([ofTon]);
    expect(depositsOf(jettons([funded([0n, 50n])]))).toEqual([ofUsd]);
  });

  it("has the brought asset first, and targets in the order of the pool", () => {
    expect(depositsOf(jettons([funded([50n, 0n])]))).toEqual([
      {
        ...ofUsd,
        user_jetton_wallet_1: walletOf(alice, usd),
        user_jetton_wallet_2: undefined,
        target_asset_1: usd,
        target_asset_2: undefined,
      },
    ]);
  });

  it("makes a position", () => {
    expect(depositsOf(jettons([funded([0n, 50n], made())]))).toEqual([
      { ...ofUsd, ...position },
      "contract_deploy",
    ]);
  });

  it("returns the excess", () => {
    const refunds = payTo({ first: [tonWallet, 2n], second: [usdWallet, 3n] }, [
      proxyTonPayout({ from: router, to: alice, master: proxy, amount: 2n }, [
        { to: alice, body: bodyOf(0x01f3835d, 2n, none, false) },
      ]),
      jettonTransfer({ from: router, to: alice, master: usd, amount: 3n }),
    ]);
    expect(depositsOf(jettons([funded([0n, 50n], made(refunds))]))).toEqual([
      {
        ...ofUsd,
        ...position,
        vault_excesses: [
          { asset: undefined, amount: 2n },
          { asset: usd, amount: 3n },
        ],
      },
      "contract_deploy",
    ]);
  });

  it("is without a position if the item is unknown", () => {
    expect(depositsOf(jettons([funded([0n, 50n], made())]), known)[0]).toEqual(ofUsd);
  });

  it("takes unknown assets for TON", () => {
    const unknown = account("unknown wallet");
    expect(depositsOf(jettons([funded([0n, 50n])], ask(unknown)))).toEqual([ofUsd]);
    const { [tonWallet]: _, ...others } = known;
    expect(depositsOf(ton([funded([20n, 0n])], ask(unknown)), others)).toEqual([
      { ...ofTon, target_asset_2: undefined },
    ]);
  });

  it("is none without its payload, or if a body cannot be read", () => {
    const other = cellWith([1, 32]);
    expect(depositsOf(jettons([funded([0n, 50n])], other))[0]).toBe("jetton_transfer");
    expect(depositsOf(ton([funded([20n, 0n])], other))[0]).toBe("call_contract");
    const unread = call(pool, 0x4468de77, [call(positions, 0x3ebe5431)]);
    expect(depositsOf(jettons([unread]))[0]).toBe("jetton_transfer");
    expect(depositsOf(funded([20n, 0n]))[0]).toBe("call_contract");
  });
});
