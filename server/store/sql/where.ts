import SQL, { empty, type Sql as Fragment, join, raw } from "sql-template-tag";
import type { ListCursor } from "../../../shared/values/list-cursor.js";
import { codeOf } from "../codes.js";
import type { Statement } from "../database.js";

export type { Fragment };
export type Direction = "asc" | "desc";
/** A page of a list. With a cursor it begins behind the key of that, and the list sets the key behind which the next one begins. */
export type Page = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: ListCursor | undefined;
};

/** Inclusive bounds of a list, in unix time and logical time; members are named like the parameters. */
export type TimeBounds = {
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

export function hasTimes({ start_utime, end_utime }: TimeBounds): boolean {
  return start_utime !== undefined || end_utime !== undefined;
}

export function hasLts({ start_lt, end_lt }: TimeBounds): boolean {
  return start_lt !== undefined || end_lt !== undefined;
}

export const largestBigint = 2n ** 63n - 1n;

/** Joins conditions by `and`; `undefined` ones are left out. */
export function all(...conditions: readonly (Fragment | undefined)[]): Fragment {
  const asked = conditions.filter((condition) => condition !== undefined);
  return asked.length === 0 ? SQL`true` : join(asked, " and ");
}

/** Whether all of the conditions are left out. */
export function hasNone(conditions: readonly (Fragment | undefined)[]): boolean {
  return conditions.every((condition) => condition === undefined);
}

/** A condition for an optional value. */
export function given<T>(value: T | undefined, condition: (value: T) => Fragment): Fragment | undefined {
  return value === undefined ? undefined : condition(value);
}

/** A condition for an optional list; an empty list is no condition. */
export function anyOf<T>(
  values: readonly T[] | undefined,
  condition: (values: readonly T[]) => Fragment,
): Fragment | undefined {
  return values === undefined || values.length === 0 ? undefined : condition(values);
}

/**
 * A condition for a column that equals one of the values. For a single value it is an equation, which gets a generic plan:
 * a list is planned for its length each time, and over many partitions that takes longer than the search.
 */
export function isOneOf(column: string, values: readonly unknown[]): Fragment {
  return values.length === 1 ? SQL`${raw(column)} = ${values[0]}` : SQL`${raw(column)} = any(${values})`;
}

/** Whether a list is filtered by one value of one column, whose index then has its rows in order. */
export function isByOne(...filters: readonly (readonly unknown[] | undefined)[]): boolean {
  const [only, ...others] = filters.filter((values) => values !== undefined && values.length > 0);
  return only?.length === 1 && others.length === 0;
}

/** Each key once. */
export function distinct(keys: readonly Uint8Array[] = []): Uint8Array[] {
  return [...new Map(keys.map((key) => [Buffer.from(key).toString("latin1"), key])).values()];
}

type KeyType = "bytea" | "bigint" | "integer" | "smallint" | "text";

/**
 * A list of keys whose length is hidden from the planner. A known short length looks so much cheaper than an unknown one
 * that the statement is planned anew each time, which over many partitions takes far longer than reading the rows.
 */
export function keyList(type: KeyType, keys: unknown): Fragment {
  return SQL`(select ${keys}::${raw(type)}[])`;
}

/** Such lists side by side: of each row, these columns in this order. */
export function keyLists<Column extends string>(
  rows: readonly Readonly<Record<NoInfer<Column>, unknown>>[],
  types: Readonly<Record<Column, KeyType>>,
): Fragment {
  const lists = (Object.keys(types) as Column[]).map((column) =>
    keyList(
      types[column],
      rows.map((row) => row[column]),
    ),
  );
  return SQL`unnest(${join(lists)})`;
}

/** The least of some values; there must be one. */
export function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b < a ? b : a));
}

/** The greatest of some values; there must be one. */
export function greatest(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b > a ? b : a));
}

/** A closed range. */
export function within(
  column: string,
  from: number | bigint | undefined,
  to: number | bigint | undefined,
): Fragment | undefined {
  if (from === undefined && to === undefined) return undefined;
  return all(
    given(from, (value) => SQL`${raw(column)} >= ${capped(value)}`),
    given(to, (value) => SQL`${raw(column)} <= ${capped(value)}`),
  );
}

/** Logical times have 64 bits, the column 63. Larger ones never occur. */
export function capped(value: bigint): bigint;
export function capped(value: number | bigint): number | bigint;
export function capped(value: number | bigint): number | bigint {
  return value > largestBigint ? largestBigint : value;
}

/** `lt desc, account desc`: the ORDER BY list, all columns in one direction. */
export function ordered(direction: Direction, ...columns: readonly string[]): Fragment {
  return raw(columns.map((column) => `${column} ${direction}`).join(", "));
}

/** `(lt, account) < (…)`: rows behind a key of the order, or up to and including it. */
export function compared(
  direction: Direction,
  side: "behind" | "upTo",
  columns: readonly string[],
  values: readonly unknown[],
): Fragment {
  const isGreater = (direction === "asc") === (side === "behind");
  const sign = `${isGreater ? ">" : "<"}${side === "upTo" ? "=" : ""}`;
  return SQL`(${raw(columns.join(", "))}) ${raw(sign)} (${join(values)})`;
}

export function paged({ limit, offset }: Page): Fragment {
  return offset === 0 ? SQL`limit ${limit}` : SQL`limit ${limit} offset ${offset}`;
}

/** The code of a word, as text: a parameter could not match the condition of a partial index in every plan. */
export function code<const Words extends readonly string[]>(words: Words, word: Words[number]): Fragment {
  return raw(String(codeOf(words, word)));
}

/**
 * A statement whose plan does not depend on its values: readers plan it once per connection, as planning it takes longer
 * than running it. All other statements of a reader are planned for their values; so is this one unless `isPlannedOnce`.
 */
export function plannedOnce({ text, values }: Fragment, isPlannedOnce = true): Statement {
  return { text, values, isPlannedOnce };
}

export { empty };
