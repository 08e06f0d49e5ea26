/** A session that beats, as one look at the database shows it. Texts are only compared. */
export type BeatingSession = {
  readonly pid: number;
  readonly started: string;
  /** Changes with every statement of the session. */
  readonly beat: string;
  /** The tag of its process. */
  readonly process: string;
};

/** So many looks at least must find a session silent, so that it can beat after an outage that ended just now. */
const leastLooks = 4;

/**
 * Finds sessions that have been silent for too long. Only time in which the database answered counts, by its own clock: what
 * passes between two looks counts as a quarter of the limit at most, be it an outage, a step of the clock, or a standstill of this process.
 */
export class Silences {
  readonly #limitMs: number;
  #lookedAt: number | undefined;
  #silent = new Map<string, { beat: string; ms: number }>();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Takes a look: the database's clock in milliseconds, and the sessions then. Returns those that are silent for too long. */
  look(nowMs: number, sessions: readonly BeatingSession[]): BeatingSession[] {
    const passedMs = nowMs - (this.#lookedAt ?? nowMs);
    const countedMs = Math.min(Math.max(0, passedMs), this.#limitMs / leastLooks);
    this.#lookedAt = nowMs;
    const before = this.#silent;
    this.#silent = new Map();
    return sessions.filter(({ pid, started, beat }) => {
      const key = `${pid} ${started}`;
      const last = before.get(key);
      const ms = last?.beat === beat ? last.ms + countedMs : 0;
      this.#silent.set(key, { beat, ms });
      return ms >= this.#limitMs;
    });
  }
}
