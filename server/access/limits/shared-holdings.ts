import type { Network } from "../../config/settings.js";
import type { SharedRedis } from "../shared-redis.js";
import { SweptMap } from "./swept-map.js";

/** Open streams of an owner. */
export type Holding = {
  readonly connections: number;
  readonly accounts: number;
  readonly firehoses: number;
};

/** Consumption of an owner's streams. */
export type Usage = {
  readonly bytes: number;
  /** Masterchain blocks of the past. */
  readonly history: number;
};

/** The holdings of the other instances, and the total consumption. */
type Shared = { others: Holding; used: Usage };

/** Stream usage of each owner, over all instances: in Redis, or in the process that started these as its workers. */
export interface SharedHoldings {
  /**
   * Reports the holding of this instance and its consumption since the last report. Resolves with `undefined` if the others'
   * are not available.
   */
  exchange(owner: string, own: Holding, used: Usage): Promise<Shared | undefined>;
}

/** Interval at which each instance reports again, also what changes without an event, such as bytes. */
export const renewEveryMs = 10_000;
/** How long Redis counts what an instance has reported, which may end without a word. */
const leaseMs = 3 * renewEveryMs;
/** How long the consumption of an owner without streams counts. */
const keptMs = 4 * leaseMs;

/**
 * One hash per owner: the lease end and the holding of each instance, and the total consumption. The clock is that of
 * Redis. ARGV: instance, lease, connections, accounts, firehoses, bytes, history, how long it is kept.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local others = {0, 0, 0}
local fields = redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  local ends, connections, accounts, firehoses = string.match(fields[at + 1], '^(%d+) (%d+) (%d+) (%d+)$')
  if ends and tonumber(ends) <= now then
    redis.call('HDEL', KEYS[1], fields[at])
  elseif ends and fields[at] ~= ARGV[1] then
    others[1] = others[1] + connections
    others[2] = others[2] + accounts
    others[3] = others[3] + firehoses
  end
end
if tonumber(ARGV[3]) > 0 then
  local lease = string.format('%.0f', now + ARGV[2])
  redis.call('HSET', KEYS[1], ARGV[1], lease .. ' ' .. ARGV[3] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end
local bytes = redis.call('HINCRBY', KEYS[1], 'bytes', ARGV[6])
local history = redis.call('HINCRBY', KEYS[1], 'history', ARGV[7])
redis.call('PEXPIRE', KEYS[1], ARGV[8])
return {others[1], others[2], others[3], bytes, history}
`;

/** Over Redis. `instance` is the unique id of this instance. */
export function createSharedHoldings(
  redis: SharedRedis,
  { network, instance }: { network: Network; instance: string },
): SharedHoldings {
  return {
    async exchange(owner, { connections, accounts, firehoses }, { bytes, history }) {
      const key = `tonwire:${network}:streams:${owner}`;
      const args = [instance, leaseMs, connections, accounts, firehoses, bytes, history, keptMs];
      const answer = await redis.ask(
        () => redis.client.eval(script, 1, key, ...args) as Promise<[number, number, number, number, number]>,
      );
      if (!answer) return undefined;
      const [ofConnections, ofAccounts, ofFirehoses, allBytes, allHistory] = answer;
      return {
        others: { connections: ofConnections, accounts: ofAccounts, firehoses: ofFirehoses },
        used: { bytes: allBytes, history: allHistory },
      };
    },
  };
}

/** Streams that an owner has in each instance. */
type Owner = { readonly byInstance: Map<string, Holding>; used: Usage; usedAt: number };

/** The same in memory, for the processes of one service. An instance counts until it is dropped. */
export class HoldingsTable {
  /** Wall clock, ms. */
  readonly #now: () => number;
  /** Owners are forgotten when they have had no stream for a while. */
  readonly #owners: SweptMap<Owner>;

  constructor(now: () => number) {
    this.#now = now;
    this.#owners = new SweptMap(({ byInstance, usedAt }) => byInstance.size === 0 && usedAt < now() - keptMs);
  }

  /** As `exchange` of `SharedHoldings`, for an instance. */
  exchange(instance: string, name: string, own: Holding, used: Usage): Shared {
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
