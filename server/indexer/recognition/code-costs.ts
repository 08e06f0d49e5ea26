import { LRUCache } from "lru-cache";
import type { Queries } from "../../store/database.js";
import { type CodeCostRow, readCodeCosts } from "../../store/queries/recognition-queue.js";
import { bytesOfKey, keyOf } from "../hash-key.js";

const remembered = 20_000;
/** Most that a code saves, and most that it owes, in milliseconds. */
const mostSaved = 1000;
const mostOwed = 5000;
/** A balance is stored when it has changed by as much. */
const storedMs = 100;
/** The parts that one account has in an expectation, if it was dearer or cheaper than expected. */
const dearer = 1;
const cheaper = 0.2;

/** Expected cost of an account of a code that needs more gas than its trial has. */
const deferredMs = 50;

type Cost = {
  balanceMs: number;
  expectedMs: number;
  storedMs: number | undefined;
  /** Whether its runs for some account are known, or that they need more gas than a trial has. */
  state: "unknown" | "deferred" | "known";
};

/**
 * Costs of the get-methods of each code, in milliseconds of CPU time. A code has the same time for each account that runs it:
 * what is left of it is saved, and what is over is owed. Both are remembered in the database.
 */
export class CodeCosts {
  readonly #codes = new LRUCache<string, Cost>({ max: remembered });
  readonly #changed = new Set<string>();

  /** Reads what is stored of codes that are not known. */
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

  /** Whether a code has been run for an account. */
  isKnown(code: string): boolean {
    return this.#codes.get(code)?.state === "known";
  }

  /** Whether a code waits to be run with all its gas. */
  isDeferred(code: string): boolean {
    return this.#codes.get(code)?.state === "deferred";
  }

  balanceMs(code: string): number {
    return this.#codes.get(code)?.balanceMs ?? 0;
  }

  /** What an account is expected to cost; 0 if nothing is known. */
  expectedMs(code: string): number {
    return this.#codes.get(code)?.expectedMs ?? 0;
  }

  /** Adds to the balance of a code, or takes from it. */
  add(code: string, ms: number): void {
    const cost = this.#of(code);
    cost.balanceMs = Math.max(-mostOwed, Math.min(mostSaved, cost.balanceMs + ms));
    const { balanceMs, storedMs: stored = 0 } = cost;
    if (Math.abs(balanceMs - stored) >= storedMs) this.#changed.add(code);
  }

  /** A code of which nothing is known needs more gas than its trial has. */
  defer(code: string): void {
    const cost = this.#of(code);
    if (cost.state === "known") return;
    cost.state = "deferred";
    cost.expectedMs = Math.max(cost.expectedMs, deferredMs);
  }

  /** Notes the cost of a code's runs for one account. `isWhole`: it had all of them. */
  note(code: string, ms: number, isWhole: boolean): void {
    const cost = this.#of(code);
    if (isWhole) cost.state = "known";
    const weight = ms > cost.expectedMs ? dearer : cheaper;
    cost.expectedMs += weight * (ms - cost.expectedMs);
  }

  /** Costs that have changed so much since the last call that they are to be stored. */
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
