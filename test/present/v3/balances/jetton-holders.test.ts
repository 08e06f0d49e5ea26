import { expect, it } from "vitest";
import { presentHolders, shareOf } from "../../../../server/present/v3/balances/jetton-holders.js";

it.each([
  [0n, 10n, "0.000000000"],
  [1n, 3n, "0.333333333"],
  [2n, 3n, "0.666666666"],
  [10n, 10n, "1.000000000"],
  [1n, 10n ** 12n, "0.000000000"],
  [2n ** 120n, 2n ** 100n, "1048576.000000000"],
  [2n ** 120n - 1n, 2n ** 120n, "0.999999999"],
  [5n, 0n, null],
])("the share of %d in %d is %s", (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});

const wallet = { address: "0:W", owner: "0:O", balance: "1" };

it.each([
  [[], { limit: 2, offset: 0 }, 0],
  [[wallet], { limit: 2, offset: 4 }, 5],
  [[wallet, wallet], { limit: 2, offset: 0 }, undefined],
  [[], { limit: 2, offset: 4 }, undefined],
])("holders are counted if the list ends with the page: %#", (wallets, page, count) => {
  expect(presentHolders(wallets, "4", page).holders_count).toBe(count);
});

it("a jetton that is not in the index has no supply and no shares", () => {
  expect(presentHolders([wallet], undefined, { limit: 2, offset: 0 })).toEqual({
    jetton_holders: [{ owner: "0:O", jetton_wallet: "0:W", balance: "1", share: null }],
    total_supply: null,
    holders_count: 1,
  });
});
