import { raw } from "sql-template-tag";
import type { AnyColumnType } from "../declare/columns.js";
import type { Columns } from "../declare/table.js";
import * as forms from "../declare/wire-forms.js";
import type { Fragment } from "../sql/where.js";
import { accountBytes, hashBytes } from "./values.js";

/** The form of values: that of our tables, or that of answers, which takes fewer conversions. */
type Form = "stored" | "shown";

/** SQL of columns whose name or type differs, of a row of the table by its alias. */
type Given<C extends Columns> = { readonly [Name in keyof C]?: (row: string) => string };

/** A table of TON Center that has the columns of one of ours. */
export type ForeignTable<C extends Columns> = {
  readonly name: string;
  readonly columns: C;
  readonly given: Given<C>;
};

export function foreignTable<const C extends Columns>(
  name: string,
  columns: C,
  given: Given<C> = {},
): ForeignTable<C> {
  return { name, columns, given };
}

/** The columns of ours of a row `x` of the table, for the select list of a statement. */
export function columnsIn<C extends Columns>(form: Form, { columns, given }: ForeignTable<C>): Fragment {
  const selected = Object.entries(columns).map(([name, type]) => {
    const own = given[name]?.("x");
    return `${own ?? converted(form, type, `x.${name}`)} as ${name}`;
  });
  return raw(selected.join(", "));
}

function converted(form: Form, { form: wire, sqlType }: AnyColumnType, column: string): string {
  if (wire.words)
    return `(array_position(array['${wire.words.join("', '")}'], ${column}::text) - 1)::smallint`;
  // Without currencies ours is null.
  if (wire === forms.currencies) return `nullif(${column}, '{}'::jsonb)`;
  return form === "stored" ? stored(wire, sqlType, column) : shown(wire, column);
}

type AnyForm = AnyColumnType["form"];

function stored(wire: AnyForm, sqlType: string, column: string): string {
  switch (wire) {
    case forms.shortBase64:
    case forms.base64:
      return hashBytes(column);
    case forms.rawAddress:
      return accountBytes(column);
    case forms.hashes:
      return listOf(hashBytes, column);
    case forms.rawAddresses:
      return listOf(accountBytes, column);
    default:
      return `${column}::${sqlType}`;
  }
}

function shown(wire: AnyForm, column: string): string {
  switch (wire) {
    case forms.shardHex:
      return `upper(to_hex(${column}) collate "C")`;
    case forms.opcodeHex:
      return `'0x' || lpad(to_hex(${column}), 8, '0')`;
    default:
      return column;
  }
}

function listOf(form: (column: string) => string, column: string): string {
  return `array(select ${form("e.entry")} from unnest(${column}) with ordinality e(entry, place) order by e.place)`;
}

/** SQL that makes texts of our rows, for rows in the form of answers: what it calls for that is left out. */
export function ofShown(sql: string): Fragment {
  return raw(sql.replaceAll(/\bwire_(?:hash|boc|address|shard|opcode)\(/g, "("));
}
