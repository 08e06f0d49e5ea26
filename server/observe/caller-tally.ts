import { type ErrorCode, errorTable } from "../../shared/rpc/errors.js";
import type { Sample } from "./call-tally.js";

/** Callers are counted by key id, up to this many; all further keys share one count. */
const maxCallers = 500;
const otherKeys = "other";
const otherPlans = "other";

type Outcome = "ok" | "refused" | "failed" | "other";
type Counts = Record<Outcome, number>;

const failures: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "timeout"]);

/** Counts calls by plan, key and outcome. */
export class CallerTally {
  readonly #plans = new Map<string, Map<string, Counts>>();
  #callers = 0;

  add(plan: string, keyId: string | undefined, code: ErrorCode | undefined): void {
    this.#of(plan, keyId ?? "")[outcomeOf(code)]++;
  }

  counts(): Sample[] {
    return [...this.#plans].flatMap(([plan, keys]) =>
      [...keys].flatMap(([key, counts]) =>
        Object.entries(counts)
          .filter(([, value]) => value > 0)
          .map(([outcome, value]) => ({ labels: { plan, key, outcome }, value })),
      ),
    );
  }

  #of(plan: string, key: string): Counts {
    const known = this.#plans.get(plan)?.get(key);
    if (known) return known;
    if (this.#callers >= maxCallers && key !== otherKeys) return this.#of(otherPlans, otherKeys);
    const counts = { ok: 0, refused: 0, failed: 0, other: 0 };
    const keys = this.#plans.get(plan) ?? new Map<string, Counts>();
    this.#plans.set(plan, keys.set(key, counts));
    this.#callers++;
    return counts;
  }
}

function outcomeOf(code: ErrorCode | undefined): Outcome {
  if (code === undefined) return "ok";
  if (errorTable[code].http === 429) return "refused";
  return failures.has(code) ? "failed" : "other";
}
