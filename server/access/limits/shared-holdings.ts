import type { Network } from "../../config/settings.js";
import type { SharedRedis } from "../shared-redis.js";

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

/** Stream usage of each owner, over all instances. */
export interface SharedHoldings {
  /** Interval at which each instance must report again, ms. */
  readonly renewEveryMs: number;
  /**
   * Reports the holding of this instance and its consumption since the last report. Returns the holdings of the other
   * instances and the total consumption; `undefined` if they are not available.
   */
  exchange(owner: string, own: Holding, used: Usage): Promise<{ others: Holding; used: Usage } | undefined>;
}

/** How long an instance's reported usage counts. */
const leaseMs = 30_000;
const renewals = 3;

/**
 * One hash per owner: the lease end and the holding of each instance, and the total consumption. The clock is that of
 * Redis. ARGV: instance, lease, connections, accounts, firehoses, bytes, history.
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
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 4)
return {others[1], others[2], others[3], bytes, history}
`;

/** Over Redis. `instance` is the unique id of this instance. */
export function createSharedHoldings(
  redis: SharedRedis,
  { network, instance }: { network: Network; instance: string },
): SharedHoldings {
  return {
    renewEveryMs: leaseMs / renewals,
    async exchange(owner, { connections, accounts, firehoses }, { bytes, history }) {
      const key = `tonwire:${network}:streams:${owner}`;
      const args = [instance, leaseMs, connections, accounts, firehoses, bytes, history];
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
