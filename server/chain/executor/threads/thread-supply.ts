import { ExecutorError } from "../executor-error.js";
import type { EmulatorSource } from "../patches/emulator-source.js";
import { ExecutorThread } from "./executor-thread.js";

type ThreadsOptions = {
  max: number;
  /** A further thread starts when a call has waited for so long. */
  growMs: number;
  /** Threads end when none was taken for this long, or up to twice as long. */
  restMs: number;
  /** Path of a build of the emulator. */
  wasm: string | undefined;
  /** Called when a thread may be taken that could not be before. */
  changed: () => void;
};

/**
 * The threads of an executor. The first one starts when there is work, others when calls wait although it is there: each takes
 * 25 MB.
 */
export class ThreadSupply {
  readonly #options: ThreadsOptions;
  readonly #all = new Set<ExecutorThread>();
  readonly #idle: ExecutorThread[] = [];
  /** Read by the first thread, which takes a while, for all others. */
  #source: Promise<EmulatorSource> | undefined;
  #growTimer: NodeJS.Timeout | undefined;
  /** When the newest thread was ready, by `performance.now`; in the future while it starts. */
  #readyAt = Number.POSITIVE_INFINITY;
  #restTimer: NodeJS.Timeout | undefined;
  /** Whether a thread was taken since the rest timer was set. */
  #wasUsed = false;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  /** The emulator that the threads have, for one outside of them. Starts a thread if there was none yet. */
  source(): Promise<EmulatorSource> {
    if (!this.#source) this.prepare();
    return this.#source ?? Promise.reject(new ExecutorError("unavailable", "The executor is closed"));
  }

  /**
   * A thread for a call that has waited since a time. Undefined if none is free; a new one is started at once if the call is
   * urgent, otherwise if no other thread takes it soon.
   */
  take(since: number, isUrgent: boolean): ExecutorThread | undefined {
    const thread = this.#idle.pop() ?? (isUrgent || this.#hasWaited(since) ? this.#startOne() : undefined);
    if (thread) this.#wasUsed = true;
    else this.#growSoon();
    return thread;
  }

  give(thread: ExecutorThread): void {
    if (!thread.ends) this.#idle.push(thread);
  }

  /** Starts a thread if none is idle, so that the next call does not wait for it. */
  prepare(): void {
    if (this.#idle.length > 0) return;
    const thread = this.#startOne();
    if (thread) this.#idle.push(thread);
  }

  /** Ends a thread, and starts the next one at once. */
  async replace(thread: ExecutorThread): Promise<void> {
    const stopped = thread.stop();
    this.prepare();
    this.#options.changed();
    await stopped;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#growTimer);
    clearTimeout(this.#restTimer);
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  /** Threads that are ending do not count, so that their replacements start at once. */
  #hasRoom(): boolean {
    return !this.#closed && [...this.#all].filter(({ ends }) => !ends).length < this.#options.max;
  }

  #hasWaited(since: number): boolean {
    return performance.now() - Math.max(since, this.#readyAt) >= this.#options.growMs;
  }

  #growSoon(): void {
    if (!this.#hasRoom()) return;
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      this.#options.changed();
    }, this.#options.growMs).unref();
  }

  /** A thread that ends by itself is replaced only when there is work, so that a crashing one does not restart in a loop. */
  #startOne(): ExecutorThread | undefined {
    if (!this.#hasRoom()) return undefined;
    const itself = { wasm: this.#options.wasm };
    const known = this.#source;
    const start = known ? known.then((source) => ({ source })).catch(() => itself) : Promise.resolve(itself);
    const thread = new ExecutorThread(start, () => {
      this.#all.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    if (!known) {
      this.#source = thread.ready;
      thread.ready.catch(() => {
        this.#source = undefined;
      });
    }
    this.#all.add(thread);
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
        this.#all.delete(thread);
        void thread.stop();
      }
      this.#wasUsed = false;
      if (this.#all.size > 0) this.#endAtRest();
    }, this.#options.restMs).unref();
  }
}
