import type { CopyRows } from "../database.js";
import type { Columns, RowOf, Table } from "../declare/table.js";
import { tables } from "../tables.js";
import { mergeSteps, stageName } from "./merge.js";
import { TableCopy } from "./table-copy.js";

/** Statements and rows, as `Transaction.write` takes them. */
export type Steps = (string | CopyRows)[];

/** Where rows of one table are added. */
export type RowSink<Row> = { readonly rows: number; add(row: Row): void };

/** Collects rows of any tables, encoded as they are added, to be written as the tables' declarations say. */
export class RowSet {
  readonly #copies = new Map<Table, TableCopy<never>>();

  /** The rows of a table. Throws if it is not in the list of tables. */
  of<C extends Columns>(table: Table<C>): RowSink<RowOf<C>> {
    const known = this.#copies.get(table);
    // Rows of a table have the columns of that table.
    if (known) return known as unknown as TableCopy<C>;
    if (!inOrder.includes(table)) throw new TypeError(`${table.name} is in no list of tables`);
    const copy =
      table.merge === undefined ? new TableCopy(table) : new TableCopy(table, { into: stageName(table) });
    this.#copies.set(table, copy as unknown as TableCopy<never>);
    return copy;
  }

  /** The tables whose rows are merged by way of a stage. */
  get staged(): Table[] {
    return [...this.#copies]
      .filter(([{ merge }, { rows }]) => merge !== undefined && rows > 0)
      .map(([t]) => t);
  }

  /** The steps that write all rows, in the order of the list of tables. No rows can be added afterwards. */
  finish(): Steps {
    return inOrder.flatMap((table) => this.#finish(table));
  }

  /** The same for tables whose rows no other writer has, as nothing is merged there; `finish` then leaves them out. */
  finishUnmerged(): Steps {
    return inOrder.filter(({ merge }) => merge === undefined).flatMap((table) => this.#finish(table));
  }

  #finish(table: Table): Steps {
    const copy = this.#copies.get(table);
    this.#copies.delete(table);
    if (!copy || copy.rows === 0) return [];
    return table.merge === undefined ? [copy.finish()] : mergeSteps(table, copy);
  }
}

const inOrder: readonly Table[] = Object.values(tables);
