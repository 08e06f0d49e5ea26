import { utcDay } from "../../../shared/values/utc-text.js";
import { ServiceError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import { pause } from "../../os/pause.js";
import type { MonthQuota } from "../limits/plan.js";
import {
  addCounts,
  type Counts,
  countsOf,
  dayMs,
  type MonthTotal,
  monthOf,
  nextMonthAfter,
  noCounts,
  type UsageStore,
} from "./usage.js";

type MeterOptions = {
  store: UsageStore;
  /** Wall clock, ms. */
  now: () => number;
  fallback: Fallback;
  /** How often counts are written, ms. */
  writeEveryMs?: number | undefined;
};

type ByKey = Map<string, Counts>;

/** A process that is killed loses the counts of this time. */
const usualWriteMs = 2000;
/** A store that hangs does not keep the service from starting. */
const firstReadMs = 1000;

/**
 * Counts what the keys of a process use. Counts are written every few seconds; then the process also learns what others have
 * written of these keys, so that several processes share their quotas.
 */
export class UsageMeter {
  readonly #options: MeterOptions;
  /** Counts that are not written yet, by day. */
  #pending = new Map<string, ByKey>();
  /** Totals of a month: of all processes as last read, and of this one since. */
  #month = "";
  #totals: ByKey = new Map();
  #hasTotals = false;
  /** Today, which begins and ends at these times. */
  #today = { day: "", from: 0, to: 0 };
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Resolves once it has what was used before, or that cannot be read in time: quotas begin anew until it can. */
  async start(): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.write(), pause(firstReadMs, over.signal)]);
    over.abort();
    const { writeEveryMs = usualWriteMs } = this.#options;
    this.#timer = setInterval(() => void this.write(), writeEveryMs).unref();
  }

  count(key: string, change: Partial<Counts>): void {
    const day = this.#turn();
    addCounts(countsOf(this.#pendingOf(day), key), change);
    addCounts(countsOf(this.#totals, key), change);
  }

  /** The usage of a key in this month. */
  used(key: string): Readonly<Counts> {
    this.#turn();
    return this.#totals.get(key) ?? noCounts();
  }

  /** All keys that this process knows to have used something in this month. */
  allUsed(): ReadonlyMap<string, Readonly<Counts>> {
    this.#turn();
    return this.#totals;
  }

  /**
   * Throws `quota-exceeded`, with the time of the next month, if the quota is used up. `points` of the call itself have been
   * counted before.
   */
  checkQuota(key: string, quota: MonthQuota, points: number): void {
    const used = this.used(key);
    if (quota.calls !== undefined && used.calls >= quota.calls) throw this.#exceeded("calls", quota.calls);
    if (quota.points !== undefined && used.points - points >= quota.points)
      throw this.#exceeded("points", quota.points);
  }

  /** Writes what was counted. Never rejects: counts that cannot be written wait for the next time. */
  write(): Promise<void> {
    this.#writing ??= this.#write()
      .catch((error) => this.#options.fallback("key-usage", error))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // Calls may have ended since the write under way began.
    await this.#writing;
    await this.write();
  }

  async #write(): Promise<void> {
    const { store } = this.#options;
    this.#turn();
    const month = this.#month;
    const written = new Set<string>();
    // Calls that are counted meanwhile are left to the next time.
    for (const [day, counts] of [...this.#pending]) {
      this.#pending.delete(day);
      const rows = [...counts].sort(byName).map(([key, each]) => ({ day, key, ...each }));
      try {
        await store.add(day, rows);
      } catch (error) {
        for (const [key, each] of counts) addCounts(countsOf(this.#pendingOf(day), key), each);
        throw error;
      }
      for (const { key } of rows) written.add(key);
    }
    if (this.#hasTotals && written.size === 0) return;
    this.#learn(month, await store.totals(month, this.#hasTotals ? [...written] : undefined));
  }

  #learn(month: string, totals: readonly MonthTotal[]): void {
    if (month !== this.#month) return;
    this.#hasTotals = true;
    for (const { key, calls, points } of totals) {
      const counts = { calls, points, refused: 0 };
      for (const [day, byKey] of this.#pending)
        if (monthOf(day) === month) addCounts(counts, byKey.get(key) ?? {});
      this.#totals.set(key, counts);
    }
  }

  /** Returns today, and begins a new month if it is one. */
  #turn(): string {
    const now = this.#options.now();
    if (now >= this.#today.from && now < this.#today.to) return this.#today.day;
    const day = utcDay(now);
    const from = Date.parse(day);
    this.#today = { day, from, to: from + dayMs };
    const month = monthOf(day);
    if (month === this.#month) return day;
    this.#month = month;
    this.#totals = new Map();
    this.#hasTotals = false;
    return day;
  }

  #pendingOf(day: string): ByKey {
    const known = this.#pending.get(day);
    if (known) return known;
    const made: ByKey = new Map();
    this.#pending.set(day, made);
    return made;
  }

  #exceeded(unit: "calls" | "points", quota: number): ServiceError {
    const now = this.#options.now();
    const next = nextMonthAfter(now);
    const resetsAt = new Date(next).toISOString();
    const text = `the monthly quota of ${quota} ${unit} of this API key is used up until ${resetsAt}`;
    const data = {
      limit: `month_${unit}`,
      quota,
      resets_at: resetsAt,
      retry_after: Math.max(1, Math.ceil((next - now) / 1000)),
    };
    return new ServiceError("quota-exceeded", text, { data });
  }
}

/** Processes that write the same rows lock them in the same order. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
