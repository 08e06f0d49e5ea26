import {
  address,
  bigint,
  boolean,
  bytea,
  currencies,
  hash,
  integer,
  nullable,
  wideInteger,
} from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";

export type AwaitedContractRow = RowOf<typeof awaitedContracts.columns>;

/** Accounts of the queue that the classification of a trace asked for: it is classified again when they are recognised. */
export const awaitedContracts = table("awaited_contracts", {
  columns: {
    trace_id: hash,
    account: address,
    /** The last masterchain block of the trace. */
    mc_seqno: integer,
  },
  key: ["trace_id", "account"],
  merge: "replace",
  revertBy: { block: "mc_seqno" },
});

export type QueuedAccountRow = RowOf<typeof recognitionQueue.columns>;

/**
 * Accounts whose get-methods are run later, with the state that is looked at and the masterchain block as of which it is.
 * Rows are written by `queueAccounts`, which gives them their turns.
 */
export const recognitionQueue = table("recognition_queue", {
  columns: {
    account: address,
    code_hash: hash,
    hash,
    data_hash: hash,
    data_boc: nullable(bytea),
    balance: bigint,
    balance_extra_currencies: nullable(currencies),
    has_libraries: boolean,
    last_trans_lt: bigint,
    timestamp: wideInteger,
    mc_seqno: integer,
    /** The blocks whose transactions of the account have no token events yet. */
    from_seqno: integer,
    to_seqno: integer,
    /** The code that took the time: its own, or that of a contract that it asked. */
    blamed_code: hash,
    cost_ms: integer,
    turn: bigint,
    queued_at: wideInteger,
  },
  key: ["account", "code_hash"],
  // Rows that began before a block and changed after it are queued anew: see indexer/revert.ts.
  revertBy: { block: "from_seqno" },
});
