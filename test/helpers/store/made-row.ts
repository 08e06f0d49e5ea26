import type { AnyColumnType } from "../../../server/store/declare/columns.js";
import type { RowOf, Table } from "../../../server/store/declare/table.js";
import * as forms from "../../../server/store/declare/wire-forms.js";
import { tables } from "../../../server/store/tables/all-tables.js";

type TableName = keyof typeof tables;

export type MadeRow<Name extends TableName> = RowOf<(typeof tables)[Name]["columns"]>;

/** The columns that tell something, of which the named ones must. */
export type Special<Name extends TableName, Key extends keyof MadeRow<Name> = never> = Partial<
  MadeRow<Name>
> &
  Pick<MadeRow<Name>, Key>;

/** Values of columns whose form in answers says what they are. */
const byForm = new Map<unknown, unknown>([
  [forms.flag, false],
  [forms.rawAddress, new Uint8Array(33).fill(1)],
  [forms.shortBase64, new Uint8Array(32).fill(1)],
  [forms.upperHex, new Uint8Array(32).fill(1)],
  [forms.base64, new Uint8Array(64)],
  [forms.attributes, {}],
  [forms.json, {}],
  [forms.shardHex, -(2n ** 63n)],
  [forms.bigNumber, 1n],
  [forms.decimal, 5n],
]);

function sampleOf({ nullable, sqlType, form }: AnyColumnType): unknown {
  if (nullable) return undefined;
  if (sqlType.endsWith("[]")) return [];
  return byForm.get(form) ?? (sqlType === "text" ? "text" : 1);
}

const made = new Map<TableName, object>();

function usualRow(name: TableName): object {
  const known = made.get(name);
  if (known) return known;
  const { columns }: Table = tables[name];
  const row = Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, sampleOf(type)]));
  made.set(name, row);
  return row;
}

/** A row of a table: columns without a value here have one of their type, and none if they may be null. */
export function madeRow<Name extends TableName>(name: Name, special: Special<Name>): MadeRow<Name> {
  return { ...usualRow(name), ...special } as MadeRow<Name>;
}
