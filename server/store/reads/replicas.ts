import { setMaxListeners } from "node:events";
import { withResolvers } from "../../../shared/values/promises.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { FirstSignal } from "../../os/first-signal.js";
import { HedgeBudget, hedged } from "../../os/hedge.js";
import { pause } from "../../os/pause.js";
import type { LeastVersion, ReadServer, Transaction, TransactionOptions } from "../database.js";
import { primaryName, type SnapshotSource } from "./index-reader.js";
import type { Primary } from "./primary.js";
import { RacedRead } from "./raced-read.js";
import { Replica, type ReplicaOptions } from "./replica.js";

/** How long an answer waits for a standby to replay what it needs, ms. */
const replayMs = 300;
const firstPauseMs = 5;

/**
 * The standbys that answers are read from, and the database itself for what none of them has. A standby that lags for too
 * long, is not reached or is none is left out.
 */
export class Replicas implements SnapshotSource {
  readonly #primary: Primary;
  readonly #replicas: readonly Replica[];
  readonly #hedgeMs: number;
  readonly #hedges = new HedgeBudget();
  readonly #ending = new AbortController();
  #watching: Promise<unknown> | undefined;

  constructor(primary: Primary, servers: readonly ReadServer[], options: ReplicaOptions) {
    this.#primary = primary;
    this.#hedgeMs = options.hedgeMs;
    setMaxListeners(0, this.#ending.signal);
    this.#replicas = servers.map((server) => new Replica(server, options));
  }

  /**
   * Looks at all of them once, then time and again. Rejects with the `SetupError` of one that is no standby; one that is
   * found later is left out.
   */
  async begin(): Promise<void> {
    if (this.#watching) return;
    const { signal } = this.#ending;
    await Promise.all(this.#replicas.map((replica) => replica.look(signal)));
    const refused = this.#replicas.find(({ refusal }) => refusal);
    if (refused) throw refused.refusal;
    this.#watching ??= Promise.all(this.#replicas.map((replica) => replica.watch(signal)));
  }

  get all(): readonly Pick<
    Replica,
    "name" | "state" | "lagMs" | "running" | "connections" | "refusal" | "hedges"
  >[] {
    return this.#replicas;
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const asked = new Set<Replica>();
    for (
      let replica = await this.#replicaFor(options.least, options.signal);
      replica;
      replica = this.#choose(options.least, asked)
    ) {
      const answer = await this.#hedged(replica, asked, work, options);
      if (answer) return answer.result;
    }
    options.onDoor?.(primaryName);
    return this.#primary.transaction(work, options);
  }

  /**
   * The result of a replica, or of the server that is asked beside it because it is slow; undefined if none of them is
   * reached. Adds those that were asked.
   */
  #hedged<T>(
    first: Replica,
    asked: Set<Replica>,
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<{ readonly result: T } | undefined> {
    const elsewhere = { answers: () => this.#answersBut(first), signal: this.#ending.signal };
    const read = new RacedRead(work, options, (leader) => {
      options.onDoor?.(leader instanceof Replica ? leader.name : primaryName);
      if (leader === first) first.led();
      else first.lost(elsewhere);
    });
    const ask = (replica: Replica, onTurn?: () => void) => {
      asked.add(replica);
      options.onDoor?.(replica.name);
      return read.of(replica, { ...(onTurn && { onTurn }), failed: (error) => replica.failed(error) });
    };
    const turn = withResolvers<void>();
    let isPrimaryAsked = false;
    this.#hedges.earn();
    return hedged(ask(first, turn.resolve), {
      timers: systemTimers,
      afterMs: this.#hedgeMs,
      begun: turn.promise,
      second: () => {
        first.doubt(elsewhere);
        if (read.isLed || isPrimaryAsked || !this.#hedges.spend()) return undefined;
        const other = this.#choose(options.least, asked);
        first.hedged();
        if (other) return ask(other);
        isPrimaryAsked = true;
        return read.of(this.#primary);
      },
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#primary.close();
    await this.#watching;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /** Waits for one that has replayed what is needed; `undefined` if none does in time. */
  async #replicaFor(least: LeastVersion | undefined, signal?: AbortSignal): Promise<Replica | undefined> {
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
        const looks = Promise.all(usable.map((replica) => replica.look(this.#ending.signal)));
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

  /** Whether another server than this one answers now. */
  async #answersBut(one: Replica): Promise<boolean> {
    const found = withResolvers<boolean>();
    const others = this.#usable().filter((replica) => replica !== one);
    const answers = [
      this.#primary.answers(),
      ...others.map((replica) => replica.look(this.#ending.signal).then(() => replica.state === "used")),
    ];
    for (const each of answers) void each.then((isThere) => isThere && found.resolve(true));
    void Promise.all(answers).then(() => found.resolve(false));
    return found.promise;
  }

  #usable(): Replica[] {
    return this.#replicas.filter((replica) => replica.state === "used");
  }

  /** The least busy replica among those with the newest sufficient version. */
  #choose(least: LeastVersion | undefined, besides?: ReadonlySet<Replica>): Replica | undefined {
    const able = this.#usable().filter((replica) => !besides?.has(replica) && replica.reaches(least));
    const level = able.filter((replica) => replica.reaches("newest"));
    const [first, ...others] = level.length > 0 ? level : able;
    return others.reduce(
      (best, replica) => (best && replica.running >= best.running ? best : replica),
      first,
    );
  }
}
