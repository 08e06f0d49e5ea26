import { expect, it } from "vitest";
import { StatementNames } from "../../../server/store/wire/statement-names.js";

it("each of the first 500 texts has a name, later ones have none", () => {
  const names = new StatementNames();
  const texts = Array.from({ length: 502 }, (_, index) => `select ${index}`);
  const given = texts.map((text) => names.of(text));
  expect(new Set(given.slice(0, 500)).size).toBe(500);
  expect(given.slice(0, 500).every((name) => name)).toBe(true);
  expect(given.slice(500)).toEqual([undefined, undefined]);
  expect(texts.map((text) => names.of(text))).toEqual(given);
});
