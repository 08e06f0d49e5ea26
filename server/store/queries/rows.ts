import SQL, { empty, join, raw } from "sql-template-tag";
import type { Queries } from "../database.js";
import { type Part, textOf } from "../declare/record.js";
import type { Columns, RowOf, StoredRowOf, Table } from "../declare/table.js";
import {
  behindCursor,
  branchesBehind,
  inOrder,
  type KeyOrder,
  type KeyType,
  keyOfText,
  keyText,
  noteLast,
} from "../sql/keyset.js";
import { all, type Direction, type Fragment, isOneOf, type Page, paged, plannedOnce } from "../sql/where.js";

type Joined = Readonly<Record<string, Columns>>;
type JoinedRow<J extends Joined, O extends Joined> = { [Alias in keyof J]: RowOf<J[Alias]> } & {
  [Alias in keyof O]: RowOf<O[Alias]> | undefined;
};
type JoinOptions<O extends Joined> = {
  /** Tables of outer joins. A row of one that found nothing is `undefined`. */
  outer?: O;
  /** Whether one plan serves all values. */
  isPlannedOnce?: boolean;
};

/** Rows of several tables that `from` joins under these aliases, with the columns named here, typed as declared. */
export async function selectJoined<const J extends Joined, const O extends Joined = Record<never, never>>(
  queries: Queries,
  joined: J,
  from: Fragment,
  { outer, isPlannedOnce = false }: JoinOptions<O> = {},
): Promise<JoinedRow<J, O>[]> {
  const aliases = Object.entries({ ...joined, ...outer }).map(([alias, columns]) => ({
    alias,
    columns: Object.entries(columns),
  }));
  const chosen = aliases.flatMap(({ alias, columns }) => columns.map(([name]) => selected(alias, name)));
  const statement = plannedOnce(SQL`select ${raw(chosen.join(", "))} from ${from}`, isPlannedOnce);
  const found = await queries.query<Record<string, unknown>>(statement);
  return found.map((row) => {
    const rows = aliases.map(({ alias, columns }) => [alias, readRow(alias, columns, row, alias in joined)]);
    // Each entry is made of the columns of its alias.
    return Object.fromEntries(rows) as JoinedRow<J, O>;
  });
}

/**
 * Rows of a table. `from` names it by `alias`, and may join others and filter. `isPlannedOnce`: one plan serves all values;
 * `isInOrder`: and it takes rows from indexes in the order of the list.
 */
export async function selectRows<T extends Table>(
  queries: Queries,
  table: T,
  alias: string,
  from: Fragment,
  { isPlannedOnce = false, isInOrder = false } = {},
): Promise<StoredRowOf<T>[]> {
  const form = rowForm(table, alias);
  const statement = plannedOnce(SQL`select ${form.chosen} from ${from}`, isPlannedOnce);
  const found = await queries.query<Record<string, unknown>>({ ...statement, isInOrder });
  return found.map(form.read);
}

/** Rows of a table in a statement that has it by `alias`: what to select, and how a row is read. */
export function rowForm<T extends Table>(table: T, alias: string) {
  const columns = Object.entries({ ...table.columns, ...table.defaulted });
  return {
    chosen: raw(columns.map(([name]) => selected(alias, name)).join(", ")),
    read: (row: Record<string, unknown>) => readRow(alias, columns, row, true) as StoredRowOf<T>,
  };
}

const selected = (alias: string, name: string) => `${alias}.${name} as ${alias}_${name}`;

