import { availableParallelism } from "node:os";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type {
  TickTockRequest,
  TransactionRequest,
  TransactionResult,
} from "../../../../shared/ton/run/account-request.js";
import type { Measured, MethodRequest, MethodResult } from "../../../../shared/ton/run/method-request.js";
import {
  accountCall,
  CellTexts,
  defaultGasLimit,
  type EmulatorCall,
  methodCall,
  methodResult,
  outOfGas,
  transactionResult,
  trialGas,
} from "../calls.js";
import { ExecutorError } from "../executor-error.js";
import type { EmulatorSource } from "../patches/emulator-source.js";
import type { ExecutorThread, MeasuredOutput } from "./executor-thread.js";
import { FairQueue, type Settle, type Share } from "./fair-queue.js";
import { cpuMsOf, type Job, type JobRun } from "./job.js";
import { RunCosts } from "./run-costs.js";
import { ThreadSupply } from "./thread-supply.js";

export type ExecutorOptions = {
  /** Threads for runs, besides one for long runs. Default: one less than the cores, at least 1. */
  threads?: number;
  /** A run that takes more CPU time is long. Default: 20. */
  quickMs?: number;
  /** A further thread starts when a call has waited for so long. Default: 50. */
  growMs?: number;
  /** Calls of a lane that may wait. Default: 1000. */
  queue?: number;
  /** Calls of a caller that may wait. Default: 500. */
  queueOfCaller?: number;
  /** Threads end when there was no call for this long, or up to twice as long. Default: 60,000. */
  restMs?: number;
  /** From the call to its end, waiting included; a thread still busy then is replaced. Default: 10,000. */
  deadlineMs?: number;
  /**
   * Longest run, without waiting; a thread still busy then is replaced. It is CPU time where the system has it, so that
   * a legitimate run does not fail because the machine is busy. Default: no limit.
   */
  runTimeoutMs?: number | undefined;
  /** Path of a build of the emulator. Default: the one of the package. */
  wasm?: string | undefined;
  /** How callers share their lane. Default: equally. */
  shareOf?: ((caller: string) => Share) | undefined;
  /** The deadline of a caller's calls, if it is not that of others. */
  patienceOf?: ((caller: string | undefined) => number | undefined) | undefined;
};

/** Lanes have the same processing time, so callers cannot keep the index from its own. */
type Lane = "callers" | "index" | "pending";

/** How a call waits, whom it counts for, and when it is given up. */
export type CallOptions = {
  signal?: AbortSignal | undefined;
  deadlineMs?: number | undefined;
  /** Callers of a lane share its time. */
  caller?: string | undefined;
  /** Default: that of callers. */
  lane?: Lane | undefined;
  /** Names the code that a transaction runs, whose cost is remembered. */
  subject?: string | undefined;
  /** Receives the CPU time of each run of the call in milliseconds, also of failed and abandoned runs. */
  spent?: ((cpuMs: number) => void) | undefined;
  /** Waits for one of the places of long runs, whatever is known of the code's cost. */
  pace?: "long" | undefined;
  /** Longest run, as `runTimeoutMs` of the executor, which a longer one does not replace. */
  maxCpuMs?: number | undefined;
};

/** A call that has waited for so much of its time is refused. */
const longestWait = 0.8;
/** One dear run makes the next ones wait with others; after some fifteen cheap ones that is over. */
const costWeights = { dearer: 1, cheaper: 0.2 } as const;
/** CPU time in milliseconds that a run may take more if its thread has to load the configuration first. */
const coldMs = 100;
/** Expected milliseconds of runs of unknown code. */
const unknownMs = { quick: 2, long: 100 } as const;

/**
 * Runs requests in worker threads, so that the caller's thread stays free. Same requests, results and errors as Executor, but
 * "busy" for a call beyond the share of its caller. The owner must `close` it.
 *
 * Runs that wait are taken in turns: each lane, and in it each caller, has the same CPU time. A run cannot be interrupted to
 * go on later, so runs that are expected to be long have places of their own, half of all, and never take the last place of
 * quick ones. A get-method of which nothing is known begins with little gas; if it needs more, it is run again as a long one.
 * Any other run that turns out to be long keeps its thread if there is a place for long runs. If not, its thread is stopped,
 * and it is run again when there is one.
 */
