import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type References, referencesOf } from "./fetch-account.js";

/** Code of contracts whose references are remembered. */
const maxCodes = 1000;
/** Libraries whose own references are followed. */
const maxFollowed = 64;

type Known = {
  /** A library of the chain. */
  library(hash: Uint8Array): Cell | undefined;
  /** Whether the origin has no library with this hash, in hex. */
  isAbsent(hash: string): boolean;
};

/** Finds libraries that cells refer to, also through other libraries, and that the chain lacks. */
export class MissingLibraries {
  readonly #known: Known;
  readonly #codes = new LRUCache<string, References>({ max: maxCodes });

  constructor(known: Known) {
    this.#known = known;
  }

  /** By hash in hex. */
  of(cells: readonly Cell[]): Map<string, Uint8Array> {
    return this.#beyond(referencesOf(cells));
  }

  /** As `of`, for the code of a contract, which many messages reach. */
  ofCode(code: Cell): Map<string, Uint8Array> {
    const key = code.hashHex();
    const references = this.#codes.get(key) ?? referencesOf([code]);
    this.#codes.set(key, references);
    return this.#beyond(references);
  }

  #beyond(references: References): Map<string, Uint8Array> {
    const missing = new Map<string, Uint8Array>();
    const followed = new Set<string>();
    const left = [...references];
    for (let next = left.pop(); next && followed.size < maxFollowed; next = left.pop()) {
      const [hash, bytes] = next;
      if (followed.has(hash) || this.#known.isAbsent(hash)) continue;
      const library = this.#known.library(bytes);
      if (!library) missing.set(hash, bytes);
      else {
        followed.add(hash);
        left.push(...referencesOf([library]));
      }
    }
    return missing;
  }
}
