import { SweptMap } from "./swept-map.js";
import type { Charge, Count, Counters, LeaseSource } from "./windows.js";

/** Points of a window that this process may use without asking. */
type Held = {
  window: number;
  points: number;
  /** Points consumed by all when the lease was taken, without those that this process held then. */
  consumedPoints: number;
  burst: number;
  endsAt: number;
  /** When the bucket has paid for its expensive calls. */
  paidAt: number;
};

type Call = { points: number; resolve(count: Count): void; reject(error: unknown): void };

/** Calls of one bucket that are asked for together. */
type Question = { readonly request: Omit<Charge, "points">; readonly calls: Call[] };

/**
 * Counters of one of several processes: it takes points in advance, so that most calls are counted without a question.
 * Calls that arrive together are one question. None waits for the question of an earlier one: their source may be slow.
 * `now`: wall clock, ms.
 */
export class LeasedCounters implements Counters {
  readonly #source: LeaseSource;
  readonly #now: () => number;
  readonly #held: SweptMap<Held>;
  /** The questions to be asked next, by bucket and limit. */
  readonly #next = new Map<string, Question>();

  constructor(source: LeaseSource, now: () => number) {
    this.#source = source;
    this.#now = now;
    this.#held = new SweptMap(({ endsAt }) => endsAt <= now());
  }

  add({ points, ...request }: Charge): Promise<Count> | Count {
    const counted = this.#take(request.bucket, points);
    if (counted) return counted;
    return new Promise((resolve, reject) => {
      this.#questionOf(request).calls.push({ points, resolve, reject });
    });
  }

  /** Gives back the points held of the bucket: they were leased before the debt. */
  async owe(bucket: string, ms: number, maxMs: number): Promise<number> {
    const held = this.#held.get(bucket);
    this.#held.delete(bucket);
    const [owed] = await Promise.all([
      this.#source.owe(bucket, ms, maxMs),
      held && this.#giveBack(bucket, held),
    ]);
    return owed;
  }

  /** Gives back all points: others need not wait for the end of their windows. */
  async close(): Promise<void> {
    const all = [...this.#held];
    this.#held.clear();
    await Promise.all(all.map(([bucket, held]) => this.#giveBack(bucket, held)));
  }

  #giveBack(bucket: string, { window, points, burst, endsAt }: Held): Promise<void> | void {
    if (points > 0 && endsAt > this.#now()) return this.#source.giveBack({ bucket, window, points, burst });
  }

  #take(bucket: string, points: number): Count | undefined {
    const held = this.#held.get(bucket);
    const now = this.#now();
    const msBeforeNext = held ? held.endsAt - now : 0;
    if (!held || msBeforeNext <= 0 || held.points < points) return undefined;
    held.points -= points;
    held.consumedPoints += points;
    return { consumedPoints: held.consumedPoints, msBeforeNext, owedMs: Math.max(0, held.paidAt - now) };
  }

  /** The question that is asked once the messages that have arrived are read. */
  #questionOf(request: Question["request"]): Question {
    const { bucket, windowSec, burst } = request;
    const name = `${windowSec} ${burst} ${bucket}`;
    const known = this.#next.get(name);
    if (known) return known;
    const question = { request, calls: [] };
    this.#next.set(name, question);
    setImmediate(() => {
      this.#next.delete(name);
      void this.#ask(question);
    });
    return question;
  }

  async #ask({ request, calls }: Question): Promise<void> {
    let points = 0;
    for (const call of calls) points += call.points;
    try {
      // An earlier question may have been answered meanwhile.
      const { consumedPoints, ...rest } =
        this.#take(request.bucket, points) ?? (await this.#lease({ ...request, points }));
      let consumed = consumedPoints - points;
      for (const call of calls) {
        consumed += call.points;
        call.resolve({ ...rest, consumedPoints: consumed });
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  async #lease({ points, ...request }: Charge): Promise<Count> {
    const { bucket, burst } = request;
    const before = this.#held.get(bucket);
    const isOpen = before !== undefined && before.endsAt > this.#now();
    const own = isOpen ? Math.min(before.points, points) : 0;
    if (isOpen) before.points -= own;
    const lease = await this.#source.lease({ ...request, points: points - own });
    const { window, consumedPoints, extra, msBeforeNext, owedMs } = lease;
    if (window === undefined) return { consumedPoints, msBeforeNext, owedMs };
    // Points held of the same window remain.
    const held = this.#held.get(bucket);
    const rest = held?.window === window ? held.points : 0;
    const usedPoints = consumedPoints - extra - rest;
    const now = this.#now();
    this.#held.set(bucket, {
      ...{ window, burst, points: extra + rest, consumedPoints: usedPoints },
      endsAt: now + msBeforeNext,
      paidAt: now + owedMs,
    });
    return { consumedPoints: usedPoints, msBeforeNext, owedMs };
  }
}
