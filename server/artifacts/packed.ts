import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";

/** ABIs that are ready for use, and the bytes that they take. Those of contracts take some hundred thousand. */
const maxReady = { count: 64, bytes: 32 << 20 } as const;

/** JSON as compressed text, which takes a small part of the memory of its values. */
export class PackedJson {
  readonly packed: Uint8Array;
  /** Length of its text. */
  readonly length: number;

  /** One that was packed elsewhere. */
  constructor({ packed, length }: Pick<PackedJson, "packed" | "length">) {
    this.packed = packed;
    this.length = length;
  }

  static of(value: unknown): PackedJson {
    const text = JSON.stringify(value);
    // Copied, as it is a part of a larger buffer.
    const packed = new Uint8Array(deflateRawSync(text, { level: 1 }));
    return new PackedJson({ packed, length: text.length });
  }

  open(): unknown {
    return JSON.parse(inflateRawSync(this.packed).toString("utf8"));
  }
}

/** ABIs that are kept compressed, as there may be many, and read when they are used. */
export class PackedAbis {
  readonly #ready = new LRUCache<object, AbiCoder>({
    max: maxReady.count,
    maxSize: maxReady.bytes,
  });

  keep(
    abiJson: PackedJson,
    read: (json: unknown) => AbiCoder,
  ): { coder: () => AbiCoder; abiJson: PackedJson } {
    const coder = () => {
      const known = this.#ready.get(abiJson);
      if (known) return known;
      const coder = read(abiJson.open());
      this.#ready.set(abiJson, coder, { size: abiJson.length + coder.weight });
      return coder;
    };
    return { coder, abiJson };
  }
}
