import type { Timers } from "../timers.js";
import { type Attempts, unavailable } from "./attempts.js";
import { Change, type Patience } from "./change.js";
import { choose } from "./choose.js";
import type { Need } from "./need.js";
import type { PoolHead } from "./pool-head.js";
import type { PoolServer } from "./pool-server.js";

const maxInFlight = 32;
const maxWaiting = 256;
/** How long a call waits for any server to be there at all. */
const absenceMs = 1000;

type TurnsOptions = { servers: readonly PoolServer[]; head: PoolHead; timers: Timers };

/** Whose turn it is to be asked, as long as every server has its bound of questions under way. */
export class Turns {
  readonly #options: TurnsOptions;
  /** A server has become usable or unusable, or is free for another question. */
  readonly #change: Change;
  #closed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#change = new Change(options.timers);
  }

  get hasUsable(): boolean {
    return this.#options.servers.some((server) => server.isUsable);
  }

  /** Those that are of use and free, the best one first. */
  free(need: Need, attempts: Attempts): PoolServer[] {
    return this.#choose(need, attempts).filter(isFree);
  }

  /** A place at the best of the servers not tried yet that has one; undefined when all have been tried. */
  async reserve(need: Need, attempts: Attempts, patience: Patience): Promise<PoolServer | undefined> {
    const absentUntil = Math.min(patience.deadline, this.#options.timers.now() + absenceMs);
    for (;;) {
      if (this.#closed) throw unavailable();
      const usable = this.#choose(need, attempts);
      const free = usable.find(isFree);
      if (free) {
        free.reserve();
        return free;
      }
      if (usable.length === 0 && attempts.tried.size > 0) return undefined;
      if (this.#change.waiting >= maxWaiting) throw unavailable();
      const canUse = () => this.free(need, attempts).length > 0;
      if (usable.length > 0) await this.#change.wait(patience, canUse);
      else await this.#waitForAny({ ...patience, deadline: absentUntil });
    }
  }

  /** Resolves when a server has become usable or unusable. */
  changed(deadline: number): Promise<void> {
    return this.#change.wait({ deadline });
  }

  serverChanged(): void {
    this.#change.tellAll();
  }

  /** A question has ended. */
  placeFreed(): void {
    this.#change.tellOne();
  }

  close(): void {
    this.#closed = true;
    this.#change.tellAll();
  }

  /** Where all have fallen silent, one of them may still have been unlucky. */
  #choose(need: Need, { tried, deep, fresh }: Attempts): PoolServer[] {
    const { servers, head } = this.#options;
    const { hasUsable } = this;
    const able = servers.filter((server) => (hasUsable ? server.isUsable : server.isThere));
    return choose(
      able.filter((server) => !tried.has(server)),
      { need, best: head.seqno, deep, fresh },
    );
  }

  async #waitForAny(patience: Patience): Promise<void> {
    try {
      await this.#change.wait(patience);
    } catch (error) {
      if (patience.signal?.aborted) throw error;
      throw unavailable(error);
    }
  }
}

function isFree(server: PoolServer): boolean {
  return server.numbers.inFlight < maxInFlight;
}
