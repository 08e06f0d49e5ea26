import type { BoundMethod } from "./bind.js";
import type { RawParams } from "./params.js";

/** Rows that cost one more point. */
const rowsPerPoint = 100;
/** CPU time of contracts that a point covers, in milliseconds. Most calls need a few. */
const cpuMsPerPoint = 25;
/** Values of lists, after the first, that cost one more point. */
const valuesPerPoint = 10;

/**
 * Points of the rate limit that a call costs: 1, and more for a v3 call with many rows or values. Counted before
 * parameters are checked, so that calls with invalid parameters cost as much.
 */
export function pointsOf({ api, definition, params }: BoundMethod, raw: RawParams): number {
  if (definition.free) return 0;
  if (api === "v2") return 1;
  const { limit, values } = params.demand(raw);
  return Math.floor(1 + limit / rowsPerPoint) + Math.floor(Math.max(0, values - 1) / valuesPerPoint);
}

/** Charges the points that the runs of a call cost beyond its first one. */
export class RunMeter {
  readonly #charge: (points: number) => void;
  #spentMs = 0;
  #charged = 0;

  constructor(charge: (points: number) => void) {
    this.#charge = charge;
  }

  add(cpuMs: number): void {
    this.#spentMs += cpuMs;
    const due = Math.floor(this.#spentMs / cpuMsPerPoint) - this.#charged;
    if (due <= 0) return;
    this.#charged += due;
    this.#charge(due);
  }
}
