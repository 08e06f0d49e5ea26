import { classificationStates, codeOf } from "../../store/codes.js";
import type { Queries } from "../../store/database.js";
import { maxTransactions } from "../actions/classify.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import type { StoredActions } from "./action-rows.js";
import type { ClassifierThread } from "./classifier-thread.js";
import type { ClassifiedTrace, ClassifyJob } from "./classify-trace.js";
import { type Horizon, KnownContracts, type UnstoredContracts } from "./known-contracts.js";
import { TraceQuestion } from "./trace-question.js";

/** What became of a trace. */
export type TraceActions = StoredActions & {
  /** Code of the state. */
  state: number;
};

const failed = codeOf(classificationStates, "failed");

/**
 * Each round can ask for what it learned from the contracts of the round before. The known types need three; what is
 * missing after the last one counts as unknown.
 */
const maxRounds = 8;
/** Traces per message to the thread, so that messages stay small. */
const tracesPerMessage = 200;

export type ClassifierOptions = {
  thread: Pick<ClassifierThread, "run">;
  /** Learns why a trace could not be classified. */
  onFailure?: (traceId: Uint8Array, reason: string) => void;
};

/** Classifies traces: loads what is asked of contracts and lets a thread do the rest. */
export class TraceClassifier {
  readonly #options: ClassifierOptions;

  constructor(options: ClassifierOptions) {
    this.#options = options;
  }

  /**
   * The actions of traces, in their order. Contracts that a batch tells of count before what is stored of them. Never
   * fails because of a trace.
   */
  async classify(
    queries: Queries,
    traces: readonly TraceRows[],
    { horizon, unstored }: { horizon: Horizon; unstored?: UnstoredContracts },
  ): Promise<TraceActions[]> {
    if (traces.length === 0) return [];
    const known = await KnownContracts.open(queries, horizon, unstored);
    const questions = traces.map((rows) => new TraceQuestion(rows));
    const results: ClassifiedTrace[] = traces.map(() => unclassified);
    let open = traces.flatMap(({ transactions }, i) => (transactions.length <= maxTransactions ? [i] : []));
    for (let round = 0; open.length > 0 && round < maxRounds; round++) {
      await known.load(open.map((i) => questions[i]!));
      const found = await this.#run(open.map((i) => known.jobOf(questions[i]!)));
      open = open.filter((place, i) => {
        results[place] = found[i]!;
        return questions[place]!.take(found[i]!);
      });
    }
    results.forEach(({ error }, i) => {
      if (error !== undefined) this.#options.onFailure?.(traces[i]!.trace.trace_id, error);
    });
    const unknown = await known.unknownOf(questions);
    return results.map(({ state, actions }, i) => ({
      state,
      actions,
      unknown: unknown[i]!,
      awaited: known.awaitedOf(questions[i]!),
    }));
  }

  async #run(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const results: ClassifiedTrace[] = [];
    for (let at = 0; at < jobs.length; at += tracesPerMessage)
      results.push(...(await this.#runSome(jobs.slice(at, at + tracesPerMessage))));
    return results;
  }

  /** If the thread fails, each trace is tried by itself, so that it costs the others nothing. */
  async #runSome(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    try {
      return await this.#options.thread.run(jobs);
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
};
