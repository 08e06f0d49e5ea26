import { address, bigint, boolean, hash, nullable, wideInteger } from "../declare/columns.js";
import type { Columns, Table } from "../declare/table.js";

/** The columns of every table of recognised contracts. */
export const contractColumns = {
  address,
  /** Logical time of its first transaction in the index; 0 if it has none. Set by `writeAndSettle`. */
  first_seen_lt: nullable(bigint),
  /** Logical time of its last transaction; 0 if it has none. */
  last_transaction_lt: bigint,
  /** Time of the block in which the state was seen. */
  timestamp: wideInteger,
  code_hash: hash,
  data_hash: hash,
  /** Whether the account has ceased to exist since. */
  destroyed: boolean,
} as const;

/** How the rows of recognised contracts are written and taken back: the state of the later block wins. */
export const contractBehaviour = {
  key: ["address"],
  merge: {
    newest: ["last_transaction_lt", "timestamp"],
    // The address of both rows is the same, so a known first_seen_lt is kept.
    completedBy: { first_seen_lt: "address" },
  },
  revertBy: { account: "address" },
} as const;

/** A table of contracts of one kind. */
export type ContractTable = Table<Columns & typeof contractColumns>;
