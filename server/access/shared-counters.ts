import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Network } from "../config/settings.js";
import { type Counters, createLocalCounters, unusedLimit } from "./counters.js";
import type { SharedRedis } from "./shared-redis.js";

/** A debt is a key that lives for as long as there is something to pay. ARGV: milliseconds to add, the maximum. */
const addDebt = `
local owed = math.min(tonumber(ARGV[2]), math.max(0, redis.call('PTTL', KEYS[1])) + tonumber(ARGV[1]))
redis.call('SET', KEYS[1], '', 'PX', owed)
return owed
`;

/**
 * Counters shared by all instances on the same Redis. While Redis does not answer, each instance counts locally.
 * `now`: wall clock, ms.
 */
export function createSharedCounters(redis: SharedRedis, network: Network, now: () => number): Counters {
  const keyPrefix = `tonwire:${network}`;
  const limiter = new RateLimiterRedis({ storeClient: redis.client, keyPrefix, ...unusedLimit });
  const local = createLocalCounters(now);
  const debtOf = (bucket: string) => `${keyPrefix}:debt:${bucket}`;
  return {
    async add(bucket, points, windowSec) {
      const count = await redis.ask(async () => {
        const [{ consumedPoints, msBeforeNext }, owedMs] = await Promise.all([
          limiter.penalty(bucket, points, { customDuration: windowSec }),
          redis.client.pttl(debtOf(bucket)),
        ]);
        return { consumedPoints, msBeforeNext, owedMs: Math.max(0, owedMs) };
      });
      return count ?? local.add(bucket, points, windowSec);
    },
    async owe(bucket, ms, maxMs) {
      const args = [Math.ceil(ms), Math.ceil(maxMs)];
      const owed = await redis.ask(() => redis.client.eval(addDebt, 1, debtOf(bucket), ...args));
      return owed === undefined ? local.owe(bucket, ms, maxMs) : Number(owed);
    },
    close: async () => redis.close(),
  };
}