/** `isKnown`: the row is there even if all of its columns are null. */
function readRow(
  alias: string,
  columns: readonly (readonly [string, { read(value: unknown): unknown }])[],
  row: Record<string, unknown>,
  isKnown: boolean,
): Record<string, unknown> | undefined {
  const typed: Record<string, unknown> = {};
  let isThere = isKnown;
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
 * all values; planning the text of a record takes longer than reading a page. `isInOrder`: as of `selectRows`. `list`: of
 * which they are a page, whose cursor gets the key of the last one.
 */
export async function selectRecords<Wire>(
  queries: Queries,
  record: Part<never, Wire>,
  from: Fragment,
  { isPlannedOnce = false, isInOrder = false, list }: RecordOptions = {},
): Promise<Wire[]> {
  const key = list?.page.cursor ? SQL`, ${keyText(list.order)} as key` : empty;
  const statement = plannedOnce(SQL`select ${raw(textOf(record))} as text${key} from ${from}`, isPlannedOnce);
  const rows = await queries.query<{ text: string; key: string }>({ ...statement, isInOrder });
  if (list) noteLast(list.page, rows, (last) => keyOfText(list.order, last.key));
  return rows.map(({ text }) => JSON.parse(text) as Wire);
}

type RecordOptions = {
  isPlannedOnce?: boolean;
  isInOrder?: boolean;
  list?: { order: KeyOrder; page: Page };
};

type Values<Row> = { readonly [Name in keyof Row]?: Row[Name] | readonly Row[Name][] | undefined };

/** A table by an alias, and a record of its rows. */
type RecordSource<T extends Table, Wire> = { table: T; alias: string; record: Part<never, Wire> };

type RecordList<Row> = {
  /** Values that columns must have; of a list, one of them. `undefined` and an empty list are no condition. */
  where?: Values<Row>;
  /** The columns must make a total order, so that pages do not overlap. */
  order: readonly (readonly [column: keyof Row & string, type: KeyType, direction: Direction])[];
  page: Page;
  /** Whether one plan serves all values. */
  isPlannedOnce?: boolean;
};

/**
 * One page of a table, for lists that need nothing but equations. If the filter has the primary key, rows are found by it.
 * Otherwise, at most `offset + limit` rows are read of each address or hash of a list.
 */
export function listRecords<T extends Table, Wire>(
  queries: Queries,
  { table, alias, record }: RecordSource<T, Wire>,
  { where = {}, order: columns, page, isPlannedOnce = false }: RecordList<StoredRowOf<T>>,
): Promise<Wire[]> {
  const order = columns.map(([column, type, direction]) => [`${alias}.${column}`, type, direction] as const);
  const list = { order, page };
  const ordered = inOrder(order);
  const behind = behindCursor(order, page);
  const [key = "", ...others] = table.key;
  const named = others.length === 0 && condition(key, (where as Record<string, unknown>)[key]);
  if (named) {
    const rest = Object.entries(where).filter(([column]) => column !== key);
    const from = SQL`(select * from ${raw(table.name)} where ${named} offset 0) ${raw(alias)}
      where ${all(...rest.map(([column, value]) => condition(`${alias}.${column}`, value)), behind)}
      order by ${ordered} ${paged(page)}`;
    return selectRecords(queries, record, from, { isPlannedOnce: true, list });
  }
  const lists = Object.entries(where).filter(([, value]) => areSeveral(value));
  const [several] = lists.length === 1 ? lists : [];
  const conditions = Object.entries(where)
    .filter((each) => each[0] !== several?.[0])
    .map(([column, value]) => condition(`${alias}.${column}`, value));
  const rows = raw(`${table.name} ${alias}`);
  const from = several
    ? SQL`(select distinct unnest(${several[1]}::bytea[])) wanted(value) cross join lateral (
        select * from ${rows} where ${all(SQL`${raw(`${alias}.${several[0]}`)} = wanted.value`, ...conditions, behind)}
        order by ${ordered} limit ${page.offset + page.limit}) ${raw(alias)}`
    : rowsBehind({ rows, alias }, conditions, list);
  // The planner expects few rows of a value, which it would sort.
  const options = several ? { isPlannedOnce: true, isInOrder: true } : { isPlannedOnce };
  return selectRecords(queries, record, SQL`${from} order by ${ordered} ${paged(page)}`, {
    ...options,
    list,
  });
}

/** Each branch is searched by itself: any number of rows may differ from the key of a cursor in the last columns only. */
function rowsBehind(
  { rows, alias }: { rows: Fragment; alias: string },
  conditions: readonly (Fragment | undefined)[],
  { order, page }: { order: KeyOrder; page: Page },
): Fragment {
  const branches = branchesBehind(order, page.cursor?.after);
  if (branches.length <= 1) return SQL`${rows} where ${all(...conditions, ...branches)}`;
  const found = branches.map(
    (branch) => SQL`(
      select * from ${rows} where ${all(...conditions, branch)} order by ${inOrder(order)} ${paged(page)})`,
  );
  return SQL`(${join(found, " union all ")}) ${raw(alias)}`;
}

/** Whether a column must have one of several addresses or hashes. */
function areSeveral(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.every((each) => each instanceof Uint8Array);
}

function condition(column: string, value: unknown): Fragment | undefined {
  if (value === undefined) return undefined;
  // As text: a parameter could not match the condition of a partial index in every plan.
  if (typeof value === "boolean") return value ? raw(column) : raw(`not ${column}`);
  if (!Array.isArray(value)) return SQL`${raw(column)} = ${value}`;
  return value.length === 0 ? undefined : isOneOf(column, value);
}
