import { LRUCache } from "lru-cache";
import type { TurnCaller } from "./database.js";
import { queryTimeout } from "./database-errors.js";

type TurnLimits = {
  /** Turns of answers that have run for less than `slowMs`. */
  readonly fast: number;
  /** Turns of slower answers, besides the fast ones. */
  readonly slow: number;
  /** When an answer counts as slow. Absent if answers cannot be interrupted: callers only alternate. */
  readonly slowMs?: number;
};

/** How long a caller with a slow answer shares half of the fast turns with others like it. */
const heavyForMs = 10_000;
const maxHeavyCallers = 10_000;

type Waiting = { readonly caller: TurnCaller; readonly start: (turn: Turn) => void };

/**
 * Shares the connections for answers out among callers, so that cheap answers do not wait for slow ones. Callers are
 * served round robin, each with at most `maxRunning` answers at once.
 *
 * PostgreSQL cannot move a running statement to another connection. So the connection is moved instead: an answer that
 * has run for `slowMs` keeps its connection but occupies a slow turn from then on, and its fast turn is free. The
 * connection pool must have a connection for every turn of both kinds. The alternative, to cancel the statement and
 * start it again in a second pool, does the work of each slow answer twice and loses its snapshot.
 *
 * An answer that finds no slow turn is late: it is revoked as soon as another caller waits. Callers whose answers were
 * slow in the last ten seconds share half of the fast turns. Without that, a few of them would occupy all fast turns for
 * `slowMs` each, over and over.
 */
export class ReadTurns {
  readonly #limits: TurnLimits;
  /** By caller, in the order of turns: a caller that is served moves to the end. */
  readonly #waiting = new Map<string, readonly Waiting[]>();
  readonly #taken: Turn[] = [];
  readonly #heavy = new LRUCache<string, true>({ max: maxHeavyCallers, ttl: heavyForMs });

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn, which must be released. Rejects with `timeout` if the signal fires before. */
  take(caller: TurnCaller, signal?: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(queryTimeout(signal.reason));
      if (this.#waiting.size === 0 && this.#mayStart(caller)) return resolve(this.#begin(caller));
      const abort = () => {
        this.#remove(waiting);
        reject(queryTimeout(signal?.reason));
      };
      const start = (turn: Turn) => {
        signal?.removeEventListener("abort", abort);
        resolve(turn);
      };
      const waiting: Waiting = { caller, start };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.set(caller.id, [...this.#queueOf(caller), waiting]);
      this.#advance();
    });
  }

  #advance(): void {
    const { slow } = this.#limits;
    for (const turn of this.#taken) {
      if (turn.pace === "late" && this.#count(({ pace }) => pace === "slow") < slow) turn.pace = "slow";
    }
    for (let next = this.#next(); next; next = this.#next()) this.#start(next);
    this.#revokeLate();
  }

  /** The first answer in the order of turns that may start now. */
  #next(): Waiting | undefined {
    for (const [first] of this.#waiting.values()) {
      if (first && this.#mayStart(first.caller)) return first;
    }
    return undefined;
  }

  #start(waiting: Waiting): void {
    const { caller } = waiting;
    this.#remove(waiting);
    const others = this.#queueOf(caller);
    this.#waiting.delete(caller.id);
    if (others.length > 0) this.#waiting.set(caller.id, others);
    waiting.start(this.#begin(caller));
  }

  #begin(caller: TurnCaller): Turn {
    const turn = new Turn(caller, (ended) => {
      this.#taken.splice(this.#taken.indexOf(ended), 1);
      this.#advance();
    });
    this.#taken.push(turn);
    if (this.#limits.slowMs !== undefined) turn.watch(this.#limits.slowMs, () => this.#becomeLate(turn));
    return turn;
  }

  #becomeLate(turn: Turn): void {
    this.#heavy.set(turn.caller.id, true);
    turn.pace = "late";
    this.#advance();
  }

  /** Revokes one late answer for each caller that waits, of another caller, minus those that are ending already. */
  #revokeLate(): void {
    let ending = this.#count(({ isRevoked }) => isRevoked);
    for (const [first] of this.#waiting.values()) {
      if (!first || !this.#isBelowMaximum(first.caller) || ending-- > 0) continue;
      const isInTheWay = ({ pace, caller, isRevoked }: Turn) =>
        pace === "late" && caller.id !== first.caller.id && !isRevoked;
      this.#taken.find(isInTheWay)?.revoke();
    }
  }

  #mayStart(caller: TurnCaller): boolean {
    return this.#isBelowMaximum(caller) && this.#hasRoom(caller);
  }

  #isBelowMaximum({ id, maxRunning }: TurnCaller): boolean {
    return this.#count(({ caller }) => caller.id === id) < maxRunning;
  }

  #hasRoom({ id }: TurnCaller): boolean {
    const { fast } = this.#limits;
    if (this.#count(({ pace }) => pace !== "slow") >= fast) return false;
    const isHeavy = ({ pace, caller }: Turn) => pace !== "slow" && this.#heavy.has(caller.id);
    return !this.#heavy.has(id) || this.#count(isHeavy) < fast / 2;
  }

  #queueOf({ id }: TurnCaller): readonly Waiting[] {
    return this.#waiting.get(id) ?? [];
  }

  #remove(waiting: Waiting): void {
    const left = this.#queueOf(waiting.caller).filter((each) => each !== waiting);
    if (left.length > 0) this.#waiting.set(waiting.caller.id, left);
    else this.#waiting.delete(waiting.caller.id);
  }

  #count(isCounted: (turn: Turn) => boolean): number {
    let count = 0;
    for (const turn of this.#taken) if (isCounted(turn)) count++;
    return count;
  }
}

/** The right to read one answer. */
export class Turn {
  readonly caller: TurnCaller;
  /** `late`: slow, but all slow turns are taken. */
  pace: "fast" | "late" | "slow" = "fast";
  readonly #release: (turn: Turn) => void;
  /** Called when the answer must end because another caller needs its turn. */
  onRevoked: () => void = () => {};
  #isRevoked = false;
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  constructor(caller: TurnCaller, release: (turn: Turn) => void) {
    this.caller = caller;
    this.#release = release;
  }

  get isRevoked(): boolean {
    return this.#isRevoked;
  }

  revoke(): void {
    this.#isRevoked = true;
    this.onRevoked();
  }

  /** Calls back unless the turn is released within the time. */
  watch(ms: number, onLate: () => void): void {
    this.#timer = setTimeout(() => {
      // After a standstill of the process, timers fire before the answers that have arrived are read.
      setImmediate(() => this.#isReleased || onLate());
    }, ms);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearTimeout(this.#timer);
    this.#release(this);
  }
}
