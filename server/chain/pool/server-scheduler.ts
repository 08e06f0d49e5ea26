import type { Timers } from "../timers.js";
import { type Attempts, unavailable } from "./attempts.js";
import { choose } from "./choose.js";
import type { PoolHead } from "./pool-head.js";
import type { PoolServer } from "./pool-server.js";
import type { Requirement } from "./requirement.js";
import { type WaitLimit, WaitQueue } from "./wait-queue.js";

const maxInFlight = 32;
const maxWaiting = 256;
/** How long a call waits for any server to be there at all. */
const noServerWaitMs = 1000;

type SchedulerOptions = { servers: readonly PoolServer[]; head: PoolHead; timers: Timers };

/** Whose turn it is to be asked, as long as every server has its bound of questions under way. */
export class ServerScheduler {
  readonly #options: SchedulerOptions;
  /** A server has become usable or unusable, or is free for another question. */
  readonly #waitQueue: WaitQueue;
  #closed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#waitQueue = new WaitQueue(options.timers);
  }

  get hasUsable(): boolean {
    return this.#options.servers.some((server) => server.isUsable);
  }

  /** Those that are of use and free, the best one first. */
  free(need: Requirement, attempts: Attempts): PoolServer[] {
    return this.#choose(need, attempts).filter(isFree);
  }

  /** A place at the best of the servers not tried yet that has one; undefined when all have been tried. */
  async reserve(need: Requirement, attempts: Attempts, limit: WaitLimit): Promise<PoolServer | undefined> {
    const absentUntil = Math.min(limit.deadline, this.#options.timers.now() + noServerWaitMs);
    for (;;) {
      if (this.#closed) throw unavailable();
      const usable = this.#choose(need, attempts);
      const free = usable.find(isFree);
      if (free) {
        free.reserve();
        return free;
      }
      if (usable.length === 0 && attempts.tried.size > 0) return undefined;
      if (this.#waitQueue.waiting >= maxWaiting) throw unavailable();
      const canUse = () => this.free(need, attempts).length > 0;
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

  /** A question has ended. */
  slotFreed(): void {
    this.#waitQueue.notifyOne();
  }

  close(): void {
    this.#closed = true;
    this.#waitQueue.notifyAll();
  }

  /** Where all have fallen silent, one of them may still have been unlucky. */
  #choose(need: Requirement, { tried, deep, fresh }: Attempts): PoolServer[] {
    const { servers, head } = this.#options;
    const { hasUsable } = this;
    const able = servers.filter((server) => (hasUsable ? server.isUsable : server.isConnected));
    return choose(
      able.filter((server) => !tried.has(server)),
      { need, best: head.seqno, deep, fresh },
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

function isFree(server: PoolServer): boolean {
  return server.stats.inFlight < maxInFlight;
}
