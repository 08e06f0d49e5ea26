// Records of answers, declared once: each part is SQL for its JSON text and a function of typed rows.
import type { AnyColumnType } from "./columns.js";
import { type Json, type MaybeJson, maybeBare, maybeQuoted, objectJson, quoted, sqlOf } from "./json-text.js";
import type { Columns } from "./table.js";

/** A part that is always there. `present` takes the rows of the query by their aliases. */
export type Part<Rows, Wire> = { readonly json: Json; present(rows: Rows): Wire };

/** A part that may be absent: null in SQL, `undefined` in JavaScript. */
export type MaybePart<Rows, Wire> = { readonly maybe: MaybeJson; present(rows: Rows): Wire | undefined };

/** A column of a row. As a required member it must not be null. */
export type ColumnPart<Rows, Wire> = {
  readonly json: Json;
  readonly maybe: MaybeJson;
  readonly expression: string;
  /** The value in the row itself. */
  read(rows: Rows): unknown;
  present(rows: Rows): Wire | undefined;
};

type WireOf<C> = C extends { form: { present(value: never): infer Wire } } ? Wire : never;

/** Rows by alias. A row of an outer join may be absent; its columns are null then. */
type Aliased<Alias extends string> = { readonly [A in Alias]: object | undefined };

/** The columns of row `alias` of a table as parts of a record. */
export function columnsOf<const Alias extends string, C extends Columns>(
  alias: Alias,
  columns: C,
): { readonly [Name in keyof C]: ColumnPart<Aliased<Alias>, WireOf<C[Name]>> } {
  const parts = Object.entries(columns).map(([name, type]) => [name, columnPart(alias, name, type)]);
  // Each entry is what the mapped type says of its column.
  return Object.fromEntries(parts) as never;
}

function columnPart(
  alias: string,
  name: string,
  { form }: AnyColumnType,
): ColumnPart<Record<string, object | undefined>, unknown> {
  const expression = `${alias}.${name}`;
  const sql = form.sql(expression);
  const read = (rows: Record<string, object | undefined>) =>
    (rows[alias] as Record<string, unknown> | undefined)?.[name];
  return {
    json: form.kind === "text" ? quoted(sql) : [{ sql: form.kind === "flag" ? maybeBare(sql) : sql }],
    maybe: form.kind === "text" ? maybeQuoted(sql) : maybeBare(sql),
    expression,
    read,
    present(rows) {
      const value = read(rows);
      return value === undefined ? undefined : form.present(value as never);
    },
  };
}

type AnyPart = { readonly json: Json; present(rows: never): unknown };
type AnyMaybePart = { readonly maybe: MaybeJson; present(rows: never): unknown };
type Parts = Readonly<Record<string, AnyPart>>;
type MaybeParts = Readonly<Record<string, AnyMaybePart>>;

type Presented<P> = P extends { present(rows: never): infer Wire } ? Exclude<Wire, undefined> : never;
type RowsOf<P> = [P] extends [{ present(rows: infer Rows): unknown }] ? Rows : never;
type ObjectOf<M, O> = { [K in keyof M]: Presented<M[K]> } & { [K in keyof O]?: Presented<O[K]> };

/** An object. Optional members follow the others; absent ones are left out. */
export function object<const M extends Parts, const O extends MaybeParts = Record<never, never>>(
  members: M,
  optional?: O,
): Part<RowsOf<M[keyof M] | O[keyof O]>, ObjectOf<M, O>> {
  const required = Object.entries(members);
  const others = Object.entries(optional ?? {});
  return {
    json: objectJson(
      Object.fromEntries(required.map(([name, { json }]) => [name, json])),
      Object.fromEntries(others.map(([name, { maybe }]) => [name, maybe])),
    ),
    present(rows) {
      const made: Record<string, unknown> = {};
      for (const [name, part] of required) made[name] = part.present(rows as never);
      for (const [name, part] of others) {
        const value = part.present(rows as never);
        if (value !== undefined) made[name] = value;
      }
      // Named by the same entries as the type.
      return made as ObjectOf<M, O>;
    },
  };
}

