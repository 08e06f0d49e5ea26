import { setTimeout as wait } from "node:timers/promises";
import SQL, { raw } from "sql-template-tag";
import type { Fallback } from "../../observe/fallback.js";
import type { Database, Sql } from "../database.js";
import { tables } from "../tables/all-tables.js";

const dayMs = 24 * 60 * 60 * 1000;
/** After so many rows, then after ten times as many each time, the statistics of a new index say something new. */
const firstRows = 10_000;
/** Others that wait for a table to be analysed get nine times as long before the next one. */
const pauseFactor = 9;

type Pause = (ms: number, signal: AbortSignal) => Promise<void>;
type StatisticsOptions = {
  /** Wall clock, milliseconds. */
  now: () => number;
  fallback?: Fallback | undefined;
  pause?: Pause;
};
const systemPause: Pause = (ms, signal) => wait(ms, undefined, { signal });

/** Analyses all tables once. */
export async function analyseAll(database: Sql): Promise<void> {
  for (const { name } of Object.values(tables)) await database.query(SQL`analyze ${raw(name)}`);
}

/**
 * Keeps the planner's statistics up to date. Autovacuum never analyses partitioned tables, only their partitions, and
 * PGlite has no autovacuum.
 */
export class Statistics {
  readonly #sql: Sql;
  readonly #isConcurrent: boolean;
  readonly #pause: Pause;
  readonly #now: () => number;
  readonly #fallback: Fallback | undefined;
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #isDue = false;
  #analysedAt: number;
  #rows = 0;
  #nextRows = firstRows;

  constructor(
    database: Pick<Database, "sql" | "isConcurrent">,
    { now, fallback, pause = systemPause }: StatisticsOptions,
  ) {
    // A pool of its own, as a run can take minutes.
    this.#sql = database.sql({ connections: 1 });
    this.#isConcurrent = database.isConcurrent;
    this.#pause = pause;
    this.#now = now;
    this.#fallback = fallback;
    this.#analysedAt = now();
  }

  /** Makes the next call of `stored` analyse. */
  slotCreated(): void {
    this.#isDue = true;
  }

  /** Call after rows were stored. Analyses in the background if it is due: after a new slot, after a day, after many rows. */
  stored(rows: number): void {
    this.#rows += rows;
    if (this.#rows >= this.#nextRows) {
      this.#isDue = true;
      this.#nextRows = 10 * this.#rows;
    }
    const isOld = this.#now() - this.#analysedAt >= dayMs;
    if (this.#running || !(this.#isDue || isOld)) return;
    this.#running = this.#analyse().finally(() => {
      this.#running = undefined;
    });
  }

  /** Cancels what is running. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #analyse(): Promise<void> {
    const { signal } = this.#ending;
    this.#isDue = false;
    try {
      for (const { name } of Object.values(tables)) {
        const start = performance.now();
        await this.#sql.query(SQL`analyze ${raw(name)}`, { signal });
        const pauseMs = pauseFactor * (performance.now() - start);
        if (!this.#isConcurrent) await this.#pause(pauseMs, signal);
      }
      this.#analysedAt = this.#now();
    } catch (error) {
      this.#isDue = true;
      if (!signal.aborted) this.#fallback?.("planner-statistics", error);
    }
  }
}
