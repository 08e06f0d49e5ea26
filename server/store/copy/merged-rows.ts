import type { Statement } from "../database.js";
import type { AnyColumnType } from "../declare/columns.js";
import type { Columns, RowOf, Table } from "../declare/table.js";
import {
  arrayWords,
  RowBuffer,
  setWords,
  typeNumbers,
  type WriteValue,
  writeNull,
  writeText,
} from "../declare/values.js";
import { onConflict } from "../sql/merge.js";
import { arrayText } from "./parameter.js";

const initialBytes = 512;
/** Bytes before the items of an array that is not empty. */
const headBytes = 20;

/**
 * Encodes rows of one table, and merges them into it: COPY knows no conflicts. The rows are sent as a list of values per
 * column. A temporary table would be emptied with every commit, which takes longer than writing few rows.
 */
export class MergedRows<C extends Columns> {
  readonly #table: Table;
  readonly #names: readonly string[];
  /** Made with the first row: most batches have none of most tables. */
  #lists: readonly ValueList[] = [];
  #rows = 0;

  constructor(table: Table<C>) {
    this.#table = table as unknown as Table;
    this.#names = Object.keys(table.columns);
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: RowOf<C>): void {
    if (this.#rows === 0) this.#lists = Object.values(this.#table.columns).map((type) => new ValueList(type));
    const open = row as Record<string, unknown>;
    for (let i = 0; i < this.#names.length; i++) this.#lists[i]!.add(open[this.#names[i]!]);
    this.#rows++;
  }

  /** The statement that writes the rows, in key order. No rows can be added afterwards. */
  finish(): Statement {
    return { text: textOf(this.#table), values: this.#lists.map((list) => list.finish(this.#rows)) };
  }
}

/** Values of a column in the binary form of an array. There are no arrays of arrays: those are a list of texts. */
class ValueList {
  readonly #write: WriteValue<unknown>;
  readonly #buffer = new RowBuffer(initialBytes);
  readonly #type: number;
  #hasNull = false;

  constructor(type: AnyColumnType) {
    this.#write = isArray(type) ? writeArrayText : (type.write as WriteValue<unknown>);
    this.#type = typeNumbers[elementType(type)];
    this.#buffer.take(headBytes);
  }

  add(value: unknown): void {
    this.#hasNull ||= value === undefined;
    if (value !== undefined) this.#write(value, this.#buffer);
    else writeNull(this.#buffer);
  }

  finish(count: number): Buffer {
    const { bytes, view, at } = this.#buffer;
    setWords(view, 0, arrayWords(this.#type, count, this.#hasNull));
    return Buffer.from(bytes.buffer, 0, at);
  }
}

function isArray({ sqlType }: AnyColumnType): boolean {
  return sqlType.endsWith("[]");
}

function elementType(type: AnyColumnType): keyof typeof typeNumbers {
  return isArray(type) ? "text" : (type.sqlType as keyof typeof typeNumbers);
}

function writeArrayText(value: unknown, target: RowBuffer): void {
  writeText(arrayText(value as readonly unknown[]), target);
}

// Module state: a memo by table.
const texts = new WeakMap<Table, string>();

function textOf(table: Table): string {
  const text = texts.get(table) ?? mergeText(table);
  texts.set(table, text);
  return text;
}

function mergeText(table: Table): string {
  const { name, key, merge } = table;
  const columns = Object.entries(table.columns);
  const names = columns.map(([column]) => column).join(", ");
  const given = columns.map(([column, type]) => (isArray(type) ? `${column}::${type.sqlType}` : column));
  const lists = columns.map(([, type], i) => `$${i + 1}::${elementType(type)}[]`);
  return `
    insert into ${name} as stored (${names})
    select ${given.join(", ")} from unnest(${lists.join(", ")}) as given (${names})
    order by ${key.join(", ")} ${onConflict(table, merge!)}`;
}
