import type { Worker } from "node:worker_threads";
import { startWorker } from "../../os/worker.js";
import type { EmulatorCall, EmulatorOutput } from "./calls.js";
import { ExecutorError, type ExecutorErrorCode } from "./executor-error.js";
import type { CompiledEmulator } from "./wasm.js";

/** `newConfig`: base64 of the configuration, when it is not the one of the job before. */
export type PoolWorkerJob = { call: EmulatorCall; newConfig: string | undefined };
export type PoolWorkerAnswer = { output: EmulatorOutput } | { code: ExecutorErrorCode; message: string };

/** Four times Node's: tuples within tuples, as many as a million gas makes, are freed one inside the other. */
const stackSizeMb = 16;

type Settle = (answer: PoolWorkerAnswer) => void;

/** One worker thread and the call it is busy with. */
export class PoolThread {
  readonly #worker: Worker;
  #config = "";
  #settle: Settle | undefined;
  #ends = false;

  /** `died` is called once, when the thread has ended for whatever reason. */
  constructor(compiled: CompiledEmulator, died: (thread: PoolThread) => void) {
    const resourceLimits = { stackSizeMb };
    this.#worker = startWorker(import.meta.url, "pool-worker", { workerData: compiled, resourceLimits });
    // An idle pool must not keep the process alive.
    this.#worker.unref();
    this.#worker.on("message", (answer: PoolWorkerAnswer) => this.#finish(answer));
    let message = "The executor's thread has ended";
    this.#worker.on("error", (error) => {
      message = error.message;
    });
    this.#worker.on("exit", () => {
      this.#ends = true;
      died(this);
      this.#finish({ code: "crashed", message });
    });
  }

  /** Whether it takes no more calls. One that is being stopped may still answer. */
  get ends(): boolean {
    return this.#ends;
  }

  /** One at a time. */
  run(call: EmulatorCall, configText: () => string): Promise<EmulatorOutput> {
    const newConfig = this.#config === call.config ? undefined : configText();
    this.#config = call.config;
    return new Promise((resolve, reject) => {
      this.#settle = (answer) => {
        if ("output" in answer) resolve(answer.output);
        else reject(new ExecutorError(answer.code, answer.message));
      };
      this.#worker.ref();
      this.#worker.postMessage({ call, newConfig } satisfies PoolWorkerJob);
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
