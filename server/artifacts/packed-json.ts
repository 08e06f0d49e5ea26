import { deflateRawSync, inflateRawSync } from "node:zlib";

/** JSON as compressed text, which takes a small part of the memory of its values. */
export class PackedJson {
  readonly #packed: Uint8Array;
  /** Length of its text. */
  readonly length: number;

  constructor(value: unknown) {
    const text = JSON.stringify(value);
    this.length = text.length;
    // Copied, as it is a part of a larger buffer.
    this.#packed = new Uint8Array(deflateRawSync(text, { level: 1 }));
  }

  open(): unknown {
    return JSON.parse(inflateRawSync(this.#packed).toString("utf8"));
  }
}
