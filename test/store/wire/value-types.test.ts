import { expect, it } from "vitest";
import { valueTypes } from "../../../server/store/wire/value-types.js";

const read = (oid: number, text: string) => valueTypes.getTypeParser(oid, "text")(text);

it.each<[string, number, string, unknown]>([
  ["bigint", 20, "-9223372036854775808", -(2n ** 63n)],
  ["a list of bigints", 1016, '{1,NULL,"-2"}', [1n, null, -2n]],
  ["numeric without a fraction", 1700, "-123456789012345678901234567890", -123456789012345678901234567890n],
  ["a positive numeric", 1700, "12", 12n],
  ["numeric with a fraction", 1700, "1.50", "1.50"],
  ["numeric that is no number", 1700, "NaN", "NaN"],
  ["numeric with an exponent", 1700, "1e5", "1e5"],
  ["bytes", 17, "\\x00ff10", Buffer.from([0, 255, 16])],
  ["no bytes", 17, "\\x", Buffer.alloc(0)],
  ["a list of bytes", 1001, '{"\\\\x01",NULL}', [Buffer.from([1]), null]],
  ["a time", 1184, "2026-01-01 00:00:00+00", "2026-01-01 00:00:00+00"],
  ["integer", 23, "-5", -5],
  ["boolean", 16, "t", true],
  ["json", 3802, '{"a":1}', { a: 1 }],
  ["text", 25, "12", "12"],
  ["a list of texts", 1009, '{"a b",NULL}', ["a b", null]],
])("%s is read from its text", (_what, oid, text, value) => {
  expect(read(oid, text)).toEqual(value);
});
