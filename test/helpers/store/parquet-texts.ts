import { raw } from "sql-template-tag";
import type { Queries } from "../../../server/store/database.js";
import { parquetColumns } from "../../../server/store/parquet/parquet-columns.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import type { DatedTable } from "../../../server/store/queries/upkeep/rows-by-day.js";

/** All rows of a table as Parquet files should have them, each a sorted text of its values; and rows that a reader has found. */
export async function storedTexts(queries: Queries, { table, lt }: DatedTable) {
  const stored = await selectRows(
    queries,
    table,
    "r",
    raw(`${table.name} r where r.${lt} < ${2n ** 63n - 1n}`),
  );
  const columns = parquetColumns(table);
  const texts = (rows: readonly object[], value: (row: never, name: string, at: number) => unknown) =>
    rows
      .map((row) =>
        columns
          .map(({ element }, at) => `${element.name}=${value(row as never, element.name, at) ?? "null"}`)
          .join("\n"),
      )
      .sort();
  return {
    stored: texts(stored, (row, _name, at) => columns[at]!.of(row)),
    found: (rows: readonly object[]) => texts(rows, (row, name) => row[name]),
  };
}
