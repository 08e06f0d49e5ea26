import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type References, referencesOf } from "./fetch-account.js";

/** Codes and libraries whose references are remembered. */
const maxKept = 1000;
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
  readonly #kept = new LRUCache<string, References>({ max: maxKept });

  constructor(known: Known) {
    this.#known = known;
  }

  /** By hash in hex. */
  of(cells: readonly Cell[]): Map<string, Uint8Array> {
    return this.#beyond(referencesOf(cells));
  }

  /** As `of`, for the code of a contract, which many messages reach. */
  ofCode(code: Cell): Map<string, Uint8Array> {
    return this.#beyond(this.#keptOf(code));
  }

  #keptOf(cell: Cell): References {
    const key = cell.hashHex();
    const references = this.#kept.get(key) ?? referencesOf([cell]);
    this.#kept.set(key, references);
    return references;
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
        left.push(...this.#keptOf(library));
      }
    }
    return missing;
  }
}
