import type { Worker } from "node:worker_threads";
import { threadCpuMs } from "../../os/thread-time.js";
import { startWorker } from "../../os/worker.js";
import type { EmulatorCall, EmulatorOutput } from "./calls.js";
import type { EmulatorSource } from "./emulator-source.js";
import { ExecutorError, type ExecutorErrorCode } from "./executor-error.js";

/** `newConfig`: base64 of the configuration, if it differs from the previous job's. */
export type PoolWorkerJob = { call: EmulatorCall; newConfig: string | undefined };
/** Sent once, before or after the first job. */
export type PoolWorkerStart = { source: EmulatorSource };
/** Sent once, when the emulator is loaded and calls can run. */
export type PoolWorkerHello = { kernelThread: string | undefined };
export type PoolWorkerAnswer = { output: EmulatorOutput } | { code: ExecutorErrorCode; message: string };

/** Four times Node's default: freeing nested tuples recurses, as deep as a million gas allows. */
const stackSizeMb = 16;
/** A run leaves few objects. */
const maxYoungGenerationSizeMb = 6;

type Settle = (answer: PoolWorkerAnswer) => void;

/** One worker thread, which runs one call at a time. */
export class PoolThread {
  readonly #worker: Worker;
  #config = "";
  #settle: Settle | undefined;
  #ends = false;
  #kernelThread: string | undefined;
  /** Resolves when calls run without waiting for the thread's start; never if it ends before. */
  readonly ready: Promise<void>;

  /** `died` is called once, when the thread has ended for any reason. */
  constructor(emulator: Promise<EmulatorSource>, died: (thread: PoolThread) => void) {
    this.#worker = startWorker(import.meta.url, "pool-worker", {
      resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
    });
    // An idle pool must not keep the process alive.
    this.#worker.unref();
    this.ready = new Promise((resolve) => {
      this.#worker.on("message", (message: PoolWorkerHello | PoolWorkerAnswer) => {
        if (!("kernelThread" in message)) return this.#finish(message);
        this.#kernelThread = message.kernelThread;
        resolve();
      });
    });
    let message = "The executor's thread has ended";
    emulator.then(
      (source) => this.#worker.postMessage({ source } satisfies PoolWorkerStart),
      (error) => {
        message = String(error);
        void this.#worker.terminate();
      },
    );
    this.#worker.on("error", (error) => {
      message = error.message;
    });
    this.#worker.on("exit", () => {
      this.#ends = true;
      died(this);
      this.#finish({ code: "crashed", message });
    });
  }

  /** Whether the thread is stopping and takes no more calls; it may still answer one. */
  get ends(): boolean {
    return this.#ends;
  }

  /** CPU time of the thread in milliseconds; undefined where the system does not tell it. */
  get cpuMs(): number | undefined {
    return this.#kernelThread === undefined ? undefined : threadCpuMs(this.#kernelThread);
  }

  /** Must not be called while another call runs. */
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
