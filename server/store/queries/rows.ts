import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../database.js";
import { type Part, textOf } from "../declare/record.js";
import type { Columns, RowOf, StoredRowOf, Table } from "../declare/table.js";
import { all, type Direction, type Fragment, isOneOf, type Page, paged, plannedOnce } from "../where.js";

type Joined = Readonly<Record<string, Columns>>;
type JoinedRow<J extends Joined> = { [Alias in keyof J]: RowOf<J[Alias]> | undefined };

/**
 * Rows of several tables that `from` joins under these aliases, with the columns named here, typed as declared. A row of
 * an outer join that found nothing is `undefined`. `isPlannedOnce`: one plan serves all values.
 */
export async function selectJoined<const J extends Joined>(
  queries: Queries,
  joined: J,
  from: Fragment,
  { isPlannedOnce = false } = {},
): Promise<JoinedRow<J>[]> {
  const aliases = Object.entries(joined).map(([alias, columns]) => ({
    alias,
    columns: Object.entries(columns),
  }));
  const chosen = aliases.flatMap(({ alias, columns }) => columns.map(([name]) => selected(alias, name)));
  const statement = plannedOnce(SQL`select ${raw(chosen.join(", "))} from ${from}`, isPlannedOnce);
  const found = await queries.query<Record<string, unknown>>(statement);
  return found.map((row) => {
    const rows = aliases.map(({ alias, columns }) => [alias, readRow(alias, columns, row)]);
    // Each entry is made of the columns of its alias.
    return Object.fromEntries(rows) as JoinedRow<J>;
  });
}

/** Rows of a table. `from` names it by `alias`, and may join others and filter. `isPlannedOnce`: one plan serves all values. */
export async function selectRows<T extends Table>(
  queries: Queries,
  table: T,
  alias: string,
  from: Fragment,
  { isPlannedOnce = false } = {},
): Promise<StoredRowOf<T>[]> {
  const form = rowForm(table, alias);
  const statement = plannedOnce(SQL`select ${form.chosen} from ${from}`, isPlannedOnce);
  const found = await queries.query<Record<string, unknown>>(statement);
  return found.map(form.read);
}

/** Rows of a table in a statement that has it by `alias`: what to select, and how a row is read. */
export function rowForm<T extends Table>(table: T, alias: string) {
  const columns = Object.entries({ ...table.columns, ...table.defaulted });
  return {
    chosen: raw(columns.map(([name]) => selected(alias, name)).join(", ")),
    // No row of a table has null in all columns.
    read: (row: Record<string, unknown>) => readRow(alias, columns, row) as StoredRowOf<T>,
  };
}

const selected = (alias: string, name: string) => `${alias}.${name} as ${alias}_${name}`;

function readRow(
  alias: string,
  columns: readonly (readonly [string, { read(value: unknown): unknown }])[],
  row: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const typed: Record<string, unknown> = {};
  let isThere = false;
  for (const [name, type] of columns) {
    const value = row[`${alias}_${name}`];
    typed[name] = value === null ? undefined : type.read(value);
    isThere ||= value !== null;
  }
  return isThere ? typed : undefined;
}

/**
 * Records of the rows of `from`, whose aliases are those of the record. SQL makes their text: for long lists and large
 * columns that takes a fraction of the time of reading typed rows and presenting them. `isPlannedOnce`: one plan serves
 * all values; planning the text of a record takes longer than reading a page.
 */
export async function selectRecords<Wire>(
  queries: Queries,
  record: Part<never, Wire>,
  from: Fragment,
  { isPlannedOnce = false } = {},
): Promise<Wire[]> {
  const statement = plannedOnce(SQL`select ${raw(textOf(record))} as text from ${from}`, isPlannedOnce);
  const rows = await queries.query<{ text: string }>(statement);
  return rows.map(({ text }) => JSON.parse(text) as Wire);
}

type Values<Row> = { readonly [Name in keyof Row]?: Row[Name] | readonly Row[Name][] | undefined };

/** A table by an alias, and a record of its rows. */
export type RecordSource<T extends Table, Wire> = { table: T; alias: string; record: Part<never, Wire> };

export type RecordList<Row> = {
  /** Values that columns must have; of a list, one of them. `undefined` and an empty list are no condition. */
  where?: Values<Row>;
  /** The columns must make a total order, so that pages do not overlap. */
  order: readonly (readonly [column: keyof Row & string, direction: Direction])[];
  page: Page;
  /** Whether one plan serves all values. */
  isPlannedOnce?: boolean;
};

/** One page of a table, for lists that need nothing but equations. */
export function listRecords<T extends Table, Wire>(
  queries: Queries,
  { table, alias, record }: RecordSource<T, Wire>,
  { where = {}, order, page, isPlannedOnce = false }: RecordList<StoredRowOf<T>>,
): Promise<Wire[]> {
  const conditions = Object.entries(where).map(([column, value]) => condition(`${alias}.${column}`, value));
  const ordered = raw(order.map(([column, direction]) => `${alias}.${column} ${direction}`).join(", "));
  const from = raw(`${table.name} ${alias}`);
  return selectRecords(
    queries,
    record,
    SQL`${from} where ${all(...conditions)} order by ${ordered} ${paged(page)}`,
    { isPlannedOnce },
  );
}

function condition(column: string, value: unknown): Fragment | undefined {
  if (value === undefined) return undefined;
  // As text: a parameter could not match the condition of a partial index in every plan.
  if (typeof value === "boolean") return value ? raw(column) : raw(`not ${column}`);
  if (!Array.isArray(value)) return SQL`${raw(column)} = ${value}`;
  return value.length === 0 ? undefined : isOneOf(column, value);
}