export class ExecutorThreads {
  readonly #texts = new CellTexts();
  readonly #costs = new RunCosts(costWeights);
  readonly #threads: ThreadSupply;
  readonly #size: number;
  readonly #quickMs: number;
  readonly #deadlineMs: number;
  readonly #runTimeoutMs: number;
  readonly #shareOf: (caller: string) => Share;
  readonly #patienceOf: (caller: string | undefined) => number | undefined;
  readonly #waiting: Record<Job["pace"], FairQueue<Job>>;
  readonly #running: Record<Job["pace"], Set<Job>> = { quick: new Set(), long: new Set() };
  /** Since when jobs wait although there is a place, by `performance.now`. */
  #stalledAt: number | undefined;
  #closed = false;

  constructor({
    threads,
    quickMs = 20,
    growMs = 50,
    restMs = 60_000,
    queue = 1000,
    queueOfCaller = 500,
    deadlineMs = 10_000,
    runTimeoutMs = Number.POSITIVE_INFINITY,
    wasm,
    shareOf = (caller) => [caller],
    patienceOf = () => undefined,
  }: ExecutorOptions = {}) {
    this.#size = threads ?? Math.max(1, availableParallelism() - 1);
    this.#quickMs = quickMs;
    this.#deadlineMs = deadlineMs;
    this.#runTimeoutMs = runTimeoutMs;
    this.#shareOf = shareOf;
    this.#patienceOf = patienceOf;
    const limits = { perLane: queue, perShare: Math.min(queue, queueOfCaller) };
    this.#waiting = { quick: new FairQueue(limits), long: new FairQueue(limits) };
    const changed = () => this.#dispatch();
    this.#threads = new ThreadSupply({ max: this.#size + 1, growMs, restMs, wasm, changed });
  }

  async runMethod(request: MethodRequest, options: CallOptions = {}): Promise<Measured<MethodResult>> {
    const { code, methodId, gasLimit = defaultGasLimit } = request;
    const isSmall = gasLimit <= trialGas;
    const isLong = options.pace === "long";
    // The cost of a run with little gas does not predict that of a run with more.
    const subject = `${methodId} ${code.hashHex()}${isSmall ? " with little gas" : ""}`;
    let spentMs = 0;
    if (!isSmall && !isLong && this.#costs.of(subject) === undefined) {
      const trial = methodCall(request, this.#texts, trialGas);
      const { output, cpuMs } = await this.#submit(trial, request.config, options, {
        subject,
        pace: "quick",
      });
      const result = methodResult(output);
      if (result.exitCode !== outOfGas) return { ...result, cpuMs };
      spentMs = cpuMs;
    }
    const call = methodCall(request, this.#texts);
    // A run with a log does not predict that of others.
    const known = { subject: isLong ? undefined : subject, ...(spentMs > 0 && { pace: "long" as const }) };
    const { output, cpuMs } = await this.#submit(call, request.config, options, known);
    return { ...methodResult(output), cpuMs: cpuMs + spentMs };
  }

