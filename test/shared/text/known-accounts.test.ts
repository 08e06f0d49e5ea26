import { describe, expect, it } from "vitest";
import { devnetAccounts, knownAccounts } from "../../../shared/text/known-accounts.js";
import { Address } from "../../../shared/values/address.js";

const [faucet, wallet, shop, other] = ["A", "B", "C", "D"].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
  string,
];
const devnet = {
  faucet: { address: faucet },
  wallets: [{ address: wallet, name: "Ann" }],
  contracts: [{ address: shop, name: "Tree 5", kind: "nft_item" }],
};
const named = (names: { address: string; name: string }[]) =>
  knownAccounts(devnetAccounts({ ...devnet, names }));

describe("The known accounts of a devnet", () => {
  it("have the names of its wallets and sample contracts", () => {
    const known = knownAccounts(devnetAccounts(devnet));
    expect([faucet, wallet, shop, other].map((each) => known.find(each)?.name)).toEqual([
      "Faucet",
      "Wallet 0 (Ann)",
      "Tree 5",
      undefined,
    ]);
    expect(known.find(`-1:${"3".repeat(64)}`)?.name).toBe("Elector");
  });

  it("have the names that developers gave, and keep their kinds", () => {
    const known = named([
      { address: shop, name: "Oak" },
      { address: other, name: "Shop" },
    ]);
    expect(known.find(shop)).toEqual({ name: "Oak", kind: "nft_item" });
    expect(known.find(Address.read(other)!.address.toFriendly())).toEqual({ name: "Shop", kind: "" });
    expect(known.find(wallet)?.name).toBe("Wallet 0 (Ann)");
  });
});
