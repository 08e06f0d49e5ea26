import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, fieldsWith, none } from "../../../helpers/made-cells.js";
import { poolOf } from "./dedust-messages.js";
import { burnt, call } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";

const [alice, tonVault, usdVault, pool, usd] = accounts("alice, vault of TON, vault of usd, pool, usd");
const known = walletsOf([alice, usdVault], [usd, pool]);

/** A pool's payment order to a vault. */
function paidBy(vault: string, amount: bigint, ...sends: MadeMessage[]): MadeMessage {
  const proof = fieldsWith(none, [2, 8], poolOf(undefined, usd));
  const body = bodyOf(0xad4eb6f5, proof.endCell(), amount, alice, false);
  return { to: vault, body, sends };
}

const ton = paidBy(tonVault, 20n, call(alice, 0x474f86cf));
const jettons = paidBy(
  usdVault,
  50n,
  jettonTransfer({ from: usdVault, to: alice, master: usd, amount: 50n }),
);

const burnsFor = (...payments: MadeMessage[]): MadeMessage => ({
  to: alice,
  sends: [burnt(walletOf(alice, pool), 9n, [call(pool, 0x7bdd97de, payments)])],
});

const row = {
  success: true,
  source: alice,
  source_secondary: walletOf(alice, pool),
  destination: pool,
  asset: pool,
  dex: "dedust",
  lp_tokens_burnt: 9n,
  is_refund: false,
  amount1: 20n,
  dex_wallet_1: tonVault,
  amount2: 50n,
  asset2_out: usd,
  user_jetton_wallet_2: walletOf(alice, usd),
  dex_wallet_2: usdVault,
  dex_jetton_wallet_2: walletOf(usdVault, usd),
};

describe("A withdrawal of liquidity from DeDust", () => {
  it("pays both assets in the order of the messages", () => {
    expect(liquidityOf(actionsOf(burnsFor(ton, jettons), known))).toEqual([row]);
    expect(liquidityOf(actionsOf(burnsFor(jettons, ton), known))).toEqual([
      {
        ...row,
        amount1: 50n,
        asset1_out: usd,
        user_jetton_wallet_1: walletOf(alice, usd),
        dex_wallet_1: usdVault,
        dex_jetton_wallet_1: walletOf(usdVault, usd),
        amount2: 20n,
        asset2_out: undefined,
        user_jetton_wallet_2: undefined,
        dex_wallet_2: tonVault,
        dex_jetton_wallet_2: undefined,
      },
    ]);
  });

  it("succeeds regardless of the burn's outcome", () => {
    const root = burnsFor(ton, jettons);
    const [burn] = root.sends!;
    const aborted = { ...root, sends: [{ ...burn!, isAborted: true }] };
    expect(liquidityOf(actionsOf(aborted, known))).toEqual([row]);
  });

  it("is a burn if only one asset is paid, or if a payment does not arrive", () => {
    for (const payments of [[ton], [ton, paidBy(usdVault, 50n)]])
      expect(liquidityOf(actionsOf(burnsFor(...payments), known))[0]).toBe("jetton_burn");
  });

  it("is none if the wallet is unknown, or if a body cannot be read", () => {
    expect(liquidityOf(actionsOf(burnsFor(ton, ton), {}))[0]).toBe("call_contract");
    const unread = { ...ton, body: bodyOf(0xad4eb6f5) };
    expect(liquidityOf(actionsOf(burnsFor(ton, unread), known))[0]).toBe("jetton_burn");
  });
});
