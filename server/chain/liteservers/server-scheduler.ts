import type { Timers } from "../../../shared/values/timers.js";
import { type Attempts, unavailable } from "./attempts.js";
import { choose } from "./choose-servers.js";
import type { Liteserver } from "./liteserver.js";
import type { NetworkHead } from "./network-head.js";
import type { Requirement } from "./requirement.js";
import { type WaitLimit, WaitQueue } from "./wait-queue.js";

const maxInFlight = 32;
const maxWaiting = 256;
/** Maximum wait of a call while no server is usable. */
const noServerWaitMs = 1000;

type SchedulerOptions = { servers: readonly Liteserver[]; head: NetworkHead; timers: Timers };

/** Assigns calls to servers, at most 32 in flight per server; further calls wait in a queue of 256. */
export class ServerScheduler {
  readonly #options: SchedulerOptions;
  /** Notified when a server becomes usable or unusable, or frees a slot. */
  readonly #waitQueue: WaitQueue;
  #closed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#waitQueue = new WaitQueue(options.timers);
  }

  get hasUsable(): boolean {
    return this.#options.servers.some((server) => server.isUsable);
  }

  /** Servers that can answer and have a free slot, best first. */
  free(requirement: Requirement, attempts: Attempts): Liteserver[] {
    return this.#choose(requirement, attempts).filter(isFree);
  }

  /**
   * Reserves a slot at the best server not tried yet, waiting for one if necessary; undefined if all were tried. Rejects
   * with `unavailable` if no server is usable or the queue is full.
   */
  async reserve(
    requirement: Requirement,
    attempts: Attempts,
    limit: WaitLimit,
  ): Promise<Liteserver | undefined> {
    const absentUntil = Math.min(limit.deadline, this.#options.timers.now() + noServerWaitMs);
    for (;;) {
      if (this.#closed) throw unavailable();
      const usable = this.#choose(requirement, attempts);
      const free = usable.find(isFree);
      if (free) {
        free.reserve();
        return free;
      }
      if (usable.length === 0 && attempts.tried.size > 0) return undefined;
      if (this.#waitQueue.waiting >= maxWaiting) throw unavailable();
      const canUse = () => this.free(requirement, attempts).length > 0;
      if (usable.length > 0) await this.#waitQueue.wait(limit, canUse);
      else await this.#waitForAny({ ...limit, deadline: absentUntil });
    }
  }

  /** Resolves when a server has become usable or unusable. */
  changed(deadline: number): Promise<void> {
    return this.#waitQueue.wait({ deadline });
  }

  serverChanged(): void {
    this.#waitQueue.notifyAll();
  }

  /** A request has ended. */
  slotFreed(): void {
    this.#waitQueue.notifyOne();
  }

  close(): void {
    this.#closed = true;
    this.#waitQueue.notifyAll();
  }

  /** If all servers are suspended, those still connected are tried. */
  #choose(requirement: Requirement, { tried, deep, fresh }: Attempts): Liteserver[] {
    const { servers, head } = this.#options;
    const { hasUsable } = this;
    const able = servers.filter((server) => (hasUsable ? server.isUsable : server.isConnected));
    return choose(
      able.filter((server) => !tried.has(server)),
      { requirement, best: head.seqno, deep, fresh },
    );
  }

  async #waitForAny(limit: WaitLimit): Promise<void> {
    try {
      await this.#waitQueue.wait(limit);
    } catch (error) {
      if (limit.signal?.aborted) throw error;
      throw unavailable(error);
    }
  }
}

function isFree(server: Liteserver): boolean {
  return server.stats.inFlight < maxInFlight;
}
