import { LRUCache } from "lru-cache";

const maxHosts = 10_000;
export const defaultHostIntervalMs = 1000;

/** Spaces the requests to each host. Times are in milliseconds. */
export class HostPacing {
  readonly #intervalMs: number;
  /** Earliest time of the next request per host. */
  readonly #free = new LRUCache<string, number>({ max: maxHosts });
  /** The latest time assigned to a postponed link, per key. */
  readonly #horizon = new LRUCache<string, number>({ max: maxHosts });

  constructor(intervalMs = defaultHostIntervalMs) {
    this.#intervalMs = intervalMs;
  }

  /**
   * Reserves the host's next request time, if that is within one interval. Otherwise `postponedTo` is the time to retry
   * the link; links of one host get different times.
   */
  reserve(host: string, now: number): { at: number } | { postponedTo: number } {
    const at = this.#freeAt(host, now);
    if (at <= now + this.#intervalMs) {
      this.#free.set(host, at + this.#intervalMs);
      return { at };
    }
    return { postponedTo: this.postpone(host, at) };
  }

  /** A time after `from` to retry a link, at least `spacingMs` after the other postponed links of the key. */
  postpone(key: string, from: number, spacingMs = this.#intervalMs): number {
    const postponedTo = Math.max(from, this.#horizon.get(key) ?? 0) + spacingMs;
    this.#horizon.set(key, postponedTo);
    return postponedTo;
  }

  /** Like `reserve`, for a request that cannot be postponed, such as a redirect. */
  reserveAnyTime(host: string, now: number): number {
    const at = this.#freeAt(host, now);
    this.#free.set(host, at + this.#intervalMs);
    return at;
  }

  #freeAt(host: string, now: number): number {
    return Math.max(now, this.#free.get(host) ?? 0);
  }
}
