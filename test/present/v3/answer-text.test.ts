import { expect, test } from "vitest";
import { TextBytes } from "../../../server/present/v3/answer-text.js";

/** More than a text has room for at first. */
const line = "a line — of a text\n".repeat(10_000);
const bytes = Buffer.from(line);

test("Texts that are made at the same time, and after one another, share nothing", () => {
  const ended = Array.from({ length: 3 }, (_, round) => {
    const texts = Array.from({ length: 6 }, () => new TextBytes());
    for (let part = 0; part < 2; part++)
      for (const [at, text] of texts.entries()) {
        text.add(`${round} ${at} `);
        text.addBytes(bytes, 0, bytes.length);
      }
    return texts.map((text) => text.end());
  });
  for (const [round, texts] of ended.entries())
    for (const [at, text] of texts.entries())
      expect(String(text) === `${round} ${at} ${line}`.repeat(2)).toBe(true);
});

test("A text takes nothing after its end", () => {
  const text = new TextBytes();
  text.add("whole");
  expect(text.endText()).toBe("whole");
  expect(() => text.add("more")).toThrow("has ended");
});

test("A text that is too long for its memory to be kept has it alone", () => {
  const times = 30;
  const [first, second] = [1, 2].map((number) => {
    const text = new TextBytes();
    text.add(`${number} `);
    for (let part = 0; part < times; part++) text.addBytes(bytes, 0, bytes.length);
    return text.end();
  });
  expect(String(first) === `1 ${line.repeat(times)}`).toBe(true);
  expect(String(second) === `2 ${line.repeat(times)}`).toBe(true);
});