  /** Runs a message on a copy of a state, for fee estimates and emulated traces. */
  async runTransaction(
    request: TransactionRequest,
    options?: CallOptions,
  ): Promise<Measured<TransactionResult>> {
    return measured(await this.#submit(accountCall(request, this.#texts), request.config, options));
  }

  async runTickTock(request: TickTockRequest, options?: CallOptions): Promise<Measured<TransactionResult>> {
    return measured(await this.#submit(accountCall(request, this.#texts), request.config, options));
  }

  /** The emulator that the threads have, for one outside of them. */
  source(): Promise<EmulatorSource> {
    return this.#threads.source();
  }

  /** Ends the threads; waiting and running calls reject as "unavailable". */
  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of Object.values(this.#waiting))
      for (const job of queue.items()) this.#giveUp(job, closed());
    await this.#threads.close();
  }

  #submit(
    call: EmulatorCall,
    config: Cell,
    options: CallOptions = {},
    {
      subject = options.subject,
      pace = options.pace ?? this.#paceOf(subject),
    }: Partial<Pick<Job, "subject" | "pace">> = {},
  ): Promise<MeasuredOutput> {
    const {
      signal,
      caller,
      deadlineMs = this.#patienceOf(caller) ?? this.#deadlineMs,
      lane = "callers",
      spent,
    } = options;
    const maxCpuMs = Math.min(this.#runTimeoutMs, options.maxCpuMs ?? Number.POSITIVE_INFINITY);
    if (this.#closed) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(aborted());
    const share = [lane, ...(caller === undefined ? [""] : this.#shareOf(caller))];
    return new Promise((resolve, reject) => {
      const abort = () => this.#giveUp(job, aborted());
      signal?.addEventListener("abort", abort);
      const release = () => {
        clearTimeout(job.timer);
        signal?.removeEventListener("abort", abort);
      };
      const timer = setTimeout(() => this.#checkWait(job), longestWait * deadlineMs);
      const job: Job = {
        ...{ call, config, share, subject, spent, deadlineMs, maxCpuMs, pace, timer },
        ...{ resolve, reject, release },
      };
      this.#enqueue(job);
      this.#dispatch();
    });
  }

  #paceOf(subject: string | undefined): Job["pace"] {
    return (this.#expectedMs(subject) ?? 0) > this.#quickMs ? "long" : "quick";
  }

  #expectedMs(subject: string | undefined): number | undefined {
    return subject === undefined ? undefined : this.#costs.of(subject);
  }

  #enqueue(job: Job): void {
    const queue = this.#waiting[job.pace];
    const costMs = Math.max(1, this.#expectedMs(job.subject) ?? unknownMs[job.pace]);
    const isHopeless = this.#waitMs(job) > longestWait * job.deadlineMs;
    const refused = isHopeless ? job : queue.push(job.share, job, costMs);
    if (refused) this.#refuseWaiting(refused);
  }

  #waitMs({ pace, share }: Job): number {
    return this.#waiting[pace].waitMs(share) / this.#places(pace);
  }

  /** Threads that may run jobs: as many as there are, but half of them at most for long runs. */
  #places(pace: Job["pace"]): number {
    const all = this.#size + 1;
    const forLong = Math.max(1, Math.floor(all / 2));
    return pace === "long" ? forLong : Math.min(this.#size, all - this.#running.long.size);
  }

  #hasPlace(pace: Job["pace"]): boolean {
    const all = this.#running.quick.size + this.#running.long.size;
    return this.#running[pace].size < this.#places(pace) && all <= this.#size;
  }

  #dispatch(): void {
    if (this.#waiting.quick.length + this.#waiting.long.length === 0) this.#stalledAt = undefined;
    for (const pace of ["quick", "long"] as const)
      while (!this.#closed && this.#hasPlace(pace) && this.#waiting[pace].length > 0) {
        this.#stalledAt ??= performance.now();
        const thread = this.#threads.take(this.#stalledAt, this.#running.quick.size === 0);
        if (!thread) return;
        this.#stalledAt = undefined;
        const { item, settle } = this.#waiting[pace].shift()!;
        void this.#run(item, thread, settle);
      }
  }

  async #run(job: Job, thread: ExecutorThread, settle: Settle): Promise<void> {
    const run: JobRun = { thread, settle, isCold: thread.isNewTo(job.call.config) };
    job.run = run;
    this.#running[job.pace].add(job);
    if (job.pace === "long") this.#threads.prepare();
    // `thread.run` below rejects with the same error.
    thread.ready.then(() => this.#watch(job, run)).catch(() => {});
    try {
      const output = await thread.run(job.call, () => this.#texts.ofConfig(job.config));
      // A thread that is stopping may still answer.
      if (job.run !== run) return;
      this.#end(job, run, output.cpuMs);
      job.resolve(output);
    } catch (error) {
      if (job.run !== run) return;
      this.#end(job, run, (error as ExecutorError).cpuMs || cpuMsOf(run));
      job.reject(this.#closed ? closed() : (error as ExecutorError));
    }
    job.release();
    this.#threads.give(thread);
    this.#dispatch();
  }

  /** Accounts for a run that has ended or is being stopped. */
  #end(job: Job, run: JobRun, cpuMs: number): void {
    clearTimeout(run.timer);
    job.run = undefined;
    this.#running[job.pace].delete(job);
    run.settle(cpuMs);
    job.spent?.(cpuMs);
    const isOwnCost = !run.isCold || cpuMs > this.#quickMs + coldMs;
    // A supposed state may make any code expensive.
    const isTelling = isOwnCost && !job.call.isSupposed;
    if (job.subject !== undefined && isTelling) this.#costs.note(job.subject, cpuMs);
  }

  /** The time in which the thread starts is not the run's. */
  #watch(job: Job, run: JobRun): void {
    if (job.run !== run) return;
    run.startedAt = performance.now();
    run.cpuMsBefore = run.thread.cpuMs;
    this.#checkLater(job, run);
  }

  #checkLater(job: Job, run: JobRun): void {
    const quickMs = run.isCold ? this.#quickMs + coldMs : this.#quickMs;
    const limitMs = job.pace === "quick" ? Math.min(quickMs, job.maxCpuMs) : job.maxCpuMs;
    if (limitMs === Number.POSITIVE_INFINITY) return;
    const leftMs = Math.ceil(limitMs - cpuMsOf(run));
    if (leftMs > 0) run.timer = setTimeout(() => this.#checkLater(job, run), leftMs);
    else if (limitMs === job.maxCpuMs) this.#stop(job, run, ExecutorError.stopped(limitMs));
    else if (this.#running.long.size < this.#places("long")) this.#turnLong(job, run);
    else this.#postpone(job, run);
  }

  #turnLong(job: Job, run: JobRun): void {
    const usedMs = cpuMsOf(run);
    run.settle(usedMs);
    this.#running.quick.delete(job);
    this.#running.long.add(job);
    job.pace = "long";
    const settle = this.#waiting.long.enter(job.share, unknownMs.long);
    run.settle = (ms) => settle(ms - usedMs);
    this.#threads.prepare();
    this.#checkLater(job, run);
    this.#dispatch();
  }

  /** Stops a run, which is repeated when there is a place for a long one. */
  #postpone(job: Job, run: JobRun): void {
    this.#end(job, run, cpuMsOf(run));
    void this.#threads.replace(run.thread);
    job.pace = "long";
    this.#enqueue(job);
    this.#dispatch();
  }

  /** Rejects the call. A running job goes on until its end or its deadline. */
  #giveUp(job: Job, error: ExecutorError): void {
    job.reject(error);
    if (job.run) return;
    this.#waiting[job.pace].remove(job.share, job);
    job.release();
  }

  #refuseWaiting(job: Job): void {
    this.#giveUp(job, ExecutorError.busy(this.#waitMs(job)));
  }

