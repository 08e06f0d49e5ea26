import { setMaxListeners } from "node:events";
import { FirstSignal } from "../os/first-signal.js";
import { pause } from "../os/pause.js";
import type { LeastVersion, ReadServer, Sql, Transaction, TransactionOptions } from "./database.js";
import { isUnavailable } from "./database-errors.js";
import type { SnapshotSource } from "./index-reader.js";
import { type DoorOptions, ReadDoor } from "./read-door.js";

/** How long an answer waits for a standby to replay what it needs, ms. */
const replayMs = 300;
const firstPauseMs = 5;

/**
 * The standbys that answers are read from, and the database itself for what none of them has. A standby that lags for too
 * long, is not reached or is none is left out.
 */
export class ReadDoors implements SnapshotSource {
  readonly #primary: Sql;
  readonly #doors: readonly ReadDoor[];
  readonly #ending = new AbortController();
  #watching: Promise<unknown> | undefined;

  constructor(primary: Sql, servers: readonly ReadServer[], options: DoorOptions) {
    this.#primary = primary;
    setMaxListeners(0, this.#ending.signal);
    this.#doors = servers.map((server) => new ReadDoor(server, options));
  }

  /**
   * Looks at all of them once, then time and again. Rejects with the `SetupError` of one that is no standby; one that is
   * found later is left out.
   */
  async begin(): Promise<void> {
    if (this.#watching) return;
    const { signal } = this.#ending;
    await Promise.all(this.#doors.map((door) => door.look(signal)));
    const refused = this.#doors.find(({ refusal }) => refusal);
    if (refused) throw refused.refusal;
    this.#watching ??= Promise.all(this.#doors.map((door) => door.watch(signal)));
  }

  get doors(): readonly Pick<ReadDoor, "name" | "state" | "lagMs" | "running" | "connections" | "refusal">[] {
    return this.#doors;
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const failed = new Set<ReadDoor>();
    let door = await this.#doorFor(options.least, options.signal);
    while (door) {
      try {
        return await door.transaction(work, options);
      } catch (error) {
        if (!isUnavailable(error) || options.signal?.aborted) throw error;
        door.failed(error);
      }
      failed.add(door);
      door = this.#choose(options.least, failed);
    }
    return this.#primary.transaction(work, options);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    await Promise.all(this.#doors.map((door) => door.close()));
  }

  /** Waits for one that has replayed what is needed; `undefined` if none does in time. */
  async #doorFor(least: LeastVersion | undefined, signal?: AbortSignal): Promise<ReadDoor | undefined> {
    const usable = this.#usable();
    const chosen = this.#choose(least);
    if (chosen || usable.length === 0) return chosen;
    const over = new FirstSignal(
      this.#ending.signal,
      AbortSignal.timeout(replayMs),
      ...(signal ? [signal] : []),
    );
    try {
      for (let pauseMs = firstPauseMs; !over.signal.aborted; pauseMs *= 2) {
        const looks = Promise.all(usable.map((door) => door.look(this.#ending.signal)));
        await Promise.race([looks, pause(replayMs, over.signal)]);
        const reached = this.#choose(least);
        if (reached) return reached;
        await pause(pauseMs, over.signal);
      }
      return undefined;
    } finally {
      over.clear();
    }
  }

  #usable(): ReadDoor[] {
    return this.#doors.filter((door) => door.state === "used");
  }

  /** The least busy door among those with the newest sufficient version. */
  #choose(least: LeastVersion | undefined, besides?: ReadonlySet<ReadDoor>): ReadDoor | undefined {
    const able = this.#usable().filter(
      (door) => !besides?.has(door) && (least === undefined || door.reaches(least)),
    );
    const level = able.filter((door) => door.reaches("newest"));
    const [first, ...others] = level.length > 0 ? level : able;
    return others.reduce((best, door) => (best && door.running >= best.running ? best : door), first);
  }
}
