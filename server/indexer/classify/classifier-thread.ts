import { settled } from "../../../shared/values/promises.js";
import { Thread } from "../../os/channel/thread.js";
import type { ClassifiedTrace, ClassifyJob } from "./classify-trace.js";

/** Memory limit of the thread; a larger trace ends it. */
const maxHeapMb = 512;
/** Objects of a trace are short-lived; a larger young generation would stay allocated between traces. */
const maxYoungGenerationSizeMb = 12;
/**
 * Wall-clock limit for the traces of one message. Usual ones take milliseconds, but a machine may stall for seconds.
 */
const defaultTimeoutMs = 60_000;

/** The calls of the thread. */
export type ClassifierSide = { classify(jobs: readonly ClassifyJob[]): ClassifiedTrace[] };

/**
 * A worker thread that classifies traces, started on first use. It is replaced after a failure or timeout. The owner
 * must `close` it.
 */
export class ClassifierThread {
  readonly #timeoutMs: number;
  #thread: Thread<ClassifierSide> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ timeoutMs = defaultTimeoutMs } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /** The results in the order of the jobs. Rejects if the thread ended or timed out. */
  run(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const result = this.#queue.then(() => this.#runNow(jobs));
    this.#queue = settled(result);
    return result;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.stop();
  }

  async #runNow(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    if (!this.#thread || this.#thread.hasEnded) this.#thread = startThread();
    const thread = this.#thread;
    const late = () => thread.end(new Error("the classifier takes too long"));
    const timer = setTimeout(late, this.#timeoutMs);
    try {
      return await thread.ask("classify", jobs);
    } catch (error) {
      void this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function startThread(): Thread<ClassifierSide> {
  return new Thread({
    ...{ url: import.meta.url, entry: "classify-worker", isBackground: true },
    settings: { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb } },
    ended: (failure) => failure ?? new Error("the classifier's thread has ended"),
  });
}
