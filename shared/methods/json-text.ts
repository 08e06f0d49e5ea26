// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** JSON text as it is sent. */
export type Json = string | JsonBytes;

/** A long text in UTF-8. As a string it would be copied, moved and collected several times until it is sent. */
export class JsonBytes {
  #bytes: Uint8Array;
  #giveBack: (() => void) | undefined;

  /** With `giveBack` the bytes are lent: once they were released, their memory is used for other texts. */
  constructor(bytes: Uint8Array, giveBack?: () => void) {
    this.#bytes = bytes;
    this.#giveBack = giveBack;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Of the bytes. */
  get length(): number {
    return this.#bytes.length;
  }

  get isLent(): boolean {
    return this.#giveBack !== undefined;
  }

  /** Copies lent bytes, so that any number of readers can share them. */
  keep(): void {
    if (this.isLent) this.#return(new Uint8Array(this.#bytes));
  }

  /** Gives lent bytes back and is empty from then on. If nobody calls it, they are collected like others. */
  release(): void {
    if (this.isLent) this.#return(new Uint8Array(0));
  }

  #return(bytes: Uint8Array): void {
    const giveBack = this.#giveBack;
    this.#bytes = bytes;
    this.#giveBack = undefined;
    giveBack?.();
  }

  toString(): string {
    return new TextDecoder().decode(this.#bytes);
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
