import { handledLater, withResolvers } from "../../../../shared/values/promises.js";
import { Thread } from "../../../os/channel/thread.js";
import { threadCpuMs } from "../../../os/thread-clock.js";
import type { EmulatorCall, EmulatorOutput } from "../calls.js";
import { ExecutorError } from "../executor-error.js";
import type { EmulatorSource } from "../patches/emulator-source.js";

/**
 * `newConfig` and `newParams`: base64 of the configuration, and the parameters with a contract's code and data, if they differ
 * from the previous job's.
 */
type ExecutorWorkerJob = {
  call: WithoutParams<EmulatorCall>;
  newConfig: string | undefined;
  newParams: string | undefined;
};
type WithoutParams<Call> = Call extends EmulatorCall ? Omit<Call, "params"> : never;
/** Without a source the thread reads it itself. */
export type ExecutorWorkerStart = { source: EmulatorSource } | { wasm: string | undefined };
/** `cpuMs`: CPU time of the run in milliseconds. */
export type MeasuredOutput = { output: EmulatorOutput; cpuMs: number };

/** The calls of the thread. Its owner calls `start` once, before or after the first job. */
export type ExecutorWorkerSide = {
  start(start: ExecutorWorkerStart): void;
  /** Rejects with an ExecutorError. */
  run(job: ExecutorWorkerJob): Promise<MeasuredOutput>;
};
/** Comes once, when the emulator is loaded and calls can run. */
export type ExecutorWorkerEvents = {
  ready(hello: { kernelThread: string | undefined; source: EmulatorSource }): void;
};

/** Four times Node's default: results are written by recursion, as deep as they are. */
const stackSizeMb = 16;
/** A run leaves few objects. */
const maxYoungGenerationSizeMb = 6;

/** One worker thread, which runs one call at a time. */
export class ExecutorThread {
  readonly #thread: Thread<ExecutorWorkerSide>;
  #config = "";
  #params = "";
  #isStopping = false;
  #kernelThread: string | undefined;
  /**
   * The source of its emulator, for other threads. Resolves when calls run without waiting for the thread's start;
   * rejects if it ends before.
   */
  readonly ready: Promise<EmulatorSource>;

  /** `died` is called once, when the thread has ended for any reason. */
  constructor(start: Promise<ExecutorWorkerStart>, died: (thread: ExecutorThread) => void) {
    const ready = withResolvers<EmulatorSource>();
    this.ready = handledLater(ready.promise);
    const handlers: ExecutorWorkerEvents = {
      ready: ({ kernelThread, source }) => {
        this.#kernelThread = kernelThread;
        ready.resolve(source);
      },
    };
    this.#thread = new Thread({
      ...{ url: import.meta.url, entry: "executor-worker", handlers, errors: { ExecutorError } },
      settings: { resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb } },
      isBackground: true,
      ended(failure) {
        const error = new ExecutorError("crashed", failure?.message ?? "The executor's thread has ended");
        ready.reject(error);
        return error;
      },
    });
    void start.then((given) => this.#thread.tell("start", given));
    void this.#thread.exited.then(() => died(this));
  }

  /** Whether the thread is stopping and takes no more calls; it may still answer one. */
  get ends(): boolean {
    return this.#isStopping || this.#thread.hasEnded;
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
    return this.#thread.ask("run", { call, newConfig, newParams });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#thread.stop();
  }
}
