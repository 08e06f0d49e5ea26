import { expect, test } from "vitest";
import { visibleText } from "../../../server/mcp/answers/safe-text.js";

test("A text keeps what is seen", () => {
  const text = "Привет, naïve 東京 한국어 👍 ﷽ ⠿\n\tsecond line";
  expect(visibleText(text)).toBe(text);
});

test.each([
  ["controls", "\u0000\r\u0085"],
  ["line and paragraph separators", "\u2028\u2029"],
  ["direction marks and zero-width characters", "\u202e\u2066\u200b\u200d\ufeff"],
  ["joiners and soft hyphens", "\u034f\u00ad\u2060"],
  ["fillers", "\u115f\u1160\u3164\uffa0\u17b4"],
  ["letters that are drawn as blanks", "\u2800\u{1d159}\u{13441}\u{16fe4}"],
  ["tags and further variation selectors", "\u{e0041}\u{e0100}\u180b"],
  ["private and unassigned characters", "\ue000\ufdd0\u{e0fff}"],
  ["halves of pairs", "\ud800"],
])("A text has marks in place of %s", (_, unseen) => {
  expect(visibleText(`a${unseen}b`)).toBe(`a${"\ufffd".repeat([...unseen].length)}b`);
});

test("A text loses its variation selectors", () => {
  const selectors = Array.from({ length: 16 }, (_, at) => String.fromCodePoint(0xfe00 + at)).join("");
  expect(visibleText(`\u2764\ufe0f a${selectors}b`)).toBe("\u2764 ab");
});
