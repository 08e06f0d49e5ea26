import type { CopyRows, CopyTarget } from "../database.js";
import type { Columns, RowOf, Table } from "../declare/table.js";
import { RowBuffer, type WriteValue, writeNull } from "../declare/values.js";

/** `PGCOPY\n\377\r\n\0`, no flags, no extension. */
const signature = Buffer.from("5047434f50590aff0d0a000000000000000000", "hex");
const end = -1;

/** Encodes rows of one table in the binary format of COPY. */
export class TableCopy<C extends Columns> {
  readonly target: CopyTarget;
  readonly #names: readonly string[];
  readonly #writers: readonly WriteValue<unknown>[];
  readonly #buffer: RowBuffer;
  #rows = 0;

  constructor({ name, columns }: Pick<Table<C>, "name" | "columns">, { initialBytes = 1 << 13 } = {}) {
    this.#names = Object.keys(columns);
    this.#writers = Object.values(columns).map(({ write }) => write as WriteValue<unknown>);
    this.target = { table: name, columns: this.#names };
    this.#buffer = new RowBuffer(initialBytes);
    const at = this.#buffer.take(signature.length);
    this.#buffer.bytes.set(signature, at);
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: RowOf<C>): void {
    const open = row as Record<string, unknown>;
    const names = this.#names;
    const writers = this.#writers;
    const buffer = this.#buffer;
    const at = buffer.take(2);
    buffer.view.setInt16(at, names.length);
    for (let i = 0; i < names.length; i++) {
      const value = open[names[i]!];
      if (value !== undefined) writers[i]!(value, buffer);
      else writeNull(buffer);
    }
    this.#rows++;
  }

  /** Ends the data and returns it. No rows can be added afterwards. */
  finish(): CopyRows {
    const at = this.#buffer.take(2);
    this.#buffer.view.setInt16(at, end);
    return { target: this.target, rows: this.#buffer.bytes.subarray(0, this.#buffer.at) };
  }
}
