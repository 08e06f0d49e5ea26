import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../shared/values/lookups.js";
import type { CopyTarget, Transaction } from "../database.js";
import { oneRow } from "../sql/one-row.js";
import { empty, type Fragment } from "../sql/where.js";
import { accountStates } from "../tables/accounts.js";
import { messageContents, messages } from "../tables/messages.js";
import { tablesWithoutAccounts } from "./divided-tables.js";

const staged = "imported_rows";

type Slot = { readonly from_lt: bigint; readonly to_lt: bigint };

/** A FROM list with rows `r` as one server has them, the expression of their accounts, and what comes before the statement. */
type WithAccounts = { account: Fragment; from: Fragment; before?: Fragment };

const rows = SQL`${raw(staged)} r`;

/** By the table. */
const accountsOf: Readonly<Record<string, (slot: Slot) => WithAccounts>> = {
  [messages.name]: () => ({ account: raw(itemAt(messages.clusterBy ?? [], 0)), from: rows }),
  [accountStates.name]: () => ({
    account: SQL`a.account`,
    from: SQL`${rows} join latest_account_states a on account_key(a.account) = r.account_key`,
  }),
  // Each account has its own. Bodies that no message of the slot has any more are left out.
  [messageContents.name]: ({ from_lt: from, to_lt: to }) => {
    const uses = (hash: string) =>
      SQL`select account, ${raw(hash)} as hash from messages where tx_lt >= ${from} and tx_lt < ${to}`;
    return {
      before: SQL`with u as materialized (${uses("body_hash")} union ${uses("init_state_hash")})`,
      account: SQL`u.account`,
      from: SQL`u join ${rows} on r.hash = u.hash`,
    };
  },
};

/** Whether a divided index has the account in rows of this table, and one server has not. */
export function lacksAccounts(table: string): boolean {
  return tablesWithoutAccounts.some(({ name }) => name === table);
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

/** Stores the staged rows of a slot with their accounts. The messages and the latest states are stored before. */
export async function storeStaged(
  transaction: Transaction,
  table: string,
  { columns, slot }: { columns: readonly string[]; slot: bigint },
): Promise<void> {
  const bounds = await oneRow<Slot>(
    transaction,
    SQL`select from_lt, to_lt from slots where from_lt = ${slot}`,
  );
  const { account, from, before = empty } = accountsOf[table]!(bounds);
  const names = columns.join(", ");
  await transaction.query(SQL`
    ${before}
    insert into ${raw(table)} (account, ${raw(names)})
    select ${account}, ${raw(columns.map((name) => `r.${name}`).join(", "))} from ${from}`);
}
