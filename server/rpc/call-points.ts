import type { BoundMethod } from "./bind.js";
import type { RawParams } from "./params/params.js";

/** Rows that cost one more point. */
const rowsPerPoint = 100;
/** CPU time of contracts that a point covers, in milliseconds. Most calls need a few. */
const cpuMsPerPoint = 25;
/** Values of lists, after the first, that cost one more point. */
const valuesPerPoint = 10;
/** Messages of a bundle that are counted. A call with more is refused. */
const maxBundled = 8;
/** Points of a configuration that is made for a call: it is loaded, and then dropped. */
const configPoints = 2;

/**
 * Points of the rate limit that a call costs: 1, or as many as its definition says, more for a v3 call with many rows or values, and more for each further
 * message of an emulation and for a supposed configuration. Counted before parameters are checked, so that calls with
 * invalid parameters cost as much.
 */
export function pointsOf(method: BoundMethod, raw: RawParams): number {
  const { api, definition, params } = method;
  if (definition.free) return 0;
  if (method.rules) return method.rules.points((name) => params.given(raw, name));
  const points = (definition.points ?? 1) + supposedPoints(method, raw);
  if (api !== "v3") return points;
  const { limit, values } = params.demand(raw);
  return points + Math.floor(limit / rowsPerPoint) + Math.floor(Math.max(0, values - 1) / valuesPerPoint);
}

function supposedPoints({ params }: BoundMethod, raw: RawParams): number {
  const bundle = params.given(raw, "bundle");
  const overrides = params.given(raw, "overrides") as { config?: unknown } | null | undefined;
  const config = overrides?.config;
  const messages = Array.isArray(bundle) ? Math.min(bundle.length, maxBundled) : 0;
  return messages + (Array.isArray(config) && config.length > 0 ? configPoints : 0);
}

/** Bytes of a request, after the first ones, that cost one more point: a few milliseconds to parse and check. */
const bytesPerPoint = 64 * 1024;

/** Points that the length of a request costs; none for most requests. */
export function pointsOfLength(bytes: number): number {
  return Math.floor(bytes / bytesPerPoint);
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
