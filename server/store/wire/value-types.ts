import pg from "pg";

// Type numbers of PostgreSQL's catalogue, and of arrays of these types.
const int8 = 20;
const int8Array = 1016;
const numeric = 1700;
const bytea = 17;
const byteaArray = 1001;
const timestamptz = 1184;
/** Not in the typings, which have no arrays. */
const textArray: number = 1009;

type Parse = (text: string) => unknown;

const toBytes = (text: string): Uint8Array => Buffer.from(text.slice(2), "hex");
const toNumber = (text: string): bigint | string => (/^-?\d+$/.test(text) ? BigInt(text) : text);

const toTexts = pg.types.getTypeParser(textArray) as (text: string) => (string | null)[];

function arrayOf(parseEntry: Parse): Parse {
  return (text) => toTexts(text).map((entry) => (entry === null ? null : parseEntry(entry)));
}

const parsers = new Map<number, Parse>([
  [int8, BigInt],
  [int8Array, arrayOf(BigInt)],
  [numeric, toNumber],
  [bytea, toBytes],
  [byteaArray, arrayOf(toBytes)],
  [timestamptz, String],
]);

/** Parsers of column values, for the configuration of a client. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};
