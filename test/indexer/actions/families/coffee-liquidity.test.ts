import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, none } from "../../../helpers/made-cells.js";
import {
  alice,
  eur,
  liquidityEvent,
  nothing,
  pool,
  poolParams,
  usd,
  vault,
  vault2,
} from "./coffee-messages.js";
import { burnt, call, minted } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";

const [factory, depository] = accounts("factory, depository");
const known = walletsOf([alice, vault, vault2], [usd, eur, pool]);

const terms = cellWith(none, false, none, [9, 32], [0, 2], false, false);

/** A vault reports the received asset to the factory; the depository continues to the pool if it has both. */
function credited(
  assets: readonly [string | undefined, string | undefined],
  amount: bigint,
  sends: readonly MadeMessage[] = [],
): MadeMessage {
  const body = bodyOf(0xc0ffee27, amount, terms, poolParams(...assets).endCell(), alice, nothing);
  return { to: factory, body, sends: [call(depository, 0xc0ffee22, sends)] };
}

const deposited = liquidityEvent(0xc0ffee33, 20n, 50n, 9n);
const goesOn = (...sends: MadeMessage[]) => [call(pool, 0xc0ffee29, sends)];
const lp = minted(walletOf(alice, pool), 9n, [call(alice, 0xd53276db)]);

const ton = (...sends: MadeMessage[]) => call(vault, 0xc0ffee04, sends);
const jettons = (...leadsTo: MadeMessage[]) =>
  jettonTransfer({ from: alice, to: vault, master: usd, amount: 50n, leadsTo });

const rowsOf = (message: MadeMessage, contracts = known) =>
  liquidityOf(actionsOf({ to: alice, sends: [message] }, contracts));

const deposit = {
  success: true,
  source: alice,
  destination_secondary: depository,
  dex: "coffee",
  vault_excesses: [],
};
const ofTon = { ...deposit, amount1: 20n, target_asset_2: usd };
const ofUsd = {
  ...deposit,
  asset2: usd,
  amount2: 50n,
  user_jetton_wallet_2: walletOf(alice, usd),
  target_asset_1: usd,
};
const complete = { destination: pool, lp_tokens_minted: 9n };

describe("A deposit at swap.coffee", () => {
  it("waits for the other asset", () => {
    expect(rowsOf(ton(credited([undefined, usd], 20n)))).toEqual([ofTon]);
    expect(rowsOf(jettons(credited([undefined, usd], 50n)))).toEqual([ofUsd]);
  });

  it("has the first asset of the pool as its first one", () => {
    expect(rowsOf(jettons(credited([usd, eur], 50n)))).toEqual([
      {
        ...deposit,
        asset1: usd,
        amount1: 50n,
        user_jetton_wallet_1: walletOf(alice, usd),
        target_asset_1: usd,
        target_asset_2: eur,
      },
    ]);
  });

  it("does not take an extra currency for TON", () => {
    const extra = fieldsWith([2, 2], [100, 32]);
    const pair = extra.storeUint(0, 2).storeUint(0, 3).storeMaybeRef(undefined);
    const body = bodyOf(0xc0ffee27, 20n, terms, pair.endCell(), alice, nothing);
    const [row] = rowsOf(ton({ ...credited([undefined, usd], 20n), body }));
    expect(row).toEqual({ ...deposit, amount2: 20n });
  });

  it("is complete when the pool has both", () => {
    expect(rowsOf(jettons(credited([undefined, usd], 50n, goesOn(lp, deposited))))).toEqual([
      { ...ofUsd, ...complete },
    ]);
  });

  it.each([
    [
      "jettons",
      jettonTransfer({ from: vault2, to: alice, master: eur, amount: 3n }),
      { asset: eur, amount: 3n },
    ],
    ["TON", { ...call(alice, 0xc0ffee32), value: 4n }, { asset: undefined, amount: 4n }],
    ["TON with a message", { ...call(alice, 0xc0ffee36), value: 5n }, { asset: undefined, amount: 5n }],
  ])("includes returned %s", (_, paid, excess) => {
    const goes = goesOn(lp, deposited, call(vault2, 0xc0ffee21, [paid]));
    expect(rowsOf(ton(credited([undefined, usd], 20n, goes)))).toEqual([
      { ...ofTon, ...complete, vault_excesses: [excess] },
    ]);
  });

  it("is incomplete without the pool's event for both assets", () => {
    expect(rowsOf(ton(credited([undefined, usd], 20n, goesOn(lp))))[0]).toEqual(ofTon);
  });

  it("is none if the pool does not have the asset, or if a body cannot be read", () => {
    expect(rowsOf(jettons(credited([undefined, eur], 50n)))[0]).toBe("jetton_transfer");
    const unread = { ...credited([undefined, usd], 20n), body: bodyOf(0xc0ffee27) };
    expect(rowsOf(ton(unread))[0]).toBe("call_contract");
  });

  it("is none if the wallet that got jettons is unknown", () => {
    expect(rowsOf(jettons(credited([undefined, usd], 50n)), {})[0]).toBe("call_contract");
  });
});

const withdrawn = liquidityEvent(0xc0ffee35, 20n, 50n, 9n);
const paysUsd = call(vault, 0xc0ffee21, [
  jettonTransfer({ from: vault, to: alice, master: usd, amount: 49n }),
]);
const paysTon = (opcode: number) => call(vault2, 0xc0ffee21, [call(alice, opcode)]);
const burns = (...sends: MadeMessage[]) => burnt(walletOf(alice, pool), 9n, [call(pool, 0x7bdd97de, sends)]);

const withdrawal = {
  success: true,
  source: alice,
  source_secondary: walletOf(alice, pool),
  destination: pool,
  asset: pool,
  dex: "coffee",
  is_refund: false,
  lp_tokens_burnt: 9n,
  amount1: 20n,
  user_jetton_wallet_1: alice,
  dex_wallet_1: pool,
  amount2: 50n,
  asset2_out: usd,
  user_jetton_wallet_2: walletOf(alice, usd),
  dex_wallet_2: pool,
  dex_jetton_wallet_2: walletOf(vault, usd),
};

describe("A withdrawal of liquidity from swap.coffee", () => {
  it("pays both assets", () => {
    expect(rowsOf(burns(paysTon(0xc0ffee32), paysUsd, withdrawn))).toEqual([withdrawal]);
  });

  it("omits a TON receiver with an attached message", () => {
    expect(rowsOf(burns(paysTon(0xc0ffee36), paysUsd, withdrawn))).toEqual([
      { ...withdrawal, user_jetton_wallet_1: undefined },
    ]);
  });

  it("is a burn without both payments and the log of the pool", () => {
    for (const sends of [
      [paysUsd, withdrawn],
      [paysTon(0xc0ffee32), paysUsd],
      [paysTon(0xc0ffee32), call(vault, 0xc0ffee21), withdrawn],
    ])
      expect(rowsOf(burns(...sends))[0]).toBe("jetton_burn");
  });

  it("is none if the wallet is unknown, and a burn if the log cannot be read", () => {
    expect(rowsOf(burns(paysTon(0xc0ffee32), paysUsd, withdrawn), {})[0]).toBe("call_contract");
    const unread: MadeMessage = { to: undefined, body: bodyOf(0xc0ffee35) };
    expect(rowsOf(burns(paysTon(0xc0ffee32), paysUsd, unread))[0]).toBe("jetton_burn");
  });
});
