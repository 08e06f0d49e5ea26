import { LRUCache } from "lru-cache";
import { type Clock, threadClock } from "../../os/thread-clock.js";
import { CellTexts, type MethodCall, methodCall, methodResult } from "./calls.js";
import { createInstance } from "./emulator-source.js";
import { LoadedConfigs } from "./loaded-configs.js";
import type { CallOptions, ExecutorPool } from "./pool.js";
import type { Measured, MethodRequest, MethodResult } from "./requests.js";

/** A get-method that used no more gas is expected to be short again. */
const shortGas = 10_000;
/** Gas that it has here. If it needs more, a thread runs it from the beginning. */
const gasHere = 20_000;
const outOfGas = -14;
/** Characters of the texts that describe a contract and its arguments: longer ones take long to read, or nest deeply. */
const maxContract = 32_768;
const maxStack = 4096;
/** Runs that wait; threads take further ones. */
const maxWaiting = 32;
/** Get-methods by code that are remembered. */
const remembered = 10_000;
/** A run of more milliseconds of CPU time is slow: each instruction has its gas, but not all are equally fast. */
const slowMs = 1;
/** A slow run outweighs so many others, and a method that exceeds the limit runs in threads from then on. */
const slowWeight = 10;
const maxWeight = 25;

/** How often a method was slow; infinite if it never runs here again. */
type Method = { weight: number };
type Waiting = {
  request: MethodRequest;
  call: MethodCall;
  method: Method;
  end: (result?: Measured<MethodResult>) => void;
};

/**
 * Runs get-methods in the caller's thread that were short in a thread of the pool: to hand one to another thread takes
 * several times as long as to run it. One runs in each turn of the event loop, behind what came in with it, and what could
 * hold up the caller is left to the threads.
 */
export class ShortMethods implements Pick<ExecutorPool, "runMethod"> {
  readonly #pool: Pick<ExecutorPool, "runMethod" | "source">;
  readonly #now: Clock;
  readonly #texts = new CellTexts();
  readonly #methods = new LRUCache<string, Method>({ max: remembered });
  readonly #waiting: Waiting[] = [];
  #configs: LoadedConfigs | undefined;
  #opening = false;

  constructor(pool: Pick<ExecutorPool, "runMethod" | "source">, now = threadClock()) {
    this.#pool = pool;
    this.#now = now;
  }

  async runMethod(request: MethodRequest, options?: CallOptions): Promise<Measured<MethodResult>> {
    // The signal is not looked at: to make one takes as long as some runs.
    const running = this.#run(request);
    const short = running && (await running);
    if (short) return short;
    const result = await this.#pool.runMethod(request, options);
    this.#learn(request, result);
    return result;
  }

  #learn(request: MethodRequest, { gasUsed }: MethodResult): void {
    const name = nameOf(request);
    if (gasUsed <= shortGas && !this.#methods.has(name)) this.#methods.set(name, { weight: 0 });
  }

  /** Undefined, at once or later, if a thread has to run it. */
  #run(request: MethodRequest): Promise<Measured<MethodResult> | undefined> | undefined {
    const method = this.#methods.get(nameOf(request));
    if (!method || method.weight > maxWeight || request.log || this.#waiting.length >= maxWaiting)
      return undefined;
    if (!this.#configs) {
      void this.#open();
      return undefined;
    }
    const call = methodCall(request, this.#texts, Math.min(gasOf(request), gasHere));
    if (call.params.length > maxContract || call.stack.length > maxStack) return undefined;
    return new Promise((end) => {
      if (this.#waiting.push({ request, call, method, end }) === 1) this.#continue();
    });
  }

  #continue(): void {
    setImmediate(() => {
      const next = this.#waiting.shift()!;
      if (this.#waiting.length > 0) this.#continue();
      next.end(this.#runNow(next));
    });
  }

  #runNow({ request, call, method }: Waiting): Measured<MethodResult> | undefined {
    if (!this.#configs) return undefined;
    const start = this.#now();
    try {
      const result = methodResult(this.#configs.execute(call, () => this.#texts.ofConfig(request.config)));
      if (result.exitCode !== outOfGas || gasOf(request) <= gasHere) {
        const cpuMs = this.#now() - start;
        method.weight = cpuMs > slowMs ? method.weight + slowWeight : Math.max(0, method.weight - 1);
        return { ...result, cpuMs };
      }
    } catch {
      // The instance may be broken. A thread says why the request fails.
      this.#configs = undefined;
    }
    method.weight = Number.POSITIVE_INFINITY;
    return undefined;
  }

  /** Only one at a time: calls in the meantime run in threads. */
  async #open(): Promise<void> {
    if (this.#opening) return;
    this.#opening = true;
    try {
      const source = await this.#pool.source();
      this.#configs = new LoadedConfigs(await createInstance(source), source.version);
    } catch {
      // Threads that cannot start say so to those who call them.
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
