import { groupBy } from "../../../shared/values/groups.js";
import type { Table } from "../declare/table.js";
import { tables } from "../tables/all-tables.js";
import { ownedTokens } from "../tables/owned-tokens.js";

export type DividedTable = Table & { divideBy: object };

/** The tables that are divided among the nodes of a cluster. */
export const dividedTables: readonly DividedTable[] = [...Object.values<Table>(tables), ownedTokens].flatMap(
  (table) => (table.divideBy ? [{ ...table, divideBy: table.divideBy }] : []),
);

/** Those whose dividing columns have the same type lie together: a node has the shards of all of them with a value, or of none. */
export const dividedTogether = [...groupBy(dividedTables, typeOf)].map(([type, together]) => ({
  type,
  together,
  /** A table with a row in each shard. */
  marks: `shards_by_${type}`,
}));

function typeOf(table: DividedTable): string {
  return dividedTable(table).columns[table.divideBy.column]!.sqlType;
}

/** Those with a column that only divided indexes have. */
export const widenedTables = dividedTables.flatMap(({ name, widenBy }) =>
  widenBy ? [{ name, column: widenBy.column, type: widenBy.type }] : [],
);

/** The table as a divided index has it. */
export function dividedTable(table: Table): Table {
  if (!table.widenBy) return table;
  const { column, type } = table.widenBy;
  return { ...table, columns: { [column]: type, ...table.columns }, key: [column, ...table.key] };
}
