import type { Columns, RowOf, Table } from "../declare/table.js";
import type { RowSet } from "./row-set.js";

type AnyRow = Record<string, unknown>;

/**
 * Rows of which several may have one key. They are merged before they are written, as their tables declare (`newest` and
 * `combine`), because one statement cannot change a stored row twice.
 */
export class CombinedRows {
  readonly #tables = new Map<Table, Map<string, AnyRow>>();

  add<C extends Columns>(table: Table<C>, row: RowOf<C>): void {
    const rows = this.#tables.get(table) ?? new Map<string, AnyRow>();
    this.#tables.set(table, rows);
    const own = row as AnyRow;
    const key = table.key.map((column) => textOf(own[column])).join(" ");
    const known = rows.get(key);
    rows.set(key, known ? merged(table, known, own) : own);
  }

  addTo(rows: RowSet): void {
    for (const [table, byKey] of this.#tables) {
      const sink = rows.of<Columns>(table);
      for (const row of byKey.values()) sink.add(row as never);
    }
  }
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}

/** The row that the table would have if it got one after the other. */
function merged({ name, columns, merge }: Table, stored: AnyRow, own: AnyRow): AnyRow {
  if (typeof merge === "object" && "newest" in merge) {
    const isOlder = merge.newest.some((column) => compare(own[column], stored[column]) < 0);
    return isOlder ? stored : own;
  }
  if (typeof merge !== "object" || !("combine" in merge))
    throw new TypeError(`rows of ${name} cannot be combined`);
  const { newest, known = [], greatest = [], least = [] } = merge.combine;
  const isNewer = newest !== undefined && compare(own[newest], stored[newest]) >= 0;
  const mergedValue = (column: string) => {
    const [a, b] = [stored[column], own[column]];
    if (known.includes(column)) return a ?? b;
    if (greatest.includes(column)) return a === undefined || (b !== undefined && compare(b, a) > 0) ? b : a;
    if (least.includes(column)) return a === undefined || (b !== undefined && compare(b, a) < 0) ? b : a;
    return isNewer ? b : a;
  };
  return Object.fromEntries(Object.keys(columns).map((column) => [column, mergedValue(column)]));
}

/** Compares numbers. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [a as bigint, b as bigint];
  return left < right ? -1 : left > right ? 1 : 0;
}
