import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Network } from "../config/settings.js";
import { type Counters, createLocalCounters, unusedLimit } from "./counters.js";
import type { SharedRedis } from "./shared-redis.js";

/** Counters shared by all instances on the same Redis. While Redis does not answer, each instance counts locally. */
export function createSharedCounters(redis: SharedRedis, network: Network): Counters {
  const limiter = new RateLimiterRedis({
    storeClient: redis.client,
    keyPrefix: `tonwire:${network}`,
    ...unusedLimit,
  });
  const local = createLocalCounters();
  return {
    async add(bucket, points, windowSec) {
      const count = await redis.ask(() => limiter.penalty(bucket, points, { customDuration: windowSec }));
      return count ?? local.add(bucket, points, windowSec);
    },
    close: async () => redis.close(),
  };
}
