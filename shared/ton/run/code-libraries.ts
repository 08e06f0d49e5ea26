import { bytesToHex } from "../../values/bytes.js";
import { valueAt } from "../../values/lookups.js";
import { RecentMap } from "../../values/recent-map.js";
import type { Cell } from "../cells/cell.js";
import { CellSet } from "../cells/cell-set.js";
import { bytesKey, cellRef, Dictionary } from "../cells/dictionaries/dictionary.js";
import type { LiteCall } from "../lite/lite-api.js";
import type { AccountSnapshot } from "../proofs/read/account.js";
import type { ChainReader } from "../proofs/read/reader.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import type { Measured, MethodResult } from "./method-request.js";
import { RunError } from "./run-error.js";

/** Libraries by hash, in the form that the executor reads: each value is one reference. */
type LibrarySet = Dictionary<Uint8Array, Cell>;

const none: LibrarySet = Dictionary.empty(bytesKey(32), cellRef);

/** Depth to which code is searched for library cells before a run. */
const searchDepth = 24;
const limits = {
  /** Cells of code that are searched. */
  cells: 10_000,
  /** Libraries per contract. */
  libraries: 256,
  /** Retries of a run, each with one more library. */
  retries: 16,
  /** Libraries of the account itself. */
  own: 256,
} as const;
/** At most twice as many sets of libraries are cached. */
const cachedSets = 500;

type Contract = Pick<AccountSnapshot, "code" | "libraries">;
/** `missingAt`: the newest block when libraries that the code refers to did not exist; absent if all do. */
type Known = { set: LibrarySet; count: number; missingAt?: BlockIdExt | undefined };

/**
 * Caches the public libraries of contracts by code hash, including those found missing during a run. A library is
 * identified by its hash, so an entry never becomes wrong; a library removed from the chain may stay cached. A missing
 * library may be published in any block.
 */
export class CodeLibraries {
  readonly #reader: Pick<ChainReader, "libraries" | "last">;
  readonly #known = new RecentMap<string, Known>(cachedSets);

  constructor(reader: Pick<ChainReader, "libraries" | "last">) {
    this.#reader = reader;
  }

  /** Root of the dictionary of libraries that the account's code refers to; `undefined` if there are none. */
  async of(account: Contract, call?: LiteCall): Promise<Cell | undefined> {
    const known = account.code && (await this.#knownOf(account.code, call));
    return withOwn(known?.set ?? none, account).root;
  }

  /** Repeats the run with each missing library that is found on the chain. Throws RunError beyond the limits. */
  async runWith(
    account: Contract & { code: Cell },
    run: (libraries: Cell | undefined) => Promise<Measured<MethodResult>>,
    call?: LiteCall,
  ): Promise<Measured<MethodResult>> {
    const { code } = account;
    let spentMs = 0;
    for (let retries = 0; ; retries++) {
      const { set, count } = await this.#knownOf(code, call);
      const result = await run(withOwn(set, account).root);
      const { missingLibrary: missing } = result;
      spentMs = result.cpuMs += spentMs;
      if (!missing || set.has(missing)) return result;
      if (retries === limits.retries || count >= limits.libraries)
        throw new RunError("too-many-libraries", "Too many missing libraries");
      if (!(await this.#learn(code, [missing], call))) return result;
    }
  }

  async #knownOf(code: Cell, call?: LiteCall): Promise<Known> {
    const { last } = this.#reader;
    const known = this.#known.get(code.hashHex());
    if (known && (known.missingAt === undefined || known.missingAt === last)) return known;
    const hashes = libraryHashes(code);
    await this.#learn(code, hashes, call);
    const learned = valueAt(this.#known, code.hashHex());
    learned.missingAt = hashes.every((hash) => learned.set.has(hash)) ? undefined : last;
    return learned;
  }

  /** Adds libraries to the cache entry of the code. Returns whether any was found. */
  async #learn(code: Cell, hashes: readonly Uint8Array[], call?: LiteCall): Promise<boolean> {
    const found = hashes.length > 0 ? await this.#reader.libraries(hashes, call) : [];
    const before = this.#known.get(code.hashHex());
    const set = (before?.set ?? none).update(found.map(({ hash, cell }) => [hash, cell]));
    this.#known.set(code.hashHex(), { ...before, set, count: [...set.keys()].length });
    return found.length > 0;
  }
}

/** The hash of the library to which a library cell refers: `library#02 hash:bits256`. */
export function libraryHash(cell: Cell): Uint8Array {
  return cell.parseExotic().skip(8).loadBytes(32);
}

/** Distinct hashes of the library cells in a code. */
export function libraryHashes(code: Cell): Uint8Array[] {
  const seen = new CellSet();
  const hashes = new Map<string, Uint8Array>();
  let level = [code];
  let looked = 0;
  for (let depth = 0; depth <= searchDepth && level.length > 0; depth++) {
    const next: Cell[] = [];
    for (const cell of level) {
      if (!seen.add(cell)) continue;
      if (++looked > limits.cells || hashes.size >= limits.libraries) return [...hashes.values()];
      if (cell.type === "library") {
        const hash = libraryHash(cell);
        hashes.set(bytesToHex(hash), hash);
      }
      next.push(...cell.refs);
    }
    level = next;
  }
  return [...hashes.values()];
}

function withOwn(set: LibrarySet, { libraries }: Contract): LibrarySet {
  if (!libraries?.root) return set;
  const own: [Uint8Array, Cell][] = [];
  for (const [hash, { root }] of libraries.entries()) {
    if (own.length === limits.own) break;
    own.push([hash, root]);
  }
  return set.update(own);
}
