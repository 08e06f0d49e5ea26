// Short texts are appended: joining them would copy megabytes at each level, as appending does once, when they are sent.
import { isAscii } from "node:buffer";
import { type Json, JsonBytes, JsonText } from "../../../shared/methods/json-text.js";

type Values<Members> = {
  [Name in keyof Members]: Members[Name] extends JsonText<infer Value> ? Value : Members[Name];
};

/** Serializes an object. Members that are JSON text already are inserted unparsed. */
export function objectText<Members extends object>(members: Members): JsonText<Values<Members>> {
  let text = "";
  for (const [name, value] of Object.entries(members))
    text += `${text === "" ? "{" : ","}"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  return new JsonText(text === "" ? "{}" : `${text}}`);
}

/** A list of records that the database has written as JSON text. */
export function listText<Item>(items: Iterable<string>): JsonText<Item[]> {
  let text = "";
  for (const item of items) text += text === "" ? item : `,${item}`;
  return new JsonText(`[${text}]`);
}

const leastBytes = 1024;
/** Shorter texts are sent together with the head of their answer, as one string. */
const longText = 8192;

/**
 * A long text in the making. As bytes: strings of megabytes are copied and collected several times until they are sent,
 * and the collector moves their thousands of parts.
 */
export class TextBytes {
  #bytes: Buffer;
  #length = 0;

  /** How many bytes it may become, if that is known. */
  constructor(expected = leastBytes) {
    this.#bytes = Buffer.allocUnsafe(expected);
  }

  add(text: string): void {
    // UTF-8 takes at most three bytes for each unit of a string.
    this.#grow(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, "utf8");
  }

  /** Adds a part of other bytes. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    this.#grow(to - from);
    this.#bytes.set(bytes.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  /** Adds members to an object that has some, and ends it. */
  endObject(members: object): void {
    for (const [name, value] of Object.entries(members)) this.add(`,"${name}":${JSON.stringify(value)}`);
    this.add("}");
  }

  /** Long ones stay bytes. Nothing may be added then. */
  toJson(): Json {
    return this.#length < longText ? this.toString() : new JsonBytes(this.#bytes.subarray(0, this.#length));
  }

  toString(): string {
    const bytes = this.#bytes.subarray(0, this.#length);
    return isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");
  }

  #grow(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
