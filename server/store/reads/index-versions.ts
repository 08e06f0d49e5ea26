import type { IndexVersion } from "../database.js";

/** Versions with the times at which they were heard of. Enough for a standby that is a quarter of an hour behind. */
const maxKnown = 4096;

type Known = { readonly n: number; readonly at: number };

/** The versions of the index that a process knows, from notifications and from what it has read. */
export class IndexVersions {
  readonly #now: () => number;
  #newest: IndexVersion | undefined;
  /** Ascending. */
  #known: Known[] = [];

  /** `now` is a clock that never goes back, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The newest version; `undefined` before any is known. */
  get newest(): IndexVersion | undefined {
    return this.#newest;
  }

  /** Forgets what was known: after a failover, versions of the primary may be older ones again. */
  begin(version: IndexVersion): void {
    this.#newest = version;
    this.#known = [{ n: version.n, at: this.#now() }];
  }

  /** Returns whether it is newer than all that are known. */
  saw(version: IndexVersion): boolean {
    if (this.#newest !== undefined && version.n <= this.#newest.n) return false;
    this.#known.push({ n: version.n, at: this.#now() });
    if (this.#known.length > maxKnown) this.#known.splice(0, maxKnown / 2);
    this.#newest = version;
    return true;
  }

  /** For how long a later version than this one is known, ms; 0 if none is. */
  lagMs(n: number): number {
    let missing = this.#known.length;
    while (missing > 0 && this.#known[missing - 1]!.n > n) missing--;
    const first = this.#known[missing];
    return first ? this.#now() - first.at : 0;
  }
}
