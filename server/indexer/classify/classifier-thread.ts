import type { Worker } from "node:worker_threads";
import { settled } from "../../../shared/values/promises.js";
import { startWorker } from "../../os/worker.js";
import type { ClassifiedTrace, ClassifyJob } from "./classify-trace.js";

/** Memory limit of the thread; a larger trace ends it. */
const maxHeapMb = 512;
/** Objects of a trace are short-lived; a larger young generation would stay allocated between traces. */
const maxYoungGenerationSizeMb = 12;
/**
 * Wall-clock limit for the traces of one message. Usual ones take milliseconds, but a machine may stall for seconds.
 */
const defaultTimeoutMs = 60_000;

type Settle = { resolve(results: ClassifiedTrace[]): void; reject(error: Error): void };

/**
 * A worker thread that classifies traces, started on first use. It is replaced after a failure or timeout. The owner
 * must `close` it.
 */
export class ClassifierThread {
  readonly #timeoutMs: number;
  #worker: Worker | undefined;
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
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #runNow(jobs: readonly ClassifyJob[]): Promise<ClassifiedTrace[]> {
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error("the classifier takes too long")), this.#timeoutMs);
      const settle: Settle = {
        resolve(results) {
          release();
          resolve(results);
        },
        reject: (error) => fail(error),
      };
      const release = () => {
        clearTimeout(timer);
        worker.off("message", settle.resolve).off("error", settle.reject).off("exit", ended);
        worker.unref();
      };
      const fail = (error: Error) => {
        release();
        void this.close();
        reject(error);
      };
      const ended = () => fail(new Error("the classifier's thread has ended"));
      worker.on("message", settle.resolve).on("error", settle.reject).on("exit", ended);
      worker.ref();
      worker.postMessage(jobs);
    });
  }

  #start(): Worker {
    const worker = startWorker(import.meta.url, "classify-worker", {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb },
    });
    this.#worker = worker;
    return worker;
  }
}
