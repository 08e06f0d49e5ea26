import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { account, accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, none } from "../../../helpers/made-cells.js";
import { asset, poolOf } from "./dedust-messages.js";
import { call, jettonsFor, minted } from "./liquidity-messages.js";
import { liquidityOf } from "./liquidity-rows.js";

const [alice, bob, vault, factory, collector, pool, usd, eur] = accounts(
  "alice, bob, vault, factory, deposit contract, pool, usd, eur",
);
const known = walletsOf([alice, bob, vault], [usd, eur]);

const pair = poolOf(undefined, usd);
const proof = cellWith(none, [3, 8], cellWith(alice, pair));
const balances = fieldsWith(1n, 20n, 50n);

/** Messages caused by a vault that received an asset. */
const credited = (...sends: MadeMessage[]): readonly MadeMessage[] => [
  call(factory, 0xf04ec526, [call(collector, 0x9b3aa3fa), call(collector, 0x54240fe5, sends)]),
];
const creditedAgain = (...sends: MadeMessage[]): readonly MadeMessage[] => [
  call(factory, 0xf04ec526, [call(collector, 0x54240fe5, sends)]),
];

function ton(sends: readonly MadeMessage[], assets = pair): MadeMessage {
  const body = bodyOf(0xd55e4686, 20n, assets, balances.endCell(), false, false);
  return { to: vault, body, sends };
}

function jettons(sends: readonly MadeMessage[], master = usd): MadeMessage {
  const payload = cellWith([0x40e108d6, 32], pair, balances, false, false);
  return jettonsFor({ from: alice, to: vault, master, amount: 50n, payload }, sends);
}

/** The deposit contract requests that the pool take both assets. */
function asked(sends: readonly MadeMessage[]): MadeMessage {
  const body = bodyOf(
    0xb56b9598,
    proof,
    alice,
    1n,
    cellWith(asset(undefined), 20n, asset(usd), 50n),
    false,
    false,
  );
  return { to: pool, body, sends };
}

const taken = asked([minted(account("lp wallet"), 9n), call(collector, 0xaae79256)]);
const givenBack = (...sends: MadeMessage[]) => call(vault, 0x6b0b787f, sends);
const tonBack = (to: string) => givenBack({ to, body: bodyOf(0x474f86cf), value: 3n });
const usdBack = (to: string) => givenBack(jettonTransfer({ from: vault, to, master: usd, amount: 4n }));

const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });
const depositsOf = (...sends: MadeMessage[]) => liquidityOf(actionsOf(sentBy(...sends), known));

const targets = {
  target_asset_1: undefined,
  target_amount_1: 20n,
  target_asset_2: usd,
  target_amount_2: 50n,
};
const first = { success: true, source: alice, destination_secondary: collector, dex: "dedust", ...targets };
const final = { ...first, destination: pool, lp_tokens_minted: 9n, vault_excesses: [] };
const both = {
  ...final,
  asset1: undefined,
  amount1: 20n,
  asset2: usd,
  amount2: 50n,
  user_jetton_wallet_2: walletOf(alice, usd),
};

describe("The first asset of a deposit at DeDust", () => {
  it("waits for the other one", () => {
    expect(depositsOf(ton(credited()))).toEqual([{ ...first, amount1: 20n }]);
    expect(depositsOf(jettons(credited()))).toEqual([
      { ...first, asset1: usd, amount1: 50n, user_jetton_wallet_1: walletOf(alice, usd) },
    ]);
  });

  it("has its targets beside the amount, too", () => {
    const body = bodyOf(0xd55e4686, 20n, pair, balances, false, false);
    expect(depositsOf({ to: vault, body, sends: credited() })).toEqual([{ ...first, amount1: 20n }]);
  });

  it("is none if the deposit contract was there, or goes on", () => {
    for (const sends of [creditedAgain(), credited(call(pool, 0xe1a36cd4)), credited(asked([]))])
      expect(depositsOf(ton(sends))[0]).toBe("call_contract");
  });

  it("is none if the vault's wallet is unknown, or if a body cannot be read", () => {
    expect(liquidityOf(actionsOf(sentBy(jettons(credited())), {}))[0]).toBe("call_contract");
    expect(depositsOf({ ...ton(credited()), body: bodyOf(0xd55e4686) })[0]).toBe("call_contract");
  });
});

