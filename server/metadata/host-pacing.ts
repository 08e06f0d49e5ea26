import { LRUCache } from "lru-cache";

const maxHosts = 10_000;

/** Spaces the requests to each host. Times are in milliseconds. */
export class HostPacing {
  readonly #intervalMs: number;
  /** When a host may be asked next. */
  readonly #free = new LRUCache<string, number>({ max: maxHosts });
  /** The latest time that was given to a link which has to wait. */
  readonly #horizon = new LRUCache<string, number>({ max: maxHosts });

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /**
   * Reserves the next time at which the host may be asked, if that is within one interval. Otherwise `postponedTo` is a
   * time for the link to come back; links of one host get different ones.
   */
  reserve(host: string, now: number): { at: number } | { postponedTo: number } {
    const at = this.#freeAt(host, now);
    if (at <= now + this.#intervalMs) {
      this.#free.set(host, at + this.#intervalMs);
      return { at };
    }
    return { postponedTo: this.postpone(host, at) };
  }

  /** A time after `from` for a link to come back, at least so long after those of others that were given. */
  postpone(key: string, from: number, spacingMs = this.#intervalMs): number {
    const postponedTo = Math.max(from, this.#horizon.get(key) ?? 0) + spacingMs;
    this.#horizon.set(key, postponedTo);
    return postponedTo;
  }

  /** The same for a request that cannot come back, as of a redirect. */
  reserveAnyTime(host: string, now: number): number {
    const at = this.#freeAt(host, now);
    this.#free.set(host, at + this.#intervalMs);
    return at;
  }

  #freeAt(host: string, now: number): number {
    return Math.max(now, this.#free.get(host) ?? 0);
  }
}
