import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import type { Columns, RowOf, Table } from "../../store/declare/table.js";
import { accountStateRow, type LatestAccountStateRow } from "../../store/tables/accounts.js";
import { tables } from "../../store/tables/all-tables.js";
import { placedTrace } from "../../store/tables/traces.js";
import type { FinalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import { bytesOfKey, keyOf } from "../hash-key.js";
import type { MethodsByCode } from "../recognition/detector.js";
import type { RowBatch } from "../rows/row-batch.js";
import type { TraceChanges } from "../traces/trace-assembler.js";

type LateRows = { timeSlice: TimeSlice; slotOf: (lt: bigint) => bigint };

/**
 * Adds the rows of accounts, hours and slots, which are final only after all blocks of the batch. `slotOf` returns the
 * beginning of an lt's slot. Returns the methods of the batch's codes.
 */
export async function addLateRows(
  batch: RowBatch,
  changes: TraceChanges,
  { timeSlice, slotOf }: LateRows,
): Promise<MethodsByCode> {
  const methods = await addAccountRows(batch.rows, batch, timeSlice);
  const { chain, rows } = batch;
  await addEach(rows, tables.blockHours, chain.blockHours(), timeSlice);
  await addEach(rows, tables.accountSlots, chain.accountSlots(slotOf), timeSlice);
  await addEach(rows, tables.opcodeSlots, chain.opcodeSlots(slotOf), timeSlice);
  await addEach(rows, tables.bodySlots, chain.bodySlots(slotOf), timeSlice);
  await addEach(rows, tables.shardSlots, chain.shardSlots(slotOf), timeSlice);
  await addEach(rows, tables.messageContents, chain.messageContents(slotOf), timeSlice);
  await addEach(rows, tables.accountTraces, chain.accountTraces(changes.traces), timeSlice);
  return methods;
}

/** Adds the rows of traces and of their open edges. */
export async function addTraceRows(
  rows: RowSet,
  changes: Pick<TraceChanges, "traces" | "opened">,
  timeSlice: TimeSlice,
): Promise<void> {
  await addEach(rows, tables.traces, changes.traces.map(placedTrace), timeSlice);
  const edges = rows.of(tables.openEdges);
  for (const row of changes.opened) edges.add(row);
}

async function addEach<C extends Columns>(
  rows: RowSet,
  table: Table<C>,
  added: Iterable<RowOf<C>>,
  timeSlice: TimeSlice,
): Promise<void> {
  const sink = rows.of(table);
  for (const row of added) {
    sink.add(row);
    await timeSlice.yieldIfDue();
  }
}

type AccountRows = Pick<RowBatch, "accountStates" | "codes"> & {
  accounts: ReadonlyMap<string, FinalAccountState>;
};

/** Account rows without history: only the latest states are stored. */
export function accountRows(accounts: readonly FinalAccountState[]): AccountRows {
  const codes = new Map<string, Cell>();
  for (const { code } of accounts) if (code?.cell) codes.set(keyOf(code.hash), code.cell);
  return {
    accounts: new Map(accounts.map((account) => [keyOf(account.state.account), account])),
    accountStates: new Map(),
    codes,
  };
}

/** Adds the rows of accounts and their codes. Returns the methods of the codes. */
export async function addAccountRows(
  rows: RowSet,
  batch: AccountRows,
  timeSlice: TimeSlice,
): Promise<MethodsByCode> {
  const states = rows.of(tables.accountStates);
  for (const state of batch.accountStates.values()) {
    if (state.account_status !== nonexist) states.add(accountStateRow(state));
    await timeSlice.yieldIfDue();
  }
  const byCode = new Map<string, readonly number[]>();
  const methodRows = rows.of(tables.contractMethods);
  for (const [key, code] of batch.codes) {
    const methods = contractMethods(code);
    byCode.set(key, methods);
    methodRows.add({ code_hash: bytesOfKey(key), methods });
    await timeSlice.yieldIfDue();
  }
  const latest = rows.of(tables.latestAccountStates);
  // The account's own code cell, because `batch.codes` has resolved libraries.
  const codes = new Map<string, Cell>();
  for (const account of batch.accounts.values()) {
    latest.add(latestRow(account));
    if (account.code?.cell) codes.set(keyOf(account.code.hash), account.code.cell);
    await timeSlice.yieldIfDue();
  }
  await addCodes(rows, codes, timeSlice);
  return byCode;
}

async function addCodes(rows: RowSet, codes: ReadonlyMap<string, Cell>, timeSlice: TimeSlice): Promise<void> {
  const stored = rows.of(tables.contractCodes);
  for (const [key, code] of codes) {
    stored.add({ code_hash: bytesOfKey(key), boc: serializeBoc(code) });
    await timeSlice.yieldIfDue();
  }
}

/** All nonexistent accounts share one state, which no row has. */
const nonexist = codeOf(accountStatuses, "nonexist");

function latestRow({ state, timestamp, lastTransaction, data }: FinalAccountState): LatestAccountStateRow {
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
  };
}
