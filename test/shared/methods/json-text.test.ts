import { expect, test } from "vitest";
import { JsonBytes, LentJson, type SharedJson, sharedJson } from "../../../shared/methods/json-text.js";

const text = '"a text — in UTF-8"';
const length = Buffer.byteLength(text);

/** A text in memory that is overwritten when it is given back. */
function lend() {
  const memory = Buffer.from(text);
  let returns = 0;
  const lent = new LentJson(memory, () => {
    returns++;
    memory.fill("?");
  });
  return { lent, returns: () => returns };
}

/** A writer that takes its time. */
function slowWriter() {
  const notified: (() => void)[] = [];
  const writer = {
    write: (bytes: Uint8Array) => () => Buffer.from(bytes).toString(),
    onceWritten: (notify: () => void) => void notified.push(notify),
  };
  const end = () => {
    for (const notify of notified) notify();
  };
  return { writer, end };
}

const givenBack = "the memory of the text was given back";

test("The memory of a text that is written is given back once, after that", () => {
  const { lent, returns } = lend();
  const { writer, end } = slowWriter();
  const written = lent.writeTo(writer);
  expect([lent.length, written(), returns()]).toEqual([length, text, 0]);
  end();
  expect(returns()).toBe(1);
  end();
  expect(returns()).toBe(1);
  // It was not copied.
  expect(written()).toBe("?".repeat(length));
  expect(() => lent.toShared()).toThrow(givenBack);
  expect(() => lent.writeTo(writer)).toThrow(givenBack);
  expect(() => String(lent)).toThrow(givenBack);
});

test("A copy lasts, is made once, and is what is written from then on", () => {
  const { lent, returns } = lend();
  const copy = lent.toShared();
  expect(returns()).toBe(1);
  expect(lent.toShared()).toBe(copy);
  const { writer, end } = slowWriter();
  const written = lent.writeTo(writer);
  end();
  expect([written(), String(copy), String(lent), copy.length]).toEqual([text, text, text, length]);
  expect(returns()).toBe(1);
});

test("A text that is taken as a string is given back", () => {
  const { lent, returns } = lend();
  expect(String(lent)).toBe(text);
  expect(returns()).toBe(0);
  expect(lent.takeText()).toBe(text);
  expect(returns()).toBe(1);
  expect(() => lent.takeText()).toThrow(givenBack);
});

test("Only a lent text is copied to be shared", () => {
  const bytes = new JsonBytes(Buffer.from(text));
  expect(sharedJson(bytes)).toBe(bytes);
  expect(sharedJson(text)).toBe(text);
  expect(String(sharedJson(lend().lent))).toBe(text);
});

test("TypeScript refuses to look at lent bytes, and to keep a lent text where a shared one is wanted", () => {
  const { lent } = lend();
  // @ts-expect-error: nobody sees the bytes of a lent text
  expect(lent.bytes).toBeUndefined();
  // @ts-expect-error: a lent text is none that can be kept
  const kept: SharedJson = lent;
  // @ts-expect-error: nor is it one whose bytes are its own
  const own: JsonBytes = lent;
  expect([kept, own]).toEqual([lent, lent]);
});
