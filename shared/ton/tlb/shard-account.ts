// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
// _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bytesKey } from "../cells/dictionaries/dictionary.js";
import { Account } from "./account.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { anycastDepth } from "./msg-address.js";
import { bits256, uint64, upTo } from "./primitives.js";
import { record } from "./record.js";

/** An account with the hash and lt of its last transaction. */
export type ShardAccount = Decoded<typeof ShardAccount>;
export const ShardAccount = record("account_descr$_", {
  account: cellOf(Account),
  lastTransHash: bits256,
  lastTransLt: uint64,
});

type DepthBalanceInfo = Decoded<typeof DepthBalanceInfo>;
const DepthBalanceInfo = record("depth_balance$_", {
  splitDepth: upTo(30),
  balance: CurrencyCollection,
});

const shardAccountsAugmentation: Augmentation<ShardAccount, DepthBalanceInfo> = {
  codec: DepthBalanceInfo,
  empty: { splitDepth: 0, balance: noCurrencies },
  leaf({ account }) {
    if (!account.value) return this.empty;
    const { addr, storage } = account.value;
    return { splitDepth: anycastDepth(addr), balance: storage.balance };
  },
  fork: (a, b) => ({
    splitDepth: Math.max(a.splitDepth, b.splitDepth),
    balance: addCurrencies(a.balance, b.balance),
  }),
};

/** The accounts of a shard, keyed by the 32 bytes of their ids. The extra is their total balance. */
export type ShardAccounts = AugDictionary<Uint8Array, ShardAccount, DepthBalanceInfo>;
export const ShardAccounts = hashmapAugE(bytesKey(32), ShardAccount, shardAccountsAugmentation);
