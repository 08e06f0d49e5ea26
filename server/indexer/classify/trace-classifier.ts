import { itemAt } from "../../../shared/values/lookups.js";
import { classificationStates, codeOf } from "../../store/codes.js";
import type { Queries } from "../../store/database.js";
import { maxTransactions } from "../actions/classify.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { TimeShare } from "../time-share.js";
import type { StoredActions } from "./action-rows.js";
import type { ClassifierThread } from "./classifier-thread.js";
import type { ClassifiedTrace, ClassifyJob } from "./classify-trace.js";
import { type Horizon, KnownContracts, type UnstoredContracts } from "./known-contracts.js";
import { TraceQuestion } from "./trace-question.js";

/** Stored results of a trace, with its state. */
export type TraceActions = StoredActions & {
  /** Code of the state. */
  state: number;
};

const failed = codeOf(classificationStates, "failed");

/**
 * Each round can request contracts found in the previous round. The known types need three rounds; contracts still
 * missing after the last one count as unknown.
 */
const maxRounds = 8;
/**
 * Traces per message to the thread, which keeps messages small; fewer while blocks wait, because the time is checked
 * after each message.
 */
const tracesPerMessage = 200;
const waitedForPerMessage = 20;
/**
 * CPU time in milliseconds: limit per trace while its block waits, and limit on the total beyond each trace's own
 * allowance.
 */
type ClassifierLimits = {
  readonly ownMs: number;
  readonly traceMs: number;
  /** The total grows by this share of elapsed time, up to `savedMs`. */
  readonly share: number;
  readonly savedMs: number;
};
const defaultLimits: ClassifierLimits = { ownMs: 5, traceMs: 100, share: 0.1, savedMs: 500 };

type ClassifierOptions = {
  thread: Pick<ClassifierThread, "run">;
  /** Called with the reason when a trace could not be classified. */
  onFailure?: (traceId: Uint8Array, reason: string) => void;
  limits?: Partial<ClassifierLimits>;
};

type ClassifyCall = {
  horizon: Horizon;
  unstored?: UnstoredContracts;
  /** Whether blocks wait: slow traces are deferred then. Default: all are classified. */
  isWaitedFor?: boolean;
};

/** Classifies traces: loads the requested contracts and runs the thread. */
export class TraceClassifier {
  readonly #options: ClassifierOptions;
  readonly #limits: ClassifierLimits;
  readonly #time: TimeShare;
  #spentMs = 0;

  constructor(options: ClassifierOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#time = new TimeShare(this.#limits);
  }

  /** CPU time spent on all traces, in milliseconds. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /**
   * The actions of traces, in order. Contracts of a batch take precedence over stored ones. Never fails because of a
   * trace.
   */
  async classify(
    queries: Queries,
    traces: readonly TraceRows[],
    { horizon, unstored, isWaitedFor = false }: ClassifyCall,
  ): Promise<TraceActions[]> {
    if (traces.length === 0) return [];
    if (isWaitedFor) this.#time.refill();
    const known = await KnownContracts.open(queries, horizon, unstored);
    const questions = traces.map((rows) => new TraceQuestion(rows));
    const results: ClassifiedTrace[] = traces.map(() => unclassified);
    let open = traces.flatMap(({ transactions }, i) => (transactions.length <= maxTransactions ? [i] : []));
    for (let round = 0; open.length > 0 && round < maxRounds; round++) {
      await known.load(open.map((i) => itemAt(questions, i)));
      const jobs = open.map((i) => known.jobOf(itemAt(questions, i)));
      const found = isWaitedFor ? await this.#runWaitedFor(jobs) : await this.#run(jobs);
      open = open.filter((place, i) => {
        results[place] = itemAt(found, i);
        return itemAt(questions, place).take(itemAt(found, i));
      });
    }
    results.forEach(({ error }, i) => {
      if (error !== undefined) this.#options.onFailure?.(itemAt(traces, i).trace.trace_id, error);
    });
    const unknown = await known.unknownOf(questions);
    return results.map(({ state, actions }, i) => ({
      state,
      actions,
      unknown: itemAt(unknown, i),
      awaited: known.awaitedOf(itemAt(questions, i)),
    }));
  }

  async #run(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const results: ClassifiedTrace[] = [];
    for (let at = 0; at < jobs.length; at += tracesPerMessage)
      results.push(...(await this.#runSome(jobs.slice(at, at + tracesPerMessage))));
    return results;
  }

  async #runWaitedFor(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const { ownMs, traceMs } = this.#limits;
    const results: ClassifiedTrace[] = [];
    for (let at = 0; at < jobs.length; at += waitedForPerMessage) {
      const maxMs = this.#time.leftMs > 0 ? traceMs : ownMs;
      const own = jobs.slice(at, at + waitedForPerMessage).map((job) => ({ ...job, maxMs }));
      const some = await this.#runSome(own);
      for (const { cpuMs } of some) this.#time.take(Math.max(0, cpuMs - ownMs));
      results.push(...some);
    }
    return results;
  }

  /** If the thread fails, retries each trace separately, so that one trace does not fail the others. */
  async #runSome(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    try {
      const results = await this.#options.thread.run(jobs);
      for (const { cpuMs } of results) this.#spentMs += cpuMs;
      return results;
    } catch (error) {
      if (jobs.length === 1) return [{ ...unclassified, error: String(error) }];
      const results: ClassifiedTrace[] = [];
      for (const job of jobs) results.push(...(await this.#runSome([job])));
      return results;
    }
  }
}

const unclassified: ClassifiedTrace = {
  state: failed,
  actions: [],
  missing: undefined,
  unknown: [],
  error: undefined,
  cpuMs: 0,
};
