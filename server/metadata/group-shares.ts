import { isIPv4 } from "node:net";
import { LRUCache } from "lru-cache";
import { getDomain } from "tldts-icann";
import { groupBy } from "../../shared/values/groups.js";
import { ipv6Prefix } from "../../shared/values/ipv6.js";
import { valueAt } from "../../shared/values/lookups.js";

/** The first 48 bits of an IPv6 address, the minimum allocation of a site. */
const groupsOfSite = 3;

/**
 * The owner of a host, as far as its URL shows: the registered domain, which can have any number of subdomains, or an
 * address's network.
 */
export function groupOf({ hostname }: URL): string {
  if (isIPv4(hostname)) return hostname.split(".").slice(0, 3).join(".");
  if (hostname.startsWith("[")) return `[${ipv6Prefix(hostname.slice(1, -1), groupsOfSite)}]`;
  const name = hostname.replace(/\.$/, "");
  return getDomain(name) ?? name;
}

const maxGroups = 10_000;
/** Half-life of a group's recorded usage. */
const halfLifeMs = 60_000;

type Use = { ms: number; at: number };

/**
 * Divides places among groups, such as owners of hosts, by the time they held one: a free place goes to the group with the least usage, and a
 * group never holds all places.
 */
export class GroupShares {
  readonly #maxHeld: number;
  readonly #now: () => number;
  readonly #held = new Map<string, number>();
  readonly #used = new LRUCache<string, Use>({ max: maxGroups });

  /** A group holds at most `maxHeld` places. `now` in milliseconds. */
  constructor(maxHeld: number, now: () => number) {
    this.#maxHeld = maxHeld;
    this.#now = now;
  }

  /** Takes a place, unless the group is at its limit. Returns the function that releases it. */
  take(group: string): (() => void) | undefined {
    const held = this.#held.get(group) ?? 0;
    if (held >= this.#maxHeld) return undefined;
    this.#held.set(group, held + 1);
    const start = this.#now();
    return () => {
      const left = valueAt(this.#held, group) - 1;
      if (left > 0) this.#held.set(group, left);
      else this.#held.delete(group);
      this.#used.set(group, { ms: this.#usedBy(group) + this.#now() - start, at: this.#now() });
    };
  }

  /** Orders items for assignment: one of each group in turn, starting with the least used group. */
  inTurns<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
    const queues = groupBy(items, groupOf);
    const cost = (group: string) => this.#usedBy(group) + halfLifeMs * (this.#held.get(group) ?? 0);
    const order = [...queues].map(([group, queue]) => ({ queue, cost: cost(group) }));
    order.sort((a, b) => a.cost - b.cost);
    const longest = Math.max(0, ...order.map(({ queue }) => queue.length));
    return Array.from({ length: longest }, (_, round) =>
      order.flatMap(({ queue }) => queue.slice(round, round + 1)),
    ).flat();
  }

  #usedBy(group: string): number {
    const use = this.#used.get(group);
    return use ? use.ms * 2 ** ((use.at - this.#now()) / halfLifeMs) : 0;
  }
}
