import type { CopyRows } from "./database.js";
import { type Columns, type RowOf, type Table, TableCopy } from "./table-copy.js";

/**
 * Collects rows for a table that may have some of them already. COPY knows no conflicts, so the rows go through a
 * temporary table of the connection.
 */
export class TableMerge<C extends Columns> {
  readonly #table: Table<C>;
  readonly #onConflict: string;
  readonly #stage: TableCopy<C>;

  /** `onConflict` is what stands behind the rows of the insert, where the table is called `stored`. */
  constructor(table: Table<C>, onConflict: string) {
    this.#table = table;
    this.#onConflict = onConflict;
    this.#stage = new TableCopy(table, { into: `stage_${table.name}` });
  }

  add(row: RowOf<C>): void {
    this.#stage.add(row);
  }

  /** What has to be written; nothing can be added any more. Rows are merged in the order of the first column. */
  finish(): (string | CopyRows)[] {
    if (this.#stage.rows === 0) return [];
    const { target } = this.#stage;
    const { name } = this.#table;
    const columns = target.columns.join(", ");
    return [
      `create temp table if not exists ${target.table} (like ${name} including defaults) on commit delete rows`,
      this.#stage.finish(),
      `insert into ${name} as stored (${columns})
       select ${columns} from ${target.table} order by ${target.columns[0]} ${this.#onConflict}`,
    ];
  }
}

export function keepStored(key: string): string {
  return `on conflict (${key}) do nothing`;
}

/** Columns are taken over unless a `special` expression says what becomes of them. */
export function replaceStored(
  key: string,
  { columns }: Table<Columns>,
  special: Record<string, string> = {},
): string {
  const set = Object.keys(columns)
    .filter((column) => column !== key)
    .map((column) => `${column} = ${special[column] ?? `excluded.${column}`}`);
  return `on conflict (${key}) do update set ${set.join(", ")}`;
}