/** `null` for what is absent. */
export function orNull<Rows, Wire>(part: MaybePart<Rows, Wire>): Part<Rows, Wire | null> {
  return {
    json: [{ maybe: part.maybe, absent: "null" }],
    present: (rows) => part.present(rows) ?? null,
  };
}

/** The empty text for null. */
export function orBlank<Rows>(column: ColumnPart<Rows, string>): Part<Rows, string> {
  return {
    json: [{ maybe: column.maybe, absent: '""' }],
    present: (rows) => column.present(rows) ?? "",
  };
}

/** The amount 0 for null. */
export function orZero<Rows>(column: ColumnPart<Rows, string>): Part<Rows, string> {
  return {
    json: [{ maybe: column.maybe, absent: '"0"' }],
    present: (rows) => column.present(rows) ?? "0",
  };
}

/** 32 zero bytes for null. */
export function orZeroHash<Rows>(column: ColumnPart<Rows, string>): Part<Rows, string> {
  return {
    json: [{ maybe: column.maybe, absent: `"${zeroHash}"` }],
    present: (rows) => column.present(rows) ?? zeroHash,
  };
}

const zeroHash = `${"A".repeat(43)}=`;

/** `{}` for null. */
export function orEmpty<Rows>(
  column: ColumnPart<Rows, Record<string, string>>,
): Part<Rows, Record<string, string>> {
  return {
    json: [{ maybe: `${column.expression}::text`, absent: "{}" }],
    present: (rows) => column.present(rows) ?? {},
  };
}

/** A part that is there when a column is not null. */
export function ifPresent<Rows, Other, Wire>(
  column: ColumnPart<Rows, unknown>,
  part: Part<Other, Wire>,
): MaybePart<Rows & Other, Wire> {
  return {
    maybe: `case when ${column.expression} is not null then ${sqlOf(part.json)} end`,
    present: (rows) => (column.read(rows) === undefined ? undefined : part.present(rows)),
  };
}

/** The first of these parts that is there. One of them must be. */
export function firstPresent<const P extends readonly MaybePart<never, unknown>[]>(
  ...parts: P
): Part<RowsOf<P[number]>, Presented<P[number]>> {
  return {
    json: [{ sql: `coalesce(${parts.map(({ maybe }) => maybe).join(", ")})` }],
    present(rows) {
      for (const part of parts) {
        const value = part.present(rows as never);
        // Made by one of the parts.
        if (value !== undefined) return value as Presented<P[number]>;
      }
      throw new TypeError("none of the parts of a record is there");
    },
  };
}

/** Whether one of these columns is not null. */
export function anyPresent<Rows>(...columns: readonly ColumnPart<Rows, unknown>[]): Part<Rows, boolean> {
  const present = columns.map(({ expression }) => `${expression} is not null`).join(" or ");
  return {
    json: [{ sql: `case when ${present} then 'true' else 'false' end` }],
    present: (rows) => columns.some((column) => column.read(rows) !== undefined),
  };
}

/** One of two parts by a boolean column; absent where that is null. */
export function either<Rows, A, B, WireA, WireB>(
  column: ColumnPart<Rows, boolean>,
  ifTrue: Part<A, WireA>,
  ifFalse: Part<B, WireB>,
): MaybePart<Rows & A & B, WireA | WireB> {
  const { expression } = column;
  return {
    maybe: `case when ${expression} then ${sqlOf(ifTrue.json)}
      when not ${expression} then ${sqlOf(ifFalse.json)} end`,
    present(rows) {
      const value = column.read(rows);
      if (value === undefined) return undefined;
      return value ? ifTrue.present(rows) : ifFalse.present(rows);
    },
  };
}

/** The same in every record. */
export function constant<const Wire extends string | boolean | null>(value: Wire): Part<unknown, Wire> {
  return { json: [{ sql: `'${JSON.stringify(value)}'` }], present: () => value };
}

/** The text of a record, as one SQL expression. */
export function textOf({ json }: { readonly json: Json }): string {
  return sqlOf(json);
}
