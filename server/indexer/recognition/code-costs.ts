import { RecentMap } from "../../../shared/values/recent-map.js";
import type { Queries } from "../../store/database.js";
import { type CodeCostRow, readCodeCosts } from "../../store/queries/upkeep/recognition-queue.js";
import { bytesOfKey, keyOf } from "../hash-key.js";

const remembered = 20_000;
/** Bounds of a code's balance: maximum savings and maximum debt, in milliseconds. */
const mostSaved = 1000;
const mostOwed = 5000;
/** A balance is stored when it has changed by this much. */
const storedMs = 100;
/** Weight of one account in the expected cost, if it cost more or less than expected. */
const dearer = 1;
const cheaper = 0.2;

/** Expected cost of an account whose code needs more than trial gas. */
const deferredMs = 50;

type Cost = {
  balanceMs: number;
  expectedMs: number;
  storedMs: number | undefined;
  /** Whether its runs have been completed for some account, or are known to need more than trial gas. */
  state: "unknown" | "deferred" | "known";
};

/**
 * Costs of each code's get-methods, in milliseconds of CPU time. A code has the same allowance for each account that
 * runs it: the rest is saved, and excess is owed. Balances are stored in the database.
 */
export class CodeCosts {
  readonly #codes = new RecentMap<string, Cost>(remembered);
  readonly #changed = new Set<string>();

  /** Loads the stored costs of unknown codes. */
  async load(queries: Queries, codes: Iterable<string>): Promise<void> {
    const unknown = [...new Set(codes)].filter((code) => !this.#codes.has(code));
    if (unknown.length === 0) return;
    const stored = await readCodeCosts(queries, unknown.map(bytesOfKey));
    const byCode = new Map(stored.map((row) => [keyOf(row.code_hash), row]));
    for (const code of unknown) {
      const row = byCode.get(code);
      if (this.#codes.has(code)) continue;
      if (!row) this.#of(code);
      else {
        const { balance_ms: balanceMs, expected_ms: expectedMs } = row;
        this.#codes.set(code, { balanceMs, expectedMs, storedMs: balanceMs, state: "known" });
      }
    }
  }

  /** Whether a code has been run completely for an account. */
  isKnown(code: string): boolean {
    return this.#codes.get(code)?.state === "known";
  }

  /** Whether a code waits to be run with full gas. */
  isDeferred(code: string): boolean {
    return this.#codes.get(code)?.state === "deferred";
  }

  balanceMs(code: string): number {
    return this.#codes.get(code)?.balanceMs ?? 0;
  }

  /** Expected cost of an account; 0 if unknown. */
  expectedMs(code: string): number {
    return this.#codes.get(code)?.expectedMs ?? 0;
  }

  /** Adds to the balance of a code; `ms` may be negative. */
  add(code: string, ms: number): void {
    const cost = this.#of(code);
    cost.balanceMs = Math.max(-mostOwed, Math.min(mostSaved, cost.balanceMs + ms));
    const { balanceMs, storedMs: stored = 0 } = cost;
    if (Math.abs(balanceMs - stored) >= storedMs) this.#changed.add(code);
  }

  /** Records that an unknown code needs more than trial gas. */
  defer(code: string): void {
    const cost = this.#of(code);
    if (cost.state === "known") return;
    cost.state = "deferred";
    cost.expectedMs = Math.max(cost.expectedMs, deferredMs);
  }

  /** Records the cost of a code's runs for one account. `isWhole`: all runs were completed. */
  note(code: string, ms: number, isWhole: boolean): void {
    const cost = this.#of(code);
    if (isWhole) cost.state = "known";
    const weight = ms > cost.expectedMs ? dearer : cheaper;
    cost.expectedMs += weight * (ms - cost.expectedMs);
  }

  /** Costs whose change since the last call is large enough to store. */
  takeChanged(): CodeCostRow[] {
    const rows: CodeCostRow[] = [];
    for (const code of this.#changed) {
      const cost = this.#codes.get(code);
      if (!cost) continue;
      cost.storedMs = cost.balanceMs;
      rows.push({
        code_hash: bytesOfKey(code),
        balance_ms: Math.round(cost.balanceMs),
        expected_ms: Math.round(cost.expectedMs),
      });
    }
    this.#changed.clear();
    return rows;
  }

  #of(code: string): Cost {
    const known = this.#codes.get(code);
    if (known) return known;
    const cost: Cost = { balanceMs: 0, expectedMs: 0, storedMs: undefined, state: "unknown" };
    this.#codes.set(code, cost);
    return cost;
  }
}
