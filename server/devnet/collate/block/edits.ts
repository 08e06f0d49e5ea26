import {
  type CurrencyCollection,
  noCurrencies,
  onlyCoins,
} from "../../../../shared/ton/tlb/currency-collection.js";
import type { ShardAccount, ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../../shared/values/address.js";
import { noAccount } from "./touched-accounts.js";

/** A change of an account without a transaction, requested by a developer. */
export type StateEdit = {
  address: Address;
  change: (account: ShardAccount, utime: number) => ShardAccount;
};

export type EditedAccounts = {
  accounts: ShardAccounts;
  /** Money that the edits added to the supply, and money they removed. */
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
  const [before, after] = [accounts.extra.balance, edited.extra.balance];
  return { accounts: edited, minted: excessOf(after, before), burned: excessOf(before, after) };
}

/** How much `more` has of each currency beyond `less`. */
function excessOf(more: CurrencyCollection, less: CurrencyCollection): CurrencyCollection {
  const coins = more.coins > less.coins ? more.coins - less.coins : 0n;
  if (!more.extra.root) return onlyCoins(coins);
  const extra = Array.from(more.extra.entries(), ([id, amount]): [number, bigint | undefined] => {
    const excess = amount - (less.extra.get(id) ?? 0n);
    return [id, excess > 0n ? excess : undefined];
  });
  return { coins, extra: noCurrencies.extra.update(extra) };
}
