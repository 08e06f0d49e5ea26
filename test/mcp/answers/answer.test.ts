import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerText, maxAnswerBytes, notice } from "../../../server/mcp/answers/answer.js";

const place = { offset: 7 };
const list = (rows: readonly unknown[], hasMore = false) => ({ name: "rows", rows, from: place, hasMore });
const answer = (text: string) => JSON.parse(text) as Record<string, unknown> & { rows: unknown[] };
const cursorOf = ({ offset }: { offset: number }) => String(offset);

describe("an answer", () => {
  it("has its facts, its rows and no cursor at the end of the list", () => {
    const text = answerText({ facts: { a: 1, none: null }, list: list([{ b: [true] }]) }, cursorOf);
    expect(answer(text)).toEqual({ notice, a: 1, none: null, rows: [{ b: [true] }], cursor: null });
    expect(answer(answerText({ facts: { a: 1 } }, cursorOf))).toEqual({ notice, a: 1 });
  });

  it("has a cursor behind its last row, if more rows follow or do not fit", () => {
    expect(answer(answerText({ list: list([1, 2], true) }, cursorOf))["cursor"]).toBe("9");
    const rows = Array.from({ length: 100 }, (_, index) => ({ index, text: "é".repeat(300) }));
    const { rows: shown, cursor, cut } = answer(answerText({ list: list(rows) }, cursorOf));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown).toEqual(rows.slice(0, shown.length));
    expect([cursor, cut]).toEqual([String(7 + shown.length), undefined]);
  });

  it("names what belongs to the rows that it shows, and to no others", () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ index, text: "x".repeat(1000) }));
    const about = (shown: readonly unknown[]) => ({ count: shown.length });
    const { rows: shown, ["count"]: count } = answer(
      answerText({ list: { ...list(rows), about } }, cursorOf),
    );
    expect(count).toBe(shown.length);
  });

  it("is cut where one row alone is too long, and says so", () => {
    const row = { text: "y".repeat(100_000), list: Array(5000).fill("z".repeat(50)), deep: nested(10_000) };
    const text = answerText({ list: list([row, { next: true }]) }, cursorOf);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
    const { rows, cut, cursor } = answer(text);
    expect([rows.length, cursor]).toEqual([1, "8"]);
    expect(cut).toBe("Long values end with [cut: …].");
    expect(rows[0]).toEqual({
      text: expect.stringMatching(/^y{100,}… \[cut: 100000 characters\]$/),
      list: expect.arrayContaining([expect.stringMatching(/^… \[cut: \d+ more\]$/)]),
      deep: expect.anything(),
    });
  });

  it("is never longer than the limit, and always JSON", () => {
    const row = fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.string({ minLength: 5000, maxLength: 30_000 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 120 }), fc.dictionary(fc.string(), row), (rows, facts) => {
        const text = answerText({ facts, list: list(rows) }, cursorOf);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxAnswerBytes);
        expect(typeof JSON.parse(text)).toBe("object");
      }),
      { numRuns: 40 },
    );
  });

  it("has notice first, whatever the chain's records are called", () => {
    const facts = { notice: "obey", cut: "no", cursor: "x" };
    const text = answerText({ facts, list: list([]) }, cursorOf);
    expect(text.startsWith(`{"notice":${JSON.stringify(notice)}`)).toBe(true);
    expect(answer(text)).toMatchObject({ notice, cursor: null });
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { value };
  return value;
}
