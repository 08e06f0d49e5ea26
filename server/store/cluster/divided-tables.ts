import { address } from "../declare/columns.js";
import type { Table } from "../declare/table.js";
import { accountStates } from "../tables/accounts.js";
import { actionAccounts } from "../tables/actions.js";
import { messageContents, messages } from "../tables/messages.js";
import { transactions } from "../tables/transactions.js";

/** The tables that are divided among the nodes of a cluster by the hash of their `account`. */
export const dividedTables: readonly Table[] = [transactions, messages, accountStates, messageContents].map(
  (each) => each as unknown as Table,
);

/** Tables that are divided by the hash of another column of theirs, each by itself. In other indexes it spreads their parts. */
export const spreadTables = [actionAccounts] as const;

/** The divided tables without a column for the account that divides them. A divided index adds the column. */
export const tablesWithoutAccounts = dividedTables.filter(({ columns }) => !("account" in columns));

/** By the table: the same with the account as first column. */
const withAccount = new Map<Table, Table>(
  tablesWithoutAccounts.map((table) => [
    table,
    { ...table, columns: { account: address, ...table.columns }, key: ["account", ...table.key] },
  ]),
);

/** The table as a divided index has it. */
export function dividedTable(table: Table): Table {
  return withAccount.get(table) ?? table;
}
