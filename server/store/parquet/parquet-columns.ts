import type { ParquetWriteOptions } from "hyparquet-writer";
import type { AnyColumnType } from "../declare/columns.js";
import type { Table } from "../declare/table.js";
import * as forms from "../declare/wire-forms.js";

type SchemaElement = NonNullable<ParquetWriteOptions["schema"]>[number];

/** A column of a Parquet file, and its value in a row of a table; `undefined` for null. */
export type ParquetColumn = {
  readonly element: SchemaElement;
  of(row: Readonly<Record<string, unknown>>): unknown;
};

type Kind = { readonly schema: Omit<SchemaElement, "name">; of(value: never): unknown };

const text: Omit<SchemaElement, "name"> = { type: "BYTE_ARRAY", converted_type: "UTF8" };
const integer: Kind = { schema: { type: "INT32" }, of: (value) => value };
const long: Kind = { schema: { type: "INT64" }, of: (value: bigint | number) => BigInt(value) };
/** The largest decimals that readers of Parquet have in common. */
const decimalDigits = 38;
const decimalLimit = 10n ** BigInt(decimalDigits);
const decimal = {
  type: "FIXED_LEN_BYTE_ARRAY",
  type_length: 16,
  converted_type: "DECIMAL",
  precision: decimalDigits,
  scale: 0,
} as const satisfies Omit<SchemaElement, "name">;

const plainForms: readonly AnyColumnType["form"][] = [
  forms.number,
  forms.decimal,
  forms.bigNumber,
  forms.flag,
];

/** By SQL type, for columns whose form in answers is not the value. Others have their form in answers, as text. */
const kinds: Readonly<Record<string, Kind>> = {
  smallint: integer,
  integer,
  bigint: long,
  boolean: { schema: { type: "BOOLEAN" }, of: (value) => value },
};

/**
 * The columns of a table in Parquet: numbers and booleans as they are; hashes, accounts, opcodes and words as API v3 answers
 * them; lists and objects as JSON. A numeric column is a decimal of 38 digits, with a text beside it for longer integers.
 */
export function parquetColumns({
  columns,
  defaulted,
}: Pick<Table, "columns" | "defaulted">): ParquetColumn[] {
  return Object.entries({ ...columns, ...defaulted }).flatMap(([name, type]) => columnsOf(name, type));
}

function columnsOf(name: string, type: AnyColumnType): ParquetColumn[] {
  const isOptional = type.nullable;
  if (type.sqlType === "numeric")
    return [
      column(name, { schema: decimal, of: (value: bigint) => (isLong(value) ? undefined : value) }, true),
      column(
        name,
        { schema: text, of: (value: bigint) => (isLong(value) ? String(value) : undefined) },
        true,
        "_text",
      ),
    ];
  return [column(name, kindOf(type), isOptional)];
}

function kindOf({ sqlType, form }: AnyColumnType): Kind {
  const present = form.present as (value: unknown) => unknown;
  const own = kinds[sqlType];
  // Shards, opcodes and words are numbers with another form.
  if (own && plainForms.includes(form)) return own;
  if (form.kind === "text" || sqlType === "text") return { schema: text, of: (value) => present(value) };
  return { schema: text, of: (value) => JSON.stringify(present(value)) };
}

function column(name: string, { schema, of }: Kind, isOptional: boolean, suffix = ""): ParquetColumn {
  return {
    element: { name: name + suffix, ...schema, repetition_type: isOptional ? "OPTIONAL" : "REQUIRED" },
    of(row) {
      const value = row[name];
      return value === undefined || value === null ? undefined : of(value as never);
    },
  };
}

function isLong(value: bigint): boolean {
  return value >= decimalLimit || value <= -decimalLimit;
}
