import type { Measured, MethodRequest, MethodResult } from "../../../../shared/ton/run/method-request.js";
import { takeFirst } from "../../../../shared/values/lookups.js";
import type { Fallback } from "../../../observe/fallback.js";
import { type Clock, threadClock } from "../../../os/thread-clock.js";
import { CellTexts, isTooLarge, type MethodCall, methodCall, methodResult, outOfGas } from "../calls.js";
import { LoadedConfigs } from "../emulator/loaded-configs.js";
import { ExecutorError } from "../executor-error.js";
import { createInstance } from "../patches/emulator-source.js";
import type { CallOptions, ExecutorThreads } from "./executor-threads.js";
import { RunCosts } from "./run-costs.js";

/** A get-method that used no more gas is expected to be short again. */
const shortGas = 10_000;
/** Gas that it has here. If it needs more, a thread runs it from the beginning. */
const gasHere = 20_000;
/** Characters of the texts that describe a contract and its arguments: longer ones take long to read, or nest deeply. */
const maxContract = 32_768;
const maxStack = 4096;
/** Values that a method may leave here: each is a level of recursion, and this thread's stack has room for 3,700. */
const maxLeftValues = 1000;
/** Runs that wait; threads take further ones. */
const maxWaiting = 32;
/**
 * A method that is expected to take more milliseconds of CPU time runs in threads, until it was fast there often enough:
 * each instruction has its gas, but not all are equally fast.
 */
const slowMs = 1;
/** Cost counted for a run that needed more gas, or left more, than it may here. */
const tooLongMs = 20;
/** Cost counted for a run that broke the emulator: this thread has less stack than others. */
const crashMs = 1e9;
/** A method may be slow now and then. */
const costWeights = { dearer: 0.1, cheaper: 0.1 } as const;

type Waiting = {
  request: MethodRequest;
  call: MethodCall;
  name: string;
  end: (result?: Measured<MethodResult>) => void;
  fail: (error: unknown) => void;
};

/**
 * Runs get-methods in the caller's thread that were short in a thread of the executor, and fast: to hand one to another thread
 * takes several times as long as to run it. One runs in each turn of the event loop, behind what came in with it, and what
 * could hold up the caller is left to the threads.
 */
export class ShortMethods implements Pick<ExecutorThreads, "runMethod"> {
  readonly #executor: Pick<ExecutorThreads, "runMethod" | "source">;
  readonly #fallback: Fallback;
  readonly #now: Clock;
  readonly #texts = new CellTexts();
  /** Costs of methods that are or were short. */
  readonly #costs = new RunCosts(costWeights);
  readonly #waiting: Waiting[] = [];
  #configs: LoadedConfigs | undefined;
  /** The configuration of the last run: to load another one is not the method's cost. */
  #config = "";
  #opening = false;
  /** Whether the emulator of the executor may run in this thread. */
  #isAllowed = true;

  constructor(
    executor: Pick<ExecutorThreads, "runMethod" | "source">,
    fallback: Fallback,
    now: Clock = threadClock(),
  ) {
    this.#executor = executor;
    this.#fallback = fallback;
    this.#now = now;
  }

  async runMethod(request: MethodRequest, options?: CallOptions): Promise<Measured<MethodResult>> {
    if (request.isSupposed) return this.#executor.runMethod(request, options);
    // The signal is not looked at: to make one takes as long as some runs.
    const running = this.#run(request);
    const short = running && (await running);
    if (short) {
      options?.spent?.(short.cpuMs);
      return short;
    }
    const result = await this.#executor.runMethod(request, options);
    if (result.gasUsed <= shortGas) this.#costs.note(nameOf(request), result.cpuMs);
    return result;
  }

  /** Undefined, at once or later, if a thread has to run it. */
  #run(request: MethodRequest): Promise<Measured<MethodResult> | undefined> | undefined {
    const name = nameOf(request);
    const expectedMs = this.#costs.of(name) ?? Number.POSITIVE_INFINITY;
    if (expectedMs > slowMs || request.log || this.#waiting.length >= maxWaiting) return undefined;
    if (!this.#isAllowed) return undefined;
    if (!this.#configs) {
      void this.#open();
      return undefined;
    }
    const call = methodCall(request, this.#texts, Math.min(gasOf(request), gasHere));
    if (call.params.length > maxContract || call.stack.length > maxStack) return undefined;
    return new Promise((end, fail) => {
      if (this.#waiting.push({ request, call, name, end, fail }) === 1) this.#continue();
    });
  }

  #continue(): void {
    setImmediate(() => {
      const next = takeFirst(this.#waiting);
      if (this.#waiting.length > 0) this.#continue();
      try {
        next.end(this.#runNow(next));
      } catch (error) {
        next.fail(error);
      }
    });
  }

  /** Undefined if a thread has to run it. Throws what is wrong with the request. */
  #runNow({ request, call, name }: Waiting): Measured<MethodResult> | undefined {
    if (!this.#configs) return undefined;
    const start = this.#now();
    try {
      const output = this.#configs.execute(call, () => this.#texts.ofConfig(request.config));
      const result = isTooLarge(output) ? undefined : methodResult(output);
      const isCut = !result || (result.exitCode === outOfGas && gasOf(request) > gasHere);
      const cpuMs = this.#now() - start;
      if (isCut || call.config === this.#config) this.#costs.note(name, isCut ? tooLongMs : cpuMs);
      this.#config = call.config;
      return isCut ? undefined : { ...result, cpuMs };
    } catch (error) {
      this.#costs.note(name, this.#now() - start);
      if (!(error instanceof ExecutorError && error.brokeEmulator)) throw error;
      // The instance is broken. A thread finds out whether the request broke it.
      this.#fallback("short-methods", error);
      this.#configs = undefined;
      this.#costs.note(name, crashMs);
      return undefined;
    }
  }

  /** Only one at a time: calls in the meantime run in threads. */
  async #open(): Promise<void> {
    if (this.#opening) return;
    this.#opening = true;
    try {
      const source = await this.#executor.source();
      this.#isAllowed = source.isPatched;
      if (!this.#isAllowed) return;
      this.#configs = new LoadedConfigs(await createInstance(source, maxLeftValues), source.version);
    } catch (error) {
      // The executor was closed meanwhile.
      if (error instanceof ExecutorError && error.code === "unavailable") return;
      this.#fallback("short-methods", error);
    } finally {
      this.#opening = false;
    }
  }
}

function nameOf({ code, methodId }: MethodRequest): string {
  return `${methodId} ${code.hashHex()}`;
}

function gasOf({ gasLimit = Number.POSITIVE_INFINITY }: MethodRequest): number {
  return gasLimit;
}
