import { groupBy } from "../../../shared/values/groups.js";
import type { Table } from "../declare/table.js";
import { tables } from "../tables/all-tables.js";

export type DividedTable = Table & { divideBy: object };

/** The tables that are divided among the nodes of a cluster. */
export const dividedTables: readonly DividedTable[] = Object.values<Table>(tables).flatMap((table) =>
  table.divideBy ? [{ ...table, divideBy: table.divideBy }] : [],
);

/** Those whose dividing columns have the same type lie together: a node has the shards of all of them with a value, or of none. */
export const dividedTogether = [...groupBy(dividedTables, typeOf)].map(([type, together]) => ({
  type,
  together,
  /** A table with a row in each shard. */
  marks: `shards_by_${type}`,
}));

function typeOf({ columns, divideBy: { column, type = columns[column] } }: DividedTable): string {
  return type!.sqlType;
}

/** Those with a column that only divided indexes have. */
export const widenedTables = dividedTables.flatMap(({ name, divideBy: { column, type } }) =>
  type ? [{ name, column, type }] : [],
);

/** By the name of a table: the same with that column as first one. */
const asDivided = new Map<string, Table>(
  widenedTables.map(({ name, column, type }) => {
    const table = dividedTables.find((each) => each.name === name)!;
    return [name, { ...table, columns: { [column]: type, ...table.columns }, key: [column, ...table.key] }];
  }),
);

/** The table as a divided index has it. */
export function dividedTable(table: Table): Table {
  return asDivided.get(table.name) ?? table;
}
