// The kinds of columns a table is declared with: SQL type, type in JavaScript, encoding for COPY, form in answers.
import * as copy from "./values.js";
import * as forms from "./wire-forms.js";

type ColumnType<T, Wire> = {
  /** As PostgreSQL's `format_type` names it. */
  readonly sqlType: string;
  readonly nullable: boolean;
  readonly write: copy.WriteValue<T>;
  /** Converts a value of a query result that is not null. */
  read(value: unknown): unknown;
  readonly form: forms.WireForm<NonNullable<T>, Wire>;
};

/** A column type whose value type does not matter. */
export type AnyColumnType = {
  readonly sqlType: string;
  readonly nullable: boolean;
  readonly write: copy.WriteValue<never>;
  read(value: unknown): unknown;
  readonly form: forms.WireForm<never, unknown>;
};

function columnType<T, Wire>(
  sqlType: string,
  write: copy.WriteValue<T>,
  form: forms.WireForm<NonNullable<T>, Wire>,
  read: (value: unknown) => unknown = (value) => value,
): ColumnType<T, Wire> {
  return { sqlType, nullable: false, write, read, form };
}

/** A column that may be null; null is `undefined` in rows. */
export function nullable<T, Wire>(type: ColumnType<T, Wire>): ColumnType<T | undefined, Wire> {
  // Null fields are written before `write` would be called.
  return { ...type, nullable: true, write: type.write as copy.WriteValue<T | undefined> } as ColumnType<
    T | undefined,
    Wire
  >;
}

/** The same column in another form in answers. */
export function shownAs<T, Wire>(
  type: ColumnType<T, unknown>,
  form: forms.WireForm<NonNullable<T>, Wire>,
): ColumnType<T, Wire> {
  return { ...type, form };
}

export const smallint = columnType("smallint", copy.writeSmallint, forms.number);
export const integer = columnType("integer", copy.writeInteger, forms.number);
export const bigint = columnType("bigint", copy.writeBigint, forms.decimal);
export const boolean = columnType("boolean", copy.writeBoolean, forms.flag);
export const bytea = columnType("bytea", copy.writeBytes, forms.base64);
export const text = columnType("text", copy.writeText, forms.anyText);
export const jsonb = columnType("jsonb", copy.writeJsonb, forms.json);
export const numeric = columnType("numeric", copy.writeNumeric, forms.decimal);
export const integerArray = columnType("integer[]", copy.writeIntegers, forms.list);
export const bigintArray = columnType("bigint[]", copy.writeBigints, forms.decimals);

export const textArray = columnType("text[]", copy.writeTexts, forms.texts);

/** A number in a bigint column: Unix times and unsigned 32-bit integers. */
export const wideInteger = columnType("bigint", copy.writeWideInteger, forms.number, Number);

/** A bigint that is a number in answers: times and factors that a contract states. */
export const statedNumber = shownAs(bigint, forms.bigNumber);

/** 32 bytes; base64 in answers. */
export const hash = columnType("bytea", copy.writeBytes, forms.shortBase64);
/** The 32 bytes of a public key or an ADNL address; upper-case hex in answers. */
export const nodeKey = shownAs(hash, forms.upperHex);
/** 33 bytes as `addressToBytes` makes them; the upper-case raw form in answers. */
export const address = columnType("bytea", copy.writeBytes, forms.rawAddress);
export const hashArray = columnType("bytea[]", copy.writeByteArrays, forms.hashes);
export const addressArray = columnType("bytea[]", copy.writeByteArrays, forms.rawAddresses);
/** A shard as a signed number; hex in answers. */
export const shard = columnType("bigint", copy.writeBigint, forms.shardHex);
/** The first 32 bits of a body as a signed number; `0x` and eight digits in answers. */
export const opcode = columnType("integer", copy.writeInteger, forms.opcodeHex);
/** Amounts of extra currencies, decimal, by their ids. */
export const currencies = columnType<Record<string, string>, Record<string, string>>(
  "jsonb",
  copy.writeJsonb,
  forms.currencies,
);

/** Texts by name. */
export const attributes = columnType<Readonly<Record<string, string>>, Record<string, string>>(
  "jsonb",
  copy.writeJsonb,
  forms.attributes,
);

/** A code, which is a position in `words`; the word in answers. */
export function word<const Words extends readonly string[]>(words: Words): ColumnType<number, Words[number]> {
  return columnType("smallint", copy.writeSmallint, forms.wordForm(words));
}
