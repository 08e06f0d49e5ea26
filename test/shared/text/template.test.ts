import { describe, expect, it } from "vitest";
import { AnswerNames } from "../../../shared/text/answer-names.js";
import { english } from "../../../shared/text/english/english.js";
import type { ActionLanguage } from "../../../shared/text/language.js";
import { textOf } from "../../../shared/text/phrase-text.js";
import { fill, type Members } from "../../../shared/text/template.js";

const [ann, ben, cara, dora] = ["A", "B", "C", "D"].map((digit) => `0:${digit.repeat(64)}`);
const known = new Map(
  [ann, ben, cara, dora].map((address, at) => [address, ["Ann", "Ben", "Cara", "Dora"][at]!]),
);
const names = new AnswerNames(
  {},
  { known: { find: (address) => ({ name: known.get(address) ?? "nobody", kind: "wallet" }) }, coin: "GRAM" },
);
const filled = (template: string, members: Members, language: ActionLanguage = english) =>
  textOf(fill(template, members, language), names, language);

describe("Templates", () => {
  it("name accounts, and write numbers and texts", () => {
    expect(filled("{who} is {age}, {mood}", { who: ann, age: 7, mood: "glad" })).toBe("Ann is 7, glad");
  });

  it("replace unknown members by words", () => {
    for (const who of [null, undefined, "", false, []])
      expect(filled("{who|a friend} of {who}", { who })).toBe("a friend of an unknown account");
  });

  it("leave brackets out if a member in them is unknown", () => {
    const template = "Yes[, {one} and {two}][, surely{?sure}]";
    expect(filled(template, { one: 1, two: 2, sure: true })).toBe("Yes, 1 and 2, surely");
    expect(filled(template, { one: 1, two: null, sure: false })).toBe("Yes");
    // Zero is a number like others.
    expect(filled("[{one}]", { one: 0 })).toBe("0");
  });

  it("write amounts of the coin, of a jetton, and of either", () => {
    const members = { n: "1500000000", of: ann, none: null };
    expect(filled("{n:TON}", members)).toBe("1.5 GRAM");
    expect(filled("{n:of}", members)).toBe("1,500,000,000 units of Ann");
    expect(filled("{n:none}", members)).toBe("1,500,000,000 units of an unknown jetton");
    expect(filled("{n:none/TON}", members)).toBe("1.5 GRAM");
    expect(filled("{m:none/TON}[, {m:TON}]", members)).toBe("an unknown amount of GRAM");
  });

  it("cut lists, and quote what users wrote", () => {
    expect(filled("{all}", { all: [ann, ben] })).toBe("Ann and Ben");
    expect(filled("{all}", { all: [ann, ben, cara, dora, ann] })).toBe("Ann, Ben, Cara and 2 more");
    expect(filled('{"it"}', { it: ann })).toBe(`“${ann}”`);
    expect(filled('[{"it"}]', { it: "" })).toBe("");
  });

  it("take the form of a word that the language has for a number", () => {
    const forms = "{n} {n#день#дня#дней#дня}";
    const russian = { ...english, locale: "ru" };
    const count = (n: number) => filled(forms, { n }, russian);
    expect([1, 2, 5, 21].map(count)).toEqual(["1 день", "2 дня", "5 дней", "21 день"]);
    expect([1, 2].map((n) => filled("{n} {n#day#days}", { n }))).toEqual(["1 day", "2 days"]);
  });

  it("do not read members as templates, nor members of objects", () => {
    expect(filled('{text} {"text"}', { text: "{who} [x] {text}" })).toBe(
      "{who} [x] {text} “{who} [x] {text}”",
    );
    expect(filled("[{constructor}]{toString|none}", {})).toBe("none");
  });
});
