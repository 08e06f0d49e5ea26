import { availableParallelism } from "node:os";
import type { Cell } from "../../cells/cell.js";
import {
  CellTexts,
  type EmulatorCall,
  methodCall,
  methodResult,
  tickTockCall,
  transactionCall,
  transactionResult,
} from "./calls.js";
import { type EmulatorSource, emulatorSource, type NativeTvm } from "./emulator-source.js";
import { ExecutorError } from "./executor-error.js";
import { type MeasuredOutput, PoolThread } from "./pool-thread.js";
import type {
  Measured,
  MethodRequest,
  MethodResult,
  TickTockRequest,
  TransactionRequest,
  TransactionResult,
} from "./requests.js";

export type PoolOptions = {
  /** At most, besides the spare one. Default: one less than the cores, at least 1. */
  threads?: number;
  /** A run that takes longer no longer counts as a busy thread: the spare thread takes waiting calls. Default: 50. */
  longRunMs?: number;
  /** A further thread starts when a call has waited for so long. Default: 50. */
  growMs?: number;
  /** Calls that may wait for a free thread; more are rejected as "unavailable". Default: 1000. */
  queue?: number;
  /** Threads end when there was no call for this long, or up to twice as long. Default: 60,000. */
  restMs?: number;
  /** From the call to its end, waiting included; a thread still busy then is replaced. Default: 10,000. */
  deadlineMs?: number;
  /**
   * Longest run, without waiting; a thread still busy then is replaced. On Linux this is CPU time, so that a legitimate
   * run does not fail because the machine is busy. Default: no limit.
   */
  runTimeoutMs?: number | undefined;
  /**
   * Default: none. A native run cannot be interrupted: a thread that is replaced ends after its run, which the gas limits.
   */
  native?: NativeTvm | undefined;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  deadlineMs?: number | undefined;
  /** Calls with the same caller occupy at most half of the threads. */
  caller?: string | undefined;
  /** Default: that of callers. */
  lane?: Lane | undefined;
};

/** Lanes take turns, so that neither callers nor the index can take all threads. */
export type Lane = "callers" | "index";

type Job = {
  call: EmulatorCall;
  config: Cell;
  caller: string | undefined;
  lane: Lane;
  /** Since when it waits, by `performance.now`. */
  since: number;
  /** Its thread; absent while it waits. */
  thread?: PoolThread;
  /** CPU time of the thread when the run began to count as long. */
  cpuMsBefore?: number | undefined;
  longRunTimer?: NodeJS.Timeout;
  runTimer?: NodeJS.Timeout;
  ended?: true;
  resolve(output: MeasuredOutput): void;
  reject(error: unknown): void;
  /** Clears the deadline timer and the signal's listener. */
  release(): void;
};

/**
 * Runs requests in worker threads, so that the caller's thread stays free. Same requests, results and errors as Executor.
 * The first thread starts when there is work, others when calls wait although it is there: each takes 25 MB. One spare
 * thread takes waiting calls while a run takes long. The owner must `close` the pool.
 */
export class ExecutorPool {
  readonly #texts = new CellTexts();
  readonly #size: number;
  readonly #longRunMs: number;
  readonly #growMs: number;
  readonly #restMs: number;
  readonly #queueLimit: number;
  readonly #deadlineMs: number;
  readonly #runTimeoutMs: number | undefined;
  readonly #native: NativeTvm | undefined;
  readonly #maxThreadsOfCaller: number;
  /** Threads that each caller occupies. */
  readonly #occupied = new Map<string, number>();
  readonly #threads = new Set<PoolThread>();
  readonly #idle: PoolThread[] = [];
  /** Jobs that have run for less than `longRunMs`. */
  readonly #quick = new Set<Job>();
  #waiting: Job[] = [];
  /** Whose turn it was last. */
  #lastLane: Lane = "index";
  /** Read by the first thread, which takes a while, for all others. */
  #source: Promise<EmulatorSource> | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  /** When the newest thread was ready, by `performance.now`; in the future while it starts. */
  #readyAt = Number.POSITIVE_INFINITY;
  #restTimer: NodeJS.Timeout | undefined;
  /** Whether a call has run since the rest timer was set. */
  #wasUsed = false;
  #closed = false;

