// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** JSON text that any number of readers can keep. */
export type SharedJson = string | JsonBytes;

/** JSON text in the form in which it is sent. */
export type Json = SharedJson | SingleUseJson;

/** A long text in UTF-8. As a string it would be copied, moved and collected several times until it is sent. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Length in bytes. */
  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** Writes bytes. It needs them until it calls `notify`. */
type ByteWriter<Written> = {
  write(bytes: Uint8Array): Written;
  onceWritten(notify: () => void): void;
};

/**
 * A long text in UTF-8 that is written or copied once, as its memory is used for other texts afterwards. Callers therefore have no
 * access to its bytes. If they do neither, its memory is garbage-collected.
 */
export class SingleUseJson {
  readonly length: number;
  /** `undefined` once they were given back without a copy. */
  #bytes: Uint8Array | undefined;
  #copy: JsonBytes | undefined;
  readonly #giveBack: () => void;

  /** `giveBack` is called once, when the bytes are written or copied. */
  constructor(bytes: Uint8Array, giveBack: () => void) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#giveBack = giveBack;
  }

  /** Gives the bytes back once they were written. */
  writeTo<Written>({ write, onceWritten }: ByteWriter<Written>): Written {
    const bytes = this.#readable();
    if (!this.#copy) onceWritten(() => this.#return());
    return write(bytes);
  }

  /** A copy that lasts. The bytes are given back, and later calls have the same copy. */
  toShared(): JsonBytes {
    if (!this.#copy) {
      const copy = new JsonBytes(new Uint8Array(this.#readable()));
      this.#return();
      this.#copy = copy;
    }
    return this.#copy;
  }

  /** The text as a string. The bytes are given back; no other call may follow. */
  takeText(): string {
    const text = this.toString();
    this.#return();
    return text;
  }

  toString(): string {
    return new TextDecoder().decode(this.#readable());
  }

  #readable(): Uint8Array {
    const bytes = this.#copy?.bytes ?? this.#bytes;
    if (!bytes) throw new TypeError("the memory of the text was given back");
    return bytes;
  }

  #return(): void {
    if (!this.#bytes) return;
    this.#bytes = undefined;
    this.#giveBack();
  }
}

/** The text in a form that any number of readers can keep. */
export function sharedJson(json: Json): SharedJson {
  return json instanceof SingleUseJson ? json.toShared() : json;
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
