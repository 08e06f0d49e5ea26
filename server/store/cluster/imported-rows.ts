import SQL, { raw } from "sql-template-tag";
import { itemAt, memberOf } from "../../../shared/values/lookups.js";
import type { CopyTarget, Queries, Transaction } from "../database.js";
import { oneRow } from "../sql/one-row.js";
import { empty, type Fragment } from "../sql/where.js";
import { accountStates } from "../tables/accounts.js";
import { actionLocator, actions } from "../tables/actions.js";
import { msgLocator, txLocator } from "../tables/directories.js";
import { messageContents, messages } from "../tables/messages.js";
import { widenedTables } from "./divided-tables.js";

const staged = "imported_rows";

type Slot = { readonly from_lt: bigint; readonly to_lt: bigint };

/** A FROM list with rows `r` as one server has them, the value of their further column, and what comes before the statement. */
type Widened = { value: Fragment; from: Fragment; before?: Fragment };

const rows = SQL`${raw(staged)} r`;

/** By the table, for the rows of a slot. */
const ofSlots: Readonly<Record<string, (slot: Slot) => Widened>> = {
  [actions.name]: () => ({ value: SQL`hash_prefix(r.trace_id)`, from: rows }),
  [messages.name]: () => ({ value: raw(itemAt(messages.clusterBy ?? [], 0)), from: rows }),
  [accountStates.name]: () => ({
    value: SQL`a.account`,
    from: SQL`${rows} join latest_account_states a on account_key(a.account) = r.account_key`,
  }),
  // Each account has its own. Bodies that no message of the slot has any more are left out.
  [messageContents.name]: ({ from_lt: from, to_lt: to }) => {
    const uses = (hash: string) =>
      SQL`select account, ${raw(hash)} as hash from messages where tx_lt >= ${from} and tx_lt < ${to}`;
    return {
      before: SQL`with u as materialized (${uses("body_hash")} union ${uses("init_state_hash")})`,
      value: SQL`u.account`,
      from: SQL`u join ${rows} on r.hash = u.hash`,
    };
  },
};

/** By the table, for rows of any slots. */
const ofAnySlots: Readonly<Record<string, Widened>> = {
  [txLocator.name]: {
    value: SQL`t.account`,
    from: SQL`${rows} join transactions t on t.lt = r.lt and hash_prefix(t.hash) = r.hash_prefix`,
  },
  [msgLocator.name]: {
    value: SQL`m.account`,
    from: SQL`${rows} join messages m
      on m.tx_lt = r.tx_lt and r.hash_prefix in (hash_prefix(m.msg_hash), hash_prefix(m.msg_hash_norm))`,
  },
  [actionLocator.name]: {
    value: SQL`a.trace_prefix`,
    from: SQL`${rows} join actions a
      on a.trace_end_lt = r.trace_end_lt and hash_prefix(a.action_id) = r.hash_prefix`,
  },
};

/** The tables of this index whose rows have a column more than those of one server. */
export async function widenedIn(index: Queries): Promise<ReadonlySet<string>> {
  return new Set((await index.isDivided()) ? widenedTables.map(({ name }) => name) : []);
}

/** Makes a table for rows as one server has them, until the end of the transaction. */
export async function stageRows(
  transaction: Transaction,
  table: string,
  columns: readonly string[],
): Promise<CopyTarget> {
  await transaction.script(`
    create temp table ${staged} on commit drop as select ${columns.join(", ")} from ${table} with no data`);
  return { table: staged, columns };
}

/** Stores the staged rows with their further column. The rows that have its values are stored before. */
export async function storeStaged(
  transaction: Transaction,
  table: string,
  { columns, slot }: { columns: readonly string[]; slot: string | null },
): Promise<void> {
  const { value, from, before = empty } = await widened(transaction, table, slot);
  const { column } = widenedTables.find(({ name }) => name === table)!;
  const names = columns.join(", ");
  await transaction.query(SQL`
    ${before}
    insert into ${raw(table)} (${raw(column)}, ${raw(names)})
    select ${value}, ${raw(columns.map((name) => `r.${name}`).join(", "))} from ${from}`);
}

async function widened(queries: Queries, table: string, slot: string | null): Promise<Widened> {
  if (slot === null) return memberOf(ofAnySlots, table);
  const bounds = await oneRow<Slot>(queries, SQL`select from_lt, to_lt from slots where from_lt = ${slot}`);
  return memberOf(ofSlots, table)(bounds);
}