describe("The last asset of a deposit at DeDust", () => {
  it("makes it complete", () => {
    expect(depositsOf(jettons(creditedAgain(taken)))).toEqual([
      { ...final, asset1: usd, amount1: 50n, user_jetton_wallet_1: walletOf(alice, usd) },
    ]);
    expect(depositsOf(ton(credited(taken)))).toEqual([{ ...final, amount1: 20n }]);
  });

  it("fails if the pool rejects it, and has the returned amounts", () => {
    const rejected = asked([call(collector, 0xe1a36cd4, [usdBack(alice), tonBack(alice)])]);
    expect(depositsOf(ton(creditedAgain(rejected)))).toEqual([
      {
        ...final,
        success: false,
        amount1: 20n,
        lp_tokens_minted: undefined,
        vault_excesses: [
          { asset: undefined, amount: 3n },
          { asset: usd, amount: 4n },
        ],
      },
    ]);
  });

  it("counts excesses behind the end of the deposit contract, but not those of others", () => {
    const ends = (...sends: MadeMessage[]) =>
      ton(creditedAgain(asked([minted(alice, 9n), call(collector, 0xaae79256, sends)])));
    const row = { ...final, amount1: 20n };
    expect(depositsOf(ends({ to: alice }, usdBack(alice)))).toEqual([
      { ...row, vault_excesses: [{ asset: usd, amount: 4n }] },
    ]);
    expect(depositsOf(ends(usdBack(bob), tonBack(bob)))).toEqual([row]);
  });

  it("does not count an excess whose wallet is unknown", () => {
    const ends = asked([minted(alice, 9n), call(collector, 0xaae79256, [usdBack(alice)])]);
    const root = sentBy(ton(creditedAgain(ends)));
    expect(liquidityOf(actionsOf(root, {}))).toEqual([{ ...final, amount1: 20n }]);
  });

  it("is none without an answer of the pool, if the vault's wallet is unknown, or if a body cannot be read", () => {
    expect(depositsOf(ton(creditedAgain(asked([]))))[0]).toBe("call_contract");
    const root = sentBy(jettons(creditedAgain(taken)));
    expect(liquidityOf(actionsOf(root, {}))[0]).toBe("call_contract");
    const unread = { ...taken, body: bodyOf(0xb56b9598) };
    expect(depositsOf(ton(creditedAgain(unread)))[0]).toBe("call_contract");
  });
});

describe("Both assets of a deposit at DeDust", () => {
  it("fail together", () => {
    const rejected = asked([call(collector, 0xe1a36cd4)]);
    expect(depositsOf(ton(credited()), jettons(creditedAgain(rejected)))).toEqual([
      { ...both, success: false, lp_tokens_minted: undefined },
    ]);
  });

  it("stay apart if the contract has more than two", () => {
    expect(depositsOf(ton(credited()), ton(credited()), jettons(creditedAgain(taken)))).toHaveLength(3);
  });

  it("leave the trace without events if they contradict each other", () => {
    const otherPair = ton(credited(), poolOf(undefined, eur));
    const sameAsset = ton(creditedAgain(taken));
    const otherAsset = jettons(creditedAgain(taken), eur);
    for (const [partial, last] of [
      [otherPair, jettons(creditedAgain(taken))],
      [ton(credited()), sameAsset],
      [ton(credited()), otherAsset],
    ] as const)
      expect(new Set(depositsOf(partial, last))).toEqual(new Set(["call_contract"]));
  });
});
