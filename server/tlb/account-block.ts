// acc_trans#5 account_addr:bits256
//   transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
import type { AugDictionary, Augmentation } from "../cells/aug-dictionary.js";
import { bigUintKey, bytesKey } from "../cells/dictionary.js";
import { type CellOf, cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAug, hashmapAugE } from "./dictionaries.js";
import { HashUpdate } from "./hash-update.js";
import { bits256 } from "./primitives.js";
import { record } from "./record.js";
import { Transaction } from "./transaction.js";

/** Fees add up from transactions to accounts to the block. */
function sumOf<V>(leaf: (value: V) => CurrencyCollection): Augmentation<V, CurrencyCollection> {
  return { codec: CurrencyCollection, empty: noCurrencies, leaf, fork: addCurrencies };
}

/** The transactions of one account in one block, by lt. */
export type AccountTransactions = AugDictionary<bigint, CellOf<Transaction>, CurrencyCollection>;
export const AccountTransactions = hashmapAug(
  bigUintKey(64),
  cellOf(Transaction),
  sumOf((transaction: CellOf<Transaction>) => transaction.value.totalFees),
);

export type AccountBlock = Decoded<typeof AccountBlock>;
export const AccountBlock = record("acc_trans#5", {
  accountAddr: bits256,
  transactions: AccountTransactions,
  stateUpdate: cellOf(HashUpdate),
});

/** By the 32 bytes of the account ids. */
export type ShardAccountBlocks = AugDictionary<Uint8Array, AccountBlock, CurrencyCollection>;
export const ShardAccountBlocks = hashmapAugE(
  bytesKey(32),
  AccountBlock,
  sumOf(({ transactions }: AccountBlock) => transactions.extra),
);

/**
 * Every transaction of a block as a liteserver lists them: accounts ascending, then lt ascending. Dictionaries of a
 * block nobody has checked may share branches and so have any number of entries: take no more than you need.
 */
export function* transactionsOf(blocks: ShardAccountBlocks): Generator<CellOf<Transaction>> {
  for (const { transactions } of blocks.values()) yield* transactions.values();
}
