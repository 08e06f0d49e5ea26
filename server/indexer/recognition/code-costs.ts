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

type Cost = { balanceMs: number; expectedMs: number; storedMs: number | undefined };

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
      const { balance_ms: balanceMs, expected_ms: expectedMs } = row ?? { balance_ms: 0, expected_ms: 0 };
      if (!this.#codes.has(code))
        this.#codes.set(code, { balanceMs, expectedMs, storedMs: row && balanceMs });
    }
  }

  has(code: string): boolean {
    return this.#codes.has(code);
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

  /** Notes the cost of a code's runs for one account. */
  note(code: string, ms: number): void {
    const cost = this.#of(code);
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
    const cost: Cost = { balanceMs: 0, expectedMs: 0, storedMs: undefined };
    this.#codes.set(code, cost);
    return cost;
  }
}
