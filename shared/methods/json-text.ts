// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** JSON text as it is sent. */
export type Json = string | JsonBytes;

/** A long text in UTF-8. As a string it would be copied, moved and collected several times until it is sent. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Of the bytes. */
  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** A result that is JSON text already, so that megabytes are not parsed and serialized again on their way out. */
export class JsonText<Result> {
  readonly json: Json;
  /** Type of the value that the text encodes. Exists for the compiler only. */
  declare readonly result: Result;

  constructor(json: Json) {
    this.json = json;
  }

  get text(): string {
    return String(this.json);
  }
}
