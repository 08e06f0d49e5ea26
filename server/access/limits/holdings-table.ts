import type { Holding, Usage } from "./shared-holdings.js";
import { SweptMap } from "./swept-map.js";

/** Streams that an owner has in one process. */
type Owner = { readonly byInstance: Map<string, Holding>; used: Usage; usedAt: number };

/** How often a process reports what has changed without an event, such as bytes. */
export const renewEveryMs = 10_000;
/** Consumption without a stream is forgotten after this time. */
const keptMs = 120_000;

/** The streams of all owners in the processes of one service. */
export class HoldingsTable {
  /** Wall clock, ms. */
  readonly #now: () => number;
  /** Owners are forgotten when they have had no stream for a while. */
  readonly #owners: SweptMap<Owner>;

  constructor(now: () => number) {
    this.#now = now;
    this.#owners = new SweptMap(({ byInstance, usedAt }) => byInstance.size === 0 && usedAt < now() - keptMs);
  }

  /** As `exchange` of `SharedHoldings`, for a process. */
  exchange(instance: string, name: string, own: Holding, used: Usage): { others: Holding; used: Usage } {
    const owner = this.#ownerOf(name);
    if (own.connections > 0) owner.byInstance.set(instance, own);
    else owner.byInstance.delete(instance);
    owner.used = { bytes: owner.used.bytes + used.bytes, history: owner.used.history + used.history };
    owner.usedAt = this.#now();
    const others = { connections: 0, accounts: 0, firehoses: 0 };
    for (const [other, { connections, accounts, firehoses }] of owner.byInstance) {
      if (other === instance) continue;
      others.connections += connections;
      others.accounts += accounts;
      others.firehoses += firehoses;
    }
    return { others, used: owner.used };
  }

  /** The process has ended, and its streams with it. */
  drop(instance: string): void {
    for (const { byInstance } of this.#owners.values()) byInstance.delete(instance);
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known) return known;
    const owner = { byInstance: new Map(), used: { bytes: 0, history: 0 }, usedAt: this.#now() };
    this.#owners.set(name, owner);
    return owner;
  }
}
