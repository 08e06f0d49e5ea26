import { expect, it } from "vitest";
import { presentV4Account } from "../../../../../shared/ton/present/v4/records.js";
import type { AccountSnapshot } from "../../../../../shared/ton/proofs/read/account.js";
import { ExtraCurrencyCollection } from "../../../../../shared/ton/tlb/currency-collection.js";

it("Extra currencies of an account are a record by their numbers", () => {
  const extraCurrencies = ExtraCurrencyCollection.empty.set(4294967295, 1n).set(100, (1n << 200n) - 1n);
  const lastTransaction = { lt: 9n, hash: new Uint8Array(32).fill(3) };
  const snapshot = { account: undefined, balance: 5n, extraCurrencies, lastTransaction };
  expect(presentV4Account(snapshot as unknown as AccountSnapshot)).toEqual({
    state: { type: "uninit" },
    balance: { coins: "5", currencies: { "100": ((1n << 200n) - 1n).toString(), "4294967295": "1" } },
    last: { lt: "9", hash: "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=" },
    storageStat: null,
  });
});