  /** Once it has waited for long, a job is refused unless it runs: then it has the rest of its time. */
  #checkWait(job: Job): void {
    const { deadlineMs, run } = job;
    if (!run) this.#refuseWaiting(job);
    else job.timer = setTimeout(() => this.#checkDeadline(job), (1 - longestWait) * deadlineMs);
  }

  /** A job that had little CPU time for its deadline is refused, like one that waits: its code is not to blame. */
  #checkDeadline(job: Job): void {
    const { deadlineMs, run } = job;
    if (!run) this.#refuseWaiting(job);
    else if (cpuMsOf(run) < deadlineMs / 2) this.#stop(job, run, ExecutorError.busy(this.#waitMs(job)));
    else this.#stop(job, run, late(deadlineMs));
  }

  #stop(job: Job, run: JobRun, error: ExecutorError): void {
    error.cpuMs = cpuMsOf(run);
    job.reject(error);
    this.#end(job, run, error.cpuMs);
    job.release();
    void this.#threads.replace(run.thread);
    this.#dispatch();
  }
}

/** The getter of `actions` parses late, so the result is not copied. */
function measured({ output, cpuMs }: MeasuredOutput): Measured<TransactionResult> {
  return Object.assign(transactionResult(output), { cpuMs });
}

function late(deadlineMs: number): ExecutorError {
  return new ExecutorError("timeout", `The executor did not finish within ${deadlineMs} ms`);
}

function aborted(): ExecutorError {
  return new ExecutorError("aborted", "The call was aborted");
}

function closed(): ExecutorError {
  return new ExecutorError("unavailable", "The executor is closed");
}
