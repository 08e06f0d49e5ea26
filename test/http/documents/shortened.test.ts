import { expect, it } from "vitest";
import { shortened } from "../../../server/http/documents/shortened.js";

const long = "x".repeat(1_000);
const hash = (digit: string) => digit.repeat(64);

it("a short answer of an example is shown whole", () => {
  const answer = { transactions: [{ lt: "1" }, { lt: "2" }], names: ["a", "b", "c"] };
  expect(shortened(answer)).toBe(answer);
  expect(shortened(undefined)).toBeUndefined();
});

it("a long one has the first entry of each list, and of each map by addresses or hashes", () => {
  const answer = {
    text: long,
    total: 3,
    nothing: null,
    empty: [],
    lists: [[1, 2, 3], [4]],
    traces: [
      {
        order: ["a", "b", "c"],
        transactions: { [hash("a")]: { out: [{ n: 1 }, { n: 2 }] }, [hash("b")]: { out: [] } },
      },
      { order: [], transactions: {} },
    ],
  };
  expect(shortened(answer)).toEqual({
    text: long,
    total: 3,
    nothing: null,
    empty: [],
    lists: [[1]],
    traces: [{ order: ["a"], transactions: { [hash("a")]: { out: [{ n: 1 }] } } }],
  });
});

it("a long one has whole pairs of a type and a value", () => {
  const stack = [
    ["num", "0x1"],
    ["cell", { bytes: long }],
  ];
  expect(shortened({ stack, more: long })).toEqual({ stack: [["num", "0x1"]], more: long });
});
