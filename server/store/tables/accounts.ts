import { accountStatuses } from "../codes.js";
import {
  address,
  bigint,
  bytea,
  currencies,
  hash,
  integerArray,
  nullable,
  wideInteger,
  word,
} from "../declare/columns.js";
import { columnsOf, constant, object, orEmpty, orNull, type Part } from "../declare/record.js";
import { type RowOf, table } from "../declare/table.js";
import { accountKey } from "./directories.js";

export type AccountStateRow = RowOf<typeof accountStates.columns>;

/** A state with its account in place of the key. */
export type AccountState = Omit<AccountStateRow, "account_key"> & { account: Uint8Array };

/** The account itself is a column of divided indexes alone. */
export function accountStateRow(state: AccountState): AccountStateRow {
  return Object.assign({ account_key: accountKey(state.account) }, state);
}

/**
 * States of accounts by the transactions that left them: `lt` is that of the account's last transaction, 0 without one.
 * The account itself is a part of what `hash` is of. The state of all accounts that do not exist has no row: see `stateAt`.
 */
export const accountStates = table("account_states", {
  columns: {
    account_key: bigint,
    lt: bigint,
    hash,
    balance: bigint,
    balance_extra_currencies: nullable(currencies),
    account_status: word(accountStatuses),
    frozen_hash: nullable(hash),
    data_hash: nullable(hash),
    code_hash: nullable(hash),
  },
  key: ["account_key", "lt", "hash"],
  uniqueBy: ["account_key", "lt", "hash_prefix(hash)"],
  merge: "keep",
  partitionBy: "lt",
  clusterBy: ["account_key", "lt"],
  divideBy: { column: "account" },
  widenBy: { column: "account", type: address },
});

/** Which get-methods a code has, ascending. Code that cannot be read has an empty list. */
export const contractMethods = table("contract_methods", {
  columns: { code_hash: hash, methods: integerArray },
  key: ["code_hash"],
  merge: "keep",
});

/** Code cells, each once, as a bag of cells. */
export const contractCodes = table("contract_codes", {
  columns: { code_hash: hash, boc: bytea },
  key: ["code_hash"],
  merge: "keep",
});

/** Tables whose accounts are in account_kinds: tokens, and owners of domains. */
export const accountKinds = [
  "jetton_wallets",
  "jetton_masters",
  "nft_collections",
  "nft_items",
  "dns_entries",
] as const;

export type LatestAccountStateRow = RowOf<typeof latestAccountStates.columns>;

/** The latest state of every account met so far. */
export const latestAccountStates = table("latest_account_states", {
  columns: {
    account: address,
    hash,
    balance: bigint,
    balance_extra_currencies: nullable(currencies),
    account_status: word(accountStatuses),
    timestamp: wideInteger,
    last_trans_hash: nullable(hash),
    last_trans_lt: nullable(bigint),
    frozen_hash: nullable(hash),
    data_hash: nullable(hash),
    code_hash: nullable(hash),
    data_boc: nullable(bytea),
  },
  key: ["account"],
  // An account edited without a transaction keeps its last_trans_lt; the state of the later block wins.
  merge: {
    newest: ["last_trans_lt", "timestamp"],
    completedBy: { data_boc: "data_hash" },
  },
  revertBy: { account: "account" },
  divideBy: { column: "account" },
});

const s = columnsOf("s", latestAccountStates.columns);
const c = columnsOf("c", contractMethods.columns);
const k = columnsOf("k", contractCodes.columns);

const withoutCells = {
  address: s.account,
  hash: s.hash,
  balance: s.balance,
  extra_currencies: orEmpty(s.balance_extra_currencies),
  status: s.account_status,
  frozen_hash: orNull(s.frozen_hash),
  last_transaction_hash: orNull(s.last_trans_hash),
  last_transaction_lt: orNull(s.last_trans_lt),
  data_hash: orNull(s.data_hash),
  code_hash: orNull(s.code_hash),
};
const methods = { contract_methods: orNull(c.methods) };
const [data, code] = [orNull(s.data_boc), orNull(k.boc)];

/**
 * The latest state of an account and the get-methods of its code, where they are known. `data` and `both` have the cells,
 * which are the only large members; the others are null.
 */
export const accountRecords = {
  none: object({ ...withoutCells, data_boc: absentCell(), code_boc: absentCell(), ...methods }),
  data: object({ ...withoutCells, data_boc: data, code_boc: absentCell(), ...methods }),
  both: object({ ...withoutCells, data_boc: data, code_boc: code, ...methods }),
};

/** A cell that was not asked for. */
function absentCell(): Part<unknown, string | null> {
  return constant(null);
}

export type AccountRecord = ReturnType<typeof accountRecords.both.present>;

/** A code cell. */
export const codeRecord = object({ code_boc: k.boc });

/** An account by its balance. */
export const balanceRecord = object({ account: s.account, balance: s.balance });
