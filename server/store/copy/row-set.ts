import { dividedTable } from "../cluster/divided-tables.js";
import { ownersIn } from "../cluster/owned-tokens.js";
import type { Queries, Steps } from "../database.js";
import type { Columns, RowOf, Table } from "../declare/table.js";
import { tables } from "../tables/all-tables.js";
import { ownedTokens } from "../tables/owned-tokens.js";
import { MergedRows } from "./merged-rows.js";
import { TableCopy } from "./table-copy.js";

/** Adds rows of one table. */
export type RowSink<Row> = { readonly rows: number; add(row: Row): void };

/** Collects rows of any tables, encoded as they are added, to be written as the tables' declarations say. */
export class RowSet {
  /** Whether the index is divided among nodes, so that its rows have the columns that divide their tables. */
  readonly isDivided: boolean;
  readonly #rows = new Map<Table, TableCopy<never> | MergedRows<never>>();

  constructor({ isDivided = false } = {}) {
    this.isDivided = isDivided;
  }

  /** For rows of this index. */
  static async for(index: Queries): Promise<RowSet> {
    return new RowSet({ isDivided: await index.isDivided() });
  }

  /** The rows of a table. Throws if it is not in the list of tables. */
  of<C extends Columns>(table: Table<C>): RowSink<RowOf<C>> {
    const known = this.#rows.get(table);
    // Rows of a table have the columns of that table.
    if (known) return this.#sinkOf(table, known as unknown as RowSink<RowOf<C>>);
    if (!inOrder.includes(table)) throw new TypeError(`${table.name} is in no list of tables`);
    const stored = this.isDivided ? dividedTable(table) : table;
    const rows = table.merge === undefined ? new TableCopy(stored) : new MergedRows(stored);
    this.#rows.set(table, rows as unknown as TableCopy<never>);
    return this.#sinkOf(table, rows as unknown as RowSink<RowOf<C>>);
  }

  /** Adds what only divided indexes have: a column, if rows come without it, and the tokens of owners. */
  #sinkOf<C extends Columns>({ widenBy, ownedBy }: Table<C>, sink: RowSink<RowOf<C>>): RowSink<RowOf<C>> {
    if (!this.isDivided) return sink;
    const owned = ownedBy && this.of(ownedTokens);
    const of = widenBy?.of;
    if (!owned && !of) return sink;
    return {
      get rows() {
        return sink.rows;
      },
      add: (row) => {
        sink.add(of ? { ...row, [widenBy.column]: of(row as never) } : row);
        if (owned) for (const each of ownersIn(ownedBy, row)) owned.add(each);
      },
    };
  }

  /** The steps that write all rows: those that are not merged, then the others, in the order of the list of tables. */
  finish(): Steps {
    return [...this.finishUnmerged(), ...inOrder.flatMap((table) => this.#finish(table))];
  }

  /** The same for tables whose rows no other writer has, as nothing is merged there; `finish` then leaves them out. */
  finishUnmerged(): Steps {
    return inOrder.filter(({ merge }) => merge === undefined).flatMap((table) => this.#finish(table));
  }

  #finish(table: Table): Steps {
    const rows = this.#rows.get(table);
    this.#rows.delete(table);
    return rows && rows.rows > 0 ? [rows.finish()] : [];
  }
}

const inOrder: readonly Table[] = [...Object.values(tables), ownedTokens];
