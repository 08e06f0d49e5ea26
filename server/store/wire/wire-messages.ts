import { parameterOf } from "../copy/parameter.js";
import { typeNumbers } from "../declare/values.js";

const leastBytes = 1 << 16;
/** A longer buffer is not kept for the next messages. */
const mostBytes = 1 << 20;

// Module state: scratch memory from the first of some messages to `take`, all within one call.
let scratch = Buffer.allocUnsafeSlow(leastBytes);

/**
 * Messages of the extended protocol, written in one piece. `pg` would make a buffer and a write of each, and of lists of byte
 * strings texts of twice their length.
 */
export class WireMessages {
  #length = 0;

  parse(name: string, text: string): this {
    const start = this.#begin("P");
    this.#cstring(name);
    this.#cstring(text);
    this.#int16(0);
    return this.#end(start);
  }

  /** Forgets a statement that was prepared. */
  close(name: string): this {
    const start = this.#begin("C");
    this.#add(statementKind);
    this.#cstring(name);
    return this.#end(start);
  }

  bind(name: string, values: readonly unknown[]): this {
    const start = this.#begin("B");
    this.#cstring("");
    this.#cstring(name);
    this.#int16(values.length);
    let format = this.#length;
    for (let i = 0; i < values.length; i++) this.#int16(isText);
    this.#int16(values.length);
    for (const value of values) {
      // The scratch may be another one by now.
      if (this.#value(value)) scratch[format + 1] = isBytes;
      format += 2;
    }
    // All columns of the answer as text.
    this.#int16(1);
    this.#int16(isText);
    return this.#end(start);
  }

  describe(): this {
    return this.#add(describePortal);
  }

  execute(): this {
    return this.#add(execute);
  }

  sync(): this {
    return this.#add(sync);
  }

  /** The messages so far, as bytes of their own. */
  take(): Buffer {
    const bytes = Buffer.from(scratch.subarray(0, this.#length));
    if (scratch.length > mostBytes) scratch = Buffer.allocUnsafeSlow(leastBytes);
    return bytes;
  }

  /** Whether it is in binary form. */
  #value(value: unknown): boolean {
    if (Array.isArray(value) && isListOfBytes(value)) return this.#listOfBytes(value);
    const parameter = parameterOf(value);
    if (parameter === null) this.#int32(-1);
    else if (typeof parameter !== "string") this.#sized(parameter);
    else this.#text(parameter);
    return parameter !== null && typeof parameter !== "string";
  }

  #text(text: string): void {
    this.#room(4 + text.length * 3);
    const length = scratch.write(text, this.#length + 4, "utf8");
    this.#int32(length);
    this.#length += length;
  }

  /** An array of one dimension in the binary form of PostgreSQL. */
  #listOfBytes(list: readonly (Uint8Array | null)[]): true {
    const at = this.#length;
    this.#int32(0);
    this.#int32(1);
    this.#int32(list.includes(null) ? 1 : 0);
    this.#int32(typeNumbers.bytea);
    this.#int32(list.length);
    this.#int32(1);
    for (const entry of list) {
      if (entry) this.#sized(entry);
      else this.#int32(-1);
    }
    scratch.writeInt32BE(this.#length - at - 4, at);
    return true;
  }

  #sized(bytes: Uint8Array): void {
    this.#int32(bytes.length);
    this.#add(bytes);
  }

  #cstring(text: string): void {
    this.#room(text.length * 3 + 1);
    this.#length += scratch.write(text, this.#length, "utf8");
    scratch[this.#length++] = 0;
  }

  #int16(value: number): void {
    this.#room(2);
    this.#length = scratch.writeInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#room(4);
    this.#length = scratch.writeInt32BE(value, this.#length);
  }

  #add(bytes: Uint8Array): this {
    this.#room(bytes.length);
    scratch.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  #begin(type: string): number {
    this.#room(1);
    scratch[this.#length++] = type.charCodeAt(0);
    const start = this.#length;
    this.#int32(0);
    return start;
  }

  #end(start: number): this {
    scratch.writeInt32BE(this.#length - start, start);
    return this;
  }

  #room(more: number): void {
    const needed = this.#length + more;
    if (needed <= scratch.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * scratch.length));
    grown.set(scratch.subarray(0, this.#length));
    scratch = grown;
  }
}

const isText = 0;
const isBytes = 1;

const statementKind = Buffer.from("S");
const describePortal = Buffer.from("D\0\0\0\x06P\0", "latin1");
const execute = Buffer.from("E\0\0\0\x09\0\0\0\0\0", "latin1");
const sync = Buffer.from("S\0\0\0\x04", "latin1");

/** Whether a list has byte strings, and nothing else but null. */
function isListOfBytes(list: readonly unknown[]): list is readonly (Uint8Array | null)[] {
  let found = false;
  for (const entry of list) {
    if (entry === null) continue;
    if (!(entry instanceof Uint8Array)) return false;
    found = true;
  }
  return found;
}
