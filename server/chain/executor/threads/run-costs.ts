import { RecentMap } from "../../../../shared/values/recent-map.js";

/** Codes, with their methods, that are remembered. */
const remembered = 20_000;

/** The parts that one run has in an expectation, if it was dearer or cheaper than expected. */
type Weights = { dearer: number; cheaper: number };

/** Expected cost of runs of the same code, in milliseconds of CPU time. */
export class RunCosts {
  readonly #weights: Weights;
  readonly #expected = new RecentMap<string, number>(remembered);

  constructor(weights: Weights) {
    this.#weights = weights;
  }

  /** Undefined if nothing is known. */
  of(subject: string): number | undefined {
    return this.#expected.get(subject);
  }

  note(subject: string, ms: number): void {
    const expected = this.#expected.get(subject) ?? ms;
    const weight = ms > expected ? this.#weights.dearer : this.#weights.cheaper;
    this.#expected.set(subject, expected + weight * (ms - expected));
  }
}
