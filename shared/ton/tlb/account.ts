// storage_extra_none$000 = StorageExtraInfo;
// storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32
//   due_payment:(Maybe Grams) = StorageInfo;
// account_none$0 = Account;
// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
// account_uninit$00 = AccountState;
// account_active$1 _:StateInit = AccountState;
// account_frozen$01 state_hash:bits256 = AccountState;
// acc_state_uninit$00 = AccountStatus;
// acc_state_frozen$01 = AccountStatus;
// acc_state_active$10 = AccountStatus;
// acc_state_nonexist$11 = AccountStatus;
import { codec, type Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { MsgAddressInt } from "./msg-address.js";
import { bits256, coins, maybe, smallVarUint, uint32, uint64 } from "./primitives.js";
import { choice, enumeration, record } from "./record.js";
import { StateInit } from "./state-init.js";

export type StorageUsed = Decoded<typeof StorageUsed>;
export const StorageUsed = record("storage_used$_", { cells: smallVarUint(7), bits: smallVarUint(7) });

/** Hash of the dictionary of an account's cells. Only large accounts have it. */
const StorageExtraInfo = choice("StorageExtraInfo", {
  none: record("storage_extra_none$000", {}),
  info: record("storage_extra_info$001", { dictHash: bits256 }),
});

export type StorageInfo = Decoded<typeof StorageInfo>;
export const StorageInfo = record("storage_info$_", {
  used: StorageUsed,
  storageExtra: StorageExtraInfo,
  lastPaid: uint32,
  duePayment: maybe(coins),
});

export type AccountState = Decoded<typeof AccountState>;
export const AccountState = choice("AccountState", {
  uninit: record("account_uninit$00", {}),
  active: record("account_active$1", { init: StateInit }),
  frozen: record("account_frozen$01", { stateHash: bits256 }),
});

export type AccountStorage = Decoded<typeof AccountStorage>;
export const AccountStorage = record("account_storage$_", {
  /** End lt of the last transaction. Greater than its lt, which is in the ShardAccount. */
  lastTransLt: uint64,
  balance: CurrencyCollection,
  state: AccountState,
});

export type ExistingAccount = Decoded<typeof ExistingAccount>;
const ExistingAccount = record("account", {
  addr: MsgAddressInt,
  storageStat: StorageInfo,
  storage: AccountStorage,
});

/** `undefined` is `account_none`. */
export type Account = ExistingAccount | undefined;
export const Account = codec<Account>("Account", maybe(ExistingAccount).load, maybe(ExistingAccount).store);

export type AccountStatus = Decoded<typeof AccountStatus>;
export const AccountStatus = enumeration("AccountStatus", {
  uninit: "$00",
  frozen: "$01",
  active: "$10",
  nonexist: "$11",
});
