import type { Address } from "../../../shared/values/address.js";
import { type CurrencyCollection, noCurrencies, onlyCoins } from "../../tlb/currency-collection.js";
import type { ShardAccount, ShardAccounts } from "../../tlb/shard-account.js";
import { noAccount } from "./touched-accounts.js";

/** A change of an account without a transaction, requested by a developer. */
export type StateEdit = {
  address: Address;
  change: (account: ShardAccount, utime: number) => ShardAccount;
};

export type EditedAccounts = {
  accounts: ShardAccounts;
  /** Coins that the edits added to the supply, and coins they removed. */
  minted: CurrencyCollection;
  burned: CurrencyCollection;
};

/** Applies edits, which precede everything else in a block. */
export function applyEdits(
  accounts: ShardAccounts,
  edits: readonly StateEdit[],
  utime: number,
): EditedAccounts {
  let edited = accounts;
  for (const { address, change } of edits)
    edited = edited.set(address.hash, change(edited.get(address.hash) ?? noAccount, utime));
  const growth = edited.extra.balance.coins - accounts.extra.balance.coins;
  return {
    accounts: edited,
    minted: growth > 0n ? onlyCoins(growth) : noCurrencies,
    burned: growth < 0n ? onlyCoins(-growth) : noCurrencies,
  };
}
