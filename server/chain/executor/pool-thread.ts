import type { Worker } from "node:worker_threads";
import { handledLater } from "../../../shared/values/promises.js";
import { withResolvers } from "../../../shared/values/with-resolvers.js";
import { threadCpuMs } from "../../os/thread-time.js";
import { startWorker } from "../../os/worker.js";
import type { EmulatorCall, EmulatorOutput } from "./calls.js";
import type { EmulatorSource } from "./emulator-source.js";
import { ExecutorError, type ExecutorErrorCode } from "./executor-error.js";

/**
 * `newConfig` and `newParams`: base64 of the configuration, and the parameters with a contract's code and data, if they differ
 * from the previous job's.
 */
export type PoolWorkerJob = {
  call: WithoutParams<EmulatorCall>;
  newConfig: string | undefined;
  newParams: string | undefined;
};
type WithoutParams<Call> = Call extends EmulatorCall ? Omit<Call, "params"> : never;
/** Sent once, before or after the first job. Without a source the thread reads it itself. */
export type PoolWorkerStart = { source: EmulatorSource } | { wasm: string | undefined };
/** Sent once, when the emulator is loaded and calls can run. */
export type PoolWorkerHello = { kernelThread: string | undefined; source: EmulatorSource };
/** `cpuMs`: CPU time of the run in milliseconds. */
export type PoolWorkerAnswer = { cpuMs: number } & (
  | { output: EmulatorOutput }
  | { code: ExecutorErrorCode; message: string }
);
export type MeasuredOutput = { output: EmulatorOutput; cpuMs: number };

/** Four times Node's default: results are written by recursion, as deep as they are. */
const stackSizeMb = 16;
/** A run leaves few objects. */
const maxYoungGenerationSizeMb = 6;

type Settle = (answer: PoolWorkerAnswer) => void;

/** One worker thread, which runs one call at a time. */
export class PoolThread {
  readonly #worker: Worker;
  #config = "";
  #params = "";
  #settle: Settle | undefined;
  #ends = false;
  #kernelThread: string | undefined;
  /**
   * The source of its emulator, for other threads. Resolves when calls run without waiting for the thread's start;
   * rejects if it ends before.
   */
  readonly ready: Promise<EmulatorSource>;

  /** `died` is called once, when the thread has ended for any reason. */
  constructor(start: Promise<PoolWorkerStart>, died: (thread: PoolThread) => void) {
    this.#worker = startWorker(import.meta.url, "pool-worker", {
      resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
    });
    // An idle pool must not keep the process alive.
    this.#worker.unref();
    let message = "The executor's thread has ended";
    const ready = withResolvers<EmulatorSource>();
    this.ready = handledLater(ready.promise);
    this.#worker.on("message", (answer: PoolWorkerHello | PoolWorkerAnswer) => {
      if (!("kernelThread" in answer)) return this.#finish(answer);
      this.#kernelThread = answer.kernelThread;
      ready.resolve(answer.source);
    });
    void start.then((given) => this.#worker.postMessage(given));
    this.#worker.on("error", (error) => {
      message = error.message;
    });
    this.#worker.on("exit", () => {
      this.#ends = true;
      ready.reject(new ExecutorError("crashed", message));
      died(this);
      this.#finish({ code: "crashed", message, cpuMs: 0 });
    });
  }

  /** Whether the thread is stopping and takes no more calls; it may still answer one. */
  get ends(): boolean {
    return this.#ends;
  }

  /** CPU time of the thread in milliseconds; undefined on systems without it. */
  get cpuMs(): number | undefined {
    return this.#kernelThread === undefined ? undefined : threadCpuMs(this.#kernelThread);
  }

  /** Whether a configuration would have to be loaded first, unless it is that of an earlier call. */
  isNewTo(config: string): boolean {
    return this.#config !== config;
  }

  /** Must not be called while another call runs. */
  run({ params, ...call }: EmulatorCall, configText: () => string): Promise<MeasuredOutput> {
    const newConfig = this.#config === call.config ? undefined : configText();
    this.#config = call.config;
    const newParams = this.#params === params ? undefined : params;
    this.#params = params;
    return new Promise((resolve, reject) => {
      this.#settle = (answer) => {
        if ("output" in answer) resolve(answer);
        else reject(ExecutorError.after(answer.cpuMs, answer.code, answer.message));
      };
      this.#worker.ref();
      this.#worker.postMessage({ call, newConfig, newParams } satisfies PoolWorkerJob);
    });
  }

  async stop(): Promise<void> {
    this.#ends = true;
    await this.#worker.terminate();
  }

  #finish(answer: PoolWorkerAnswer): void {
    const settle = this.#settle;
    this.#settle = undefined;
    this.#worker.unref();
    settle?.(answer);
  }
}