  constructor({
    threads,
    longRunMs = 50,
    growMs = 50,
    restMs = 60_000,
    queue = 1000,
    deadlineMs = 10_000,
    runTimeoutMs,
    native,
  }: PoolOptions = {}) {
    this.#size = threads ?? Math.max(1, availableParallelism() - 1);
    this.#longRunMs = longRunMs;
    this.#growMs = growMs;
    this.#restMs = restMs;
    this.#queueLimit = queue;
    this.#deadlineMs = deadlineMs;
    this.#runTimeoutMs = runTimeoutMs;
    this.#native = native;
    this.#maxThreadsOfCaller = Math.max(1, Math.floor((this.#size + 1) / 2));
  }

  async runMethod(request: MethodRequest, options?: CallOptions): Promise<Measured<MethodResult>> {
    const { output, cpuMs } = await this.#submit(methodCall(request, this.#texts), request.config, options);
    return { ...methodResult(output), cpuMs };
  }

  /** Runs a message on a copy of a state, for fee estimates and emulated traces. */
  async runTransaction(
    request: TransactionRequest,
    options?: CallOptions,
  ): Promise<Measured<TransactionResult>> {
    return measured(await this.#submit(transactionCall(request, this.#texts), request.config, options));
  }

  async runTickTock(request: TickTockRequest, options?: CallOptions): Promise<Measured<TransactionResult>> {
    return measured(await this.#submit(tickTockCall(request, this.#texts), request.config, options));
  }

  /** The emulator that the threads have, for one outside of them. */
  source(): Promise<EmulatorSource> {
    return this.#source ?? emulatorSource();
  }

  /** Ends the threads; waiting and running calls reject as "unavailable". */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#growTimer);
    clearTimeout(this.#restTimer);
    for (const job of [...this.#waiting]) this.#giveUp(job, closed());
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  #submit(call: EmulatorCall, config: Cell, options: CallOptions = {}): Promise<MeasuredOutput> {
    const { signal, deadlineMs = this.#deadlineMs, caller, lane = "callers" } = options;
    if (this.#closed) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(aborted());
    if (this.#waiting.length >= this.#queueLimit) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(job, deadlineMs), deadlineMs);
      const abort = () => this.#giveUp(job, aborted());
      signal?.addEventListener("abort", abort);
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const since = performance.now();
      const job: Job = { call, config, caller, lane, since, resolve, reject, release };
      this.#waiting.push(job);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#quick.size < this.#size) {
      const next = this.#next();
      if (next < 0) return;
      const thread = this.#idle.pop() ?? this.#startFor(this.#waiting[next]!);
      if (!thread) {
        this.#growSoon();
        return;
      }
      const job = this.#waiting.splice(next, 1)[0]!;
      this.#lastLane = job.lane;
      void this.#run(job, thread);
    }
  }

  /** Place of the next job: the oldest of the other lane, if it has one. */
  #next(): number {
    const other = this.#waiting.findIndex((job) => job.lane !== this.#lastLane && this.#mayRun(job));
    return other >= 0 ? other : this.#waiting.findIndex((job) => this.#mayRun(job));
  }

  /** A new thread, unless one of those that are there will soon take the call. */
  #startFor({ since }: Job): PoolThread | undefined {
    const waitedMs = performance.now() - Math.max(since, this.#readyAt);
    const isNeeded = this.#quick.size === 0 || waitedMs >= this.#growMs;
    return isNeeded && this.#hasRoom() ? this.#startThread() : undefined;
  }

  #growSoon(): void {
    if (!this.#hasRoom()) return;
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      this.#dispatch();
    }, this.#growMs).unref();
  }

  #mayRun({ caller }: Job): boolean {
    return caller === undefined || (this.#occupied.get(caller) ?? 0) < this.#maxThreadsOfCaller;
  }

  #occupy({ caller }: Job, threads: 1 | -1): void {
    if (caller === undefined) return;
    const occupied = (this.#occupied.get(caller) ?? 0) + threads;
    if (occupied > 0) this.#occupied.set(caller, occupied);
    else this.#occupied.delete(caller);
  }

  #hasRoom(): boolean {
    return this.#threads.size < this.#size + 1;
  }

  async #run(job: Job, thread: PoolThread): Promise<void> {
    job.thread = thread;
    this.#wasUsed = true;
    this.#quick.add(job);
    this.#occupy(job, 1);
    thread.ready.then(() => this.#watchRun(job, thread)).catch(() => {});
    try {
      job.resolve(await thread.run(job.call, () => this.#texts.ofConfig(job.config)));
    } catch (error) {
      job.reject(this.#closed ? closed() : error);
    }
    clearTimeout(job.longRunTimer);
    clearTimeout(job.runTimer);
    job.release();
    job.ended = true;
    this.#quick.delete(job);
    this.#occupy(job, -1);
    if (!thread.ends) this.#idle.push(thread);
    this.#dispatch();
  }

  #countAsLong(job: Job): void {
    job.cpuMsBefore = job.thread?.cpuMs;
    this.#quick.delete(job);
    this.#dispatch();
  }

  /** The time in which the thread starts is not the run's. */
  #watchRun(job: Job, thread: PoolThread): void {
    if (job.ended) return;
    job.longRunTimer = setTimeout(() => this.#countAsLong(job), this.#longRunMs);
    const limitMs = this.#runTimeoutMs;
    if (limitMs !== undefined) job.runTimer = setTimeout(() => this.#checkRun(job, thread, limitMs), limitMs);
  }

  /** Ends a run that has used up its time; otherwise checks again when it can have done so. */
  #checkRun(job: Job, thread: PoolThread, limitMs: number): void {
    const cpuMs = thread.cpuMs;
    const usedMs =
      cpuMs === undefined || job.cpuMsBefore === undefined
        ? limitMs
        : this.#longRunMs + cpuMs - job.cpuMsBefore;
    if (usedMs >= limitMs) this.#expire(job, limitMs);
    else job.runTimer = setTimeout(() => this.#checkRun(job, thread, limitMs), Math.ceil(limitMs - usedMs));
  }

  /** Rejects the call. A running job goes on until its end or its deadline. */
  #giveUp(job: Job, error: ExecutorError): void {
    job.reject(error);
    if (job.thread) return;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    job.release();
  }

  #expire(job: Job, deadlineMs: number): void {
    this.#giveUp(job, new ExecutorError("timeout", `The executor did not finish within ${deadlineMs} ms`));
    if (job.thread) void this.#replace(job.thread);
  }

  /** Starts the next thread at once: until it is ready, the spare one takes the place of the one that ends. */
  async #replace(thread: PoolThread): Promise<void> {
    await thread.stop();
    if (!this.#closed && this.#hasRoom()) this.#idle.push(this.#startThread());
  }

  /** An ended thread is replaced only when there is work, so that a crashing one does not restart in a loop. */
  #startThread(): PoolThread {
    const itself = { native: this.#native };
    const known = this.#source;
    const start = known ? known.then((source) => ({ source })).catch(() => itself) : Promise.resolve(itself);
    const thread = new PoolThread(start, () => {
      this.#threads.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    if (!known) {
      this.#source = thread.ready;
      thread.ready.catch(() => {
        this.#source = undefined;
      });
    }
    this.#threads.add(thread);
    this.#readyAt = Number.POSITIVE_INFINITY;
    const end = () => {
      this.#readyAt = performance.now();
    };
    thread.ready.then(end, end);
    this.#endAtRest();
    return thread;
  }

  /** Ends the threads after a time without calls: each has tens of megabytes. */
  #endAtRest(): void {
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = undefined;
      for (const thread of this.#wasUsed ? [] : this.#idle.splice(0)) {
        this.#threads.delete(thread);
        void thread.stop();
      }
      this.#wasUsed = false;
      if (this.#threads.size > 0) this.#endAtRest();
    }, this.#restMs).unref();
  }
}

/** The getter of `actions` parses late, so the result is not copied. */
function measured({ output, cpuMs }: MeasuredOutput): Measured<TransactionResult> {
  return Object.assign(transactionResult(output), { cpuMs });
}

function aborted(): ExecutorError {
  return new ExecutorError("aborted", "The call was aborted");
}

function closed(): ExecutorError {
  return new ExecutorError("unavailable", "The executor is closed");
}

function overloaded(): ExecutorError {
  return new ExecutorError("unavailable", "The executor has too many calls waiting");
}
