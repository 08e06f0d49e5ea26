// acc_trans#5 account_addr:bits256
//   transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bigUintKey, bytesKey } from "../cells/dictionaries/dictionary.js";
import { type CellOf, cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAug, hashmapAugE } from "./dictionaries.js";
import { HashUpdate } from "./hash-update.js";
import { bits256 } from "./primitives.js";
import { record } from "./record.js";
import { Transaction } from "./transaction.js";

/** The extra of each node is the sum of the fees below it. */
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

/** Keyed by the 32 bytes of the account ids; the extra is the sum of all fees. */
export type ShardAccountBlocks = AugDictionary<Uint8Array, AccountBlock, CurrencyCollection>;
export const ShardAccountBlocks = hashmapAugE(
  bytesKey(32),
  AccountBlock,
  sumOf(({ transactions }: AccountBlock) => transactions.extra),
);

/**
 * All transactions of a block in the order of a liteserver: by account, then by lt, both ascending. Dictionaries of an
 * unverified block may share branches and have any number of entries: bound the number you take.
 */
export function* transactionsOf(blocks: ShardAccountBlocks): Generator<CellOf<Transaction>> {
  for (const { transactions } of blocks.values()) yield* transactions.values();
}
