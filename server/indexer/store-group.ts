import sql from "sql-template-tag";
import { serializeBoc } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import { accountStatuses, codeOf } from "../store/codes.js";
import type { Transaction } from "../store/database.js";
import { type Columns, type RowOf, type Table, TableCopy } from "../store/table-copy.js";
import * as tables from "../store/tables.js";
import type { AccountEnd } from "./decode/account.js";
import { contractMethods } from "./decode/contract-methods.js";
import type { Group } from "./group.js";
import { bytesOfKey, keyOf } from "./hash-key.js";
import { holdAccounts, type Relied } from "./missing-cells.js";
import type { TraceChanges } from "./traces.js";

/** Writes the rows of a group. What other groups may have written too is merged, always in the order of its keys. */
export async function storeGroup(
  transaction: Transaction,
  group: Group,
  traces: TraceChanges,
  relied: Relied,
): Promise<void> {
  for (const copy of [group.blocks, group.shardState, group.transactions, group.messages])
    if (copy.rows > 0) await transaction.copyIn(copy.target, copy.finish());
  await merge(transaction, tables.messageContents, contentRows(group), keepStored("hash"));
  await holdAccounts(transaction, group.accounts.values(), relied);
  await storeAccounts(transaction, group);
  await storeTraces(transaction, traces);
}

export async function storeTraces(
  transaction: Transaction,
  { traces, opened, closed }: TraceChanges,
): Promise<void> {
  await merge(transaction, tables.traces, traces, replaceStored("trace_id", tables.traces));
  await merge(transaction, tables.openEdges, opened, "");
  if (closed.length > 0)
    await transaction.query(sql`delete from open_edges where msg_hash = any(${closed}::bytea[])`);
}

export type AccountRows = Pick<Group, "accountStates" | "codes"> & {
  accounts: ReadonlyMap<string, AccountEnd>;
};

/** Rows of accounts of which only the latest state is stored. */
export function accountRows(accounts: readonly AccountEnd[]): AccountRows {
  const codes = new Map<string, Cell>();
  for (const { code } of accounts) if (code?.cell) codes.set(keyOf(code.hash), code.cell);
  return {
    accounts: new Map(accounts.map((account) => [keyOf(account.state.account), account])),
    accountStates: new Map(),
    codes,
  };
}

export async function storeAccounts(transaction: Transaction, group: AccountRows): Promise<void> {
  const states = [...group.accountStates.values()].filter(
    ({ account_status }) => account_status !== nonexist,
  );
  await merge(transaction, tables.accountStates, states, keepStored("hash"));
  const methods = [...group.codes].map(([key, code]) => ({
    code_hash: bytesOfKey(key),
    methods: contractMethods(code),
  }));
  await merge(transaction, tables.contractMethods, methods, keepStored("code_hash"));
  const latest = [...group.accounts.values()].map(latestRow);
  await merge(transaction, tables.latestAccountStates, latest, newerAccounts);
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
}: AccountEnd): tables.LatestAccountStateRow {
  return {
    ...state,
    timestamp,
    last_trans_hash: lastTransaction?.hash,
    last_trans_lt: lastTransaction?.lt,
    code_boc: code?.cell && serializeBoc(code.cell),
    data_boc: data?.cell && serializeBoc(data.cell),
  };
}

function contentRows(group: Group): tables.MessageContentRow[] {
  return [...group.contents].map(([key, cell]) => ({ hash: bytesOfKey(key), body: serializeBoc(cell) }));
}

function keepStored(key: string): string {
  return `on conflict (${key}) do nothing`;
}

function replaceStored(key: string, table: Table<Columns>, special: Record<string, string> = {}): string {
  const set = Object.keys(table.columns)
    .filter((column) => column !== key)
    .map((column) => `${column} = ${special[column] ?? `excluded.${column}`}`);
  return `on conflict (${key}) do update set ${set.join(", ")}`;
}

/** COPY knows no conflicts, so rows go through a temporary table of the connection. */
async function merge<C extends Columns>(
  transaction: Transaction,
  table: Table<C>,
  rows: readonly RowOf<C>[],
  onConflict: string,
): Promise<void> {
  if (rows.length === 0) return;
  const stage = `stage_${table.name}`;
  const copy = new TableCopy(table, { into: stage });
  for (const row of rows) copy.add(row);
  const columns = Object.keys(table.columns);
  await transaction.script(
    `create temp table if not exists ${stage} (like ${table.name} including defaults) on commit delete rows`,
  );
  await transaction.copyIn(copy.target, copy.finish());
  await transaction.script(
    `insert into ${table.name} as stored (${columns.join(", ")})
     select ${columns.join(", ")} from ${stage} order by ${columns[0]} ${onConflict}`,
  );
}
