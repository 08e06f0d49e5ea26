import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { fixedText } from "../../../server/store/sql/fixed-text.js";

test("a value is one parameter wherever it stands", () => {
  const between = fixedText<{ from: bigint; to: bigint }>(({ from, to }) => {
    const inner = SQL`a <= ${to} and b >= ${from}`;
    return SQL`select ${to} where ${inner}`;
  });
  const statement = { text: "select $1 where a <= $1 and b >= $2", isPlannedOnce: true };
  expect(between({ from: 1n, to: 2n })).toEqual({ ...statement, values: [2n, 1n] });
  expect(between({ to: 4n, from: 3n })).toEqual({ ...statement, values: [4n, 3n] });
});

test("a value cannot be part of the text", () => {
  const wrong = fixedText<{ from: bigint }>(({ from }) => SQL`select ${from}, ${5}`);
  expect(() => wrong({ from: 1n })).toThrow(TypeError);
});
