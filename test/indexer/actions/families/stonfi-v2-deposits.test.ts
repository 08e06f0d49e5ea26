import { describe, expect, it } from "vitest";
import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import { actionsOf, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { call, jettonsFor, minted, notified } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";

const [alice, bob, router, pool, pool2, lpAccount, usd, eur] = accounts(
  "alice, bob, router, pool, another pool, account of liquidity, usd, eur",
);
const [proxy] = [...proxyTonMasters] as [string];
const known = walletsOf([alice, bob, router], [usd, eur, proxy]);

const terms = cellWith(
  [0x37c096df, 32],
  walletOf(router, usd),
  alice,
  alice,
  [9, 64],
  cellWith(1n, alice, true, 0n, false),
);

type Provided = { amounts: readonly [left: bigint, right: bigint]; by?: string; to?: string };

/** The router reports the received asset to the pool, and the pool to the depositor's account. */
function provided({ amounts, by = alice, to = pool }: Provided, ...answer: MadeMessage[]): MadeMessage {
  const body = bodyOf(0x37c096df, by, amounts[0], amounts[1], terms);
  return { to, body, sends: [call(lpAccount, 0x50c6a654, answer)] };
}

const complete = (...sends: MadeMessage[]) => call(pool, 0x06ecd527, sends);
const lp = minted(walletOf(alice, pool), 9n);
const refund = call(lpAccount, 0x50c6a654);

const ton = (...sends: MadeMessage[]): MadeMessage => ({
  to: walletOf(router, proxy),
  body: bodyOf(0x01f3835d),
  sends: [notified({ from: alice, to: router, amount: 20n }, sends)],
});
const jettons = (...sends: MadeMessage[]) =>
  jettonsFor({ from: alice, to: router, master: usd, amount: 50n }, sends);

const rowsOf = (...sends: MadeMessage[]) => liquidityOf(actionsOf({ to: alice, sends }, known));

const tonCame = { amounts: [20n, 0n] } as const;
const usdCame = { amounts: [0n, 50n] } as const;
const row = { success: true, source: alice, destination: pool, dex: "stonfi_v2" };
const ofTon = { ...row, amount1: 20n };
const ofUsd = { ...row, asset1: usd, amount1: 50n, user_jetton_wallet_1: walletOf(alice, usd) };
/** The longer path of TON makes it the later one, regardless of the sending order. */
const both = {
  ...ofTon,
  asset2: usd,
  amount2: 50n,
  user_jetton_wallet_2: walletOf(alice, usd),
  lp_tokens_minted: 9n,
};

describe("A deposit at STON.fi, version 2", () => {
  it("waits for the other asset", () => {
    expect(rowsOf(ton(provided(tonCame)))).toEqual([ofTon]);
    expect(rowsOf(jettons(provided(usdCame)))).toEqual([ofUsd]);
  });

  it("is complete when tokens are minted, and fails if it is rejected", () => {
    expect(rowsOf(jettons(provided(usdCame, complete(lp))))).toEqual([{ ...ofUsd, lp_tokens_minted: 9n }]);
    expect(rowsOf(jettons(provided(usdCame, complete(refund))))).toEqual([{ ...ofUsd, success: false }]);
  });

  it("follows a transfer whose wallet sent the jettons on", () => {
    const request = jettons();
    const [received] = request.sends!;
    const told = notified({ from: alice, to: router, amount: 50n }, [provided(usdCame)]);
    const on = minted(walletOf(router, eur), 50n, [told]);
    expect(rowsOf({ ...request, sends: [{ ...received!, sends: [on] }] })).toEqual([ofUsd]);
  });

  it("has both assets, the later one first, in any order of completion", () => {
    expect(rowsOf(ton(provided(tonCame)), jettons(provided(usdCame, complete(lp))))).toEqual([both]);
    expect(rowsOf(ton(provided(tonCame, complete(lp))), jettons(provided(usdCame)))).toEqual([both]);
  });

  it("fails with both assets", () => {
    const rejected = ton(provided(tonCame, complete(refund)));
    expect(rowsOf(rejected, jettons(provided(usdCame, complete(lp))))).toEqual([{ ...both, success: false }]);
  });

  it("does not take other messages of the common sender", () => {
    const other: MadeMessage = { to: bob };
    const wallet = call(alice, 1, [ton(provided(tonCame)), jettons(provided(usdCame, complete(lp))), other]);
    expect(rowsOf(wallet)).toEqual(["call_contract", both, "ton_transfer"]);
  });

  it.each([
    ["of somebody else", { ...usdCame, by: bob }],
    ["at another pool", { ...usdCame, to: pool2 }],
  ])("absorbs a deposit %s that was sent with it, and their common sender", (_, other) => {
    const wallet = call(alice, 1, [ton(provided(tonCame, complete(lp))), jettons(provided(other))]);
    expect(rowsOf(wallet)).toEqual([{ ...ofTon, lp_tokens_minted: 9n }]);
  });

  it("is none if the pool does not go on, or if a body cannot be read", () => {
    const stopped = { ...provided(usdCame), sends: [] };
    const unread = { ...provided(usdCame), body: bodyOf(0x37c096df) };
    for (const each of [stopped, unread]) expect(rowsOf(jettons(each))[0]).toBe("jetton_transfer");
  });

  it("is none if nothing came in, or if the wallet that got jettons is unknown", () => {
    expect(rowsOf(provided(usdCame))[0]).toBe("call_contract");
    const root = { to: alice, sends: [jettons(provided(usdCame))] };
    expect(liquidityOf(actionsOf(root, {}))[0]).toBe("call_contract");
  });
});
