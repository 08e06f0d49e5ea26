// Short texts are concatenated lazily: joining them would copy megabytes at each level, while a concatenated string is
// copied once, when it is sent.

import { isAscii } from "node:buffer";
import { type Json, JsonText, SingleUseJson } from "../../../shared/methods/json-text.js";
import { itemAt, takeFirst } from "../../../shared/values/lookups.js";

type Values<Members> = {
  [Name in keyof Members]: Members[Name] extends JsonText<infer Value> ? Value : Members[Name];
};

/** Serializes an object. Members that are JSON text are inserted unparsed. */
export function objectText<Members extends object>(members: Members): JsonText<Values<Members>> {
  let text = "";
  for (const [name, value] of Object.entries(members))
    text += `${text === "" ? "{" : ","}"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  return new JsonText(text === "" ? "{}" : `${text}}`);
}

/** A list of records that the database has already serialized. */
export function listText<Item>(items: Iterable<string>): JsonText<Item[]> {
  let text = "";
  for (const item of items) text += text === "" ? item : `,${item}`;
  return new JsonText(`[${text}]`);
}

/** Shorter texts are sent in one string with the head of their answer. */
const longText = 8192;

const leastBytes = 65_536;
const maxKeptBytes = 4 * 1024 * 1024;
const maxFreeBytes = 32 * 1024 * 1024;

/**
 * Reusable buffers for texts, shared by the whole thread. Memory outside the heap makes the collector mark the heap
 * repeatedly: for pages of a hundred rows that took as long as making them.
 */
class TextBuffers {
  /** In the order in which they were returned. Each length is a power of two times the smallest. */
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  /** A buffer of at least so many bytes, which the caller gives back. */
  take(least: number): Buffer {
    let length = leastBytes;
    while (length < least) length *= 2;
    const at = this.#free.findLastIndex((buffer) => buffer.length === length);
    if (at < 0) return Buffer.allocUnsafeSlow(length);
    this.#freeBytes -= length;
    return itemAt(this.#free.splice(at, 1), 0);
  }

  /** Its bytes belong to the next one who takes it. */
  giveBack(buffer: Buffer): void {
    if (buffer.length > maxKeptBytes) return;
    this.#freeBytes += buffer.length;
    this.#free.push(buffer);
    while (this.#freeBytes > maxFreeBytes) this.#freeBytes -= takeFirst(this.#free).length;
  }
}

// Module state: memory that is used again, at most 32 MB.
export const textBuffers = new TextBuffers();
const ended = Buffer.alloc(0);

/**
 * Builds a long text as bytes: strings of megabytes are copied and collected several times until they are sent, and the
 * collector moves their thousands of parts.
 */
export class TextBytes {
  #buffer: Buffer;
  #length = 0;

  /** `expected`: final number of bytes, if known. */
  constructor(expected = 0) {
    this.#buffer = textBuffers.take(expected);
  }

  add(text: string): void {
    // UTF-8 takes at most three bytes for each unit of a string.
    this.#grow(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, "utf8");
  }

  /** Adds a range of bytes. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    this.#grow(to - from);
    this.#buffer.set(bytes.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  /** Adds members to a non-empty object, and closes it. */
  endObject(members: object): void {
    for (const [name, value] of Object.entries(members)) this.add(`,"${name}":${JSON.stringify(value)}`);
    this.add("}");
  }

  /** The text; nothing can be added afterwards. A long one is for a single use. */
  end(): Json {
    if (this.#length < longText) return this.endText();
    const buffer = this.#buffer;
    const json = new SingleUseJson(buffer.subarray(0, this.#length), () => textBuffers.giveBack(buffer));
    const isShort = this.#length < leastBytes;
    this.#close();
    // Copied: a short text would retain a much larger buffer.
    return isShort ? json.toShared() : json;
  }

  endText(): string {
    const bytes = this.#buffer.subarray(0, this.#length);
    const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
    textBuffers.giveBack(this.#buffer);
    this.#close();
    return text;
  }

  #close(): void {
    this.#buffer = ended;
    this.#length = 0;
  }

  #grow(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    if (this.#buffer === ended) throw new TypeError("the text has ended");
    const grown = textBuffers.take(Math.max(needed, 2 * this.#buffer.length));
    grown.set(this.#buffer.subarray(0, this.#length));
    textBuffers.giveBack(this.#buffer);
    this.#buffer = grown;
  }
}
