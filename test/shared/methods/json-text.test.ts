import { expect, test } from "vitest";
import { JsonBytes, type SharedJson, SingleUseJson, sharedJson } from "../../../shared/methods/json-text.js";

const text = '"a text — in UTF-8"';
const length = Buffer.byteLength(text);

/** A text in memory that is overwritten when it is given back. */
function singleUse() {
  const memory = Buffer.from(text);
  let returns = 0;
  const json = new SingleUseJson(memory, () => {
    returns++;
    memory.fill("?");
  });
  return { json, returns: () => returns };
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
  const { json, returns } = singleUse();
  const { writer, end } = slowWriter();
  const written = json.writeTo(writer);
  expect([json.length, written(), returns()]).toEqual([length, text, 0]);
  end();
  expect(returns()).toBe(1);
  end();
  expect(returns()).toBe(1);
  // It was not copied.
  expect(written()).toBe("?".repeat(length));
  expect(() => json.toShared()).toThrow(givenBack);
  expect(() => json.writeTo(writer)).toThrow(givenBack);
  expect(() => String(json)).toThrow(givenBack);
});

test("A copy lasts, is made once, and is what is written from then on", () => {
  const { json, returns } = singleUse();
  const copy = json.toShared();
  expect(returns()).toBe(1);
  expect(json.toShared()).toBe(copy);
  const { writer, end } = slowWriter();
  const written = json.writeTo(writer);
  end();
  expect([written(), String(copy), String(json), copy.length]).toEqual([text, text, text, length]);
  expect(returns()).toBe(1);
});

test("A text that is taken as a string is given back", () => {
  const { json, returns } = singleUse();
  expect(String(json)).toBe(text);
  expect(returns()).toBe(0);
  expect(json.takeText()).toBe(text);
  expect(returns()).toBe(1);
  expect(() => json.takeText()).toThrow(givenBack);
});

test("Only a text of single use is copied to be shared", () => {
  const bytes = new JsonBytes(Buffer.from(text));
  expect(sharedJson(bytes)).toBe(bytes);
  expect(sharedJson(text)).toBe(text);
  expect(String(sharedJson(singleUse().json))).toBe(text);
});

test("TypeScript refuses to look at the bytes of a text of single use, and to keep it where a shared one is wanted", () => {
  const { json } = singleUse();
  // @ts-expect-error: nobody sees its bytes
  expect(json.bytes).toBeUndefined();
  // @ts-expect-error: it is none that can be kept
  const kept: SharedJson = json;
  // @ts-expect-error: nor is it one whose bytes are its own
  const own: JsonBytes = json;
  expect([kept, own]).toEqual([json, json]);
});
