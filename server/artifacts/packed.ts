import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";

/** ABIs that are ready for use, and the characters of their files. */
const maxReady = { count: 64, characters: 8 << 20 } as const;

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

/** ABIs that are kept compressed, as there may be many, and read when they are used. */
export class PackedAbis {
  readonly #ready = new LRUCache<object, AbiCoder>({
    max: maxReady.count,
    maxSize: maxReady.characters,
  });

  keep(json: unknown, read: (json: unknown) => AbiCoder): { coder: () => AbiCoder; abiJson: PackedJson } {
    const abiJson = new PackedJson(json);
    const coder = () => {
      const known = this.#ready.get(abiJson);
      if (known) return known;
      const coder = read(abiJson.open());
      this.#ready.set(abiJson, coder, { size: Math.max(1, abiJson.length) });
      return coder;
    };
    return { coder, abiJson };
  }
}
