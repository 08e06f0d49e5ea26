import SQL from "sql-template-tag";
import { serializeBoc } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { TimeSlice } from "../chain/time-slice.js";
import { accountStatuses, codeOf } from "../store/codes.js";
import type { CopyRows, Transaction } from "../store/database.js";
import { keepStored, replaceStored, TableMerge } from "../store/table-merge.js";
import * as tables from "../store/tables.js";
import type { FinalAccountState } from "./decode/account.js";
import { contractMethods } from "./decode/contract-methods.js";
import { bytesOfKey, keyOf } from "./hash-key.js";
import type { RowBatch } from "./row-batch.js";
import type { TraceChanges } from "./traces.js";

/** Statements and rows, ready to be written. */
export type Steps = (string | CopyRows)[];

/** The rows of a batch, encoded. What other batches may have written too is merged, always in the order of its keys. */
export async function batchSteps(
  batch: RowBatch,
  traces: TraceChanges,
  timeSlice: TimeSlice,
): Promise<Steps> {
  const copies = [batch.blocks, batch.shardState, batch.transactions, batch.messages];
  return [
    ...copies.filter(({ rows }) => rows > 0).map((copy) => copy.finish()),
    ...batch.contents.finish(),
    ...(await accountSteps(batch, timeSlice)),
    ...(await traceSteps(traces, timeSlice)),
  ];
}

async function traceSteps({ traces, opened }: TraceChanges, timeSlice: TimeSlice): Promise<Steps> {
  const changed = new TableMerge(tables.traces, replaceStored("trace_id", tables.traces));
  for (const row of traces) {
    changed.add(row);
    await timeSlice.yieldIfDue();
  }
  const edges = new TableMerge(tables.openEdges, "");
  for (const row of opened) edges.add(row);
  return [...changed.finish(), ...edges.finish()];
}

/** Edges that were stored as open and are so no more. */
export async function deleteClosed(transaction: Transaction, { closed }: TraceChanges): Promise<void> {
  if (closed.length > 0)
    await transaction.query(SQL`delete from open_edges where msg_hash = any(${closed}::bytea[])`);
}

export type AccountRows = Pick<RowBatch, "accountStates" | "codes"> & {
  accounts: ReadonlyMap<string, FinalAccountState>;
};

/** Rows of accounts of which only the latest state is stored. */
export function accountRows(accounts: readonly FinalAccountState[]): AccountRows {
  const codes = new Map<string, Cell>();
  for (const { code } of accounts) if (code?.cell) codes.set(keyOf(code.hash), code.cell);
  return {
    accounts: new Map(accounts.map((account) => [keyOf(account.state.account), account])),
    accountStates: new Map(),
    codes,
  };
}

export async function accountSteps(batch: AccountRows, timeSlice: TimeSlice): Promise<Steps> {
  const states = new TableMerge(tables.accountStates, keepStored("hash"));
  for (const state of batch.accountStates.values()) {
    if (state.account_status !== nonexist) states.add(state);
    await timeSlice.yieldIfDue();
  }
  const methods = new TableMerge(tables.contractMethods, keepStored("code_hash"));
  for (const [key, code] of batch.codes) {
    methods.add({ code_hash: bytesOfKey(key), methods: contractMethods(code) });
    await timeSlice.yieldIfDue();
  }
  const latest = new TableMerge(tables.latestAccountStates, newerAccounts);
  for (const account of batch.accounts.values()) {
    latest.add(latestRow(account));
    await timeSlice.yieldIfDue();
  }
  return [...states.finish(), ...methods.finish(), ...latest.finish()];
}

/** All absent accounts share one state, which the schema has already. */
const nonexist = codeOf(accountStatuses, "nonexist");

/** A later state wins; of an account edited without a transaction the one of the later block. */
const newerAccounts = `${replaceStored("account", tables.latestAccountStates, {
  data_boc:
    "case when excluded.data_hash = stored.data_hash then coalesce(excluded.data_boc, stored.data_boc) else excluded.data_boc end",
  code_boc:
    "case when excluded.code_hash = stored.code_hash then coalesce(excluded.code_boc, stored.code_boc) else excluded.code_boc end",
})} where (coalesce(stored.last_trans_lt, 0), stored.timestamp) <= (coalesce(excluded.last_trans_lt, 0), excluded.timestamp)`;

function latestRow({
  state,
  timestamp,
  lastTransaction,
  code,
  data,
}: FinalAccountState): tables.LatestAccountStateRow {
  return {
    account: state.account,
    hash: state.hash,
    balance: state.balance,
    balance_extra_currencies: state.balance_extra_currencies,
    account_status: state.account_status,
    timestamp,
    last_trans_hash: lastTransaction?.hash,
    last_trans_lt: lastTransaction?.lt,
    frozen_hash: state.frozen_hash,
    data_hash: state.data_hash,
    code_hash: state.code_hash,
    data_boc: data?.cell && serializeBoc(data.cell),
    code_boc: code?.cell && serializeBoc(code.cell),
  };
}
