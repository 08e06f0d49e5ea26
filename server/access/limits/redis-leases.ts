import type { Network } from "../../config/settings.js";
import type { SharedRedis } from "../shared-redis.js";
import { type LeaseSource, Windows } from "./windows.js";

/**
 * A bucket is one text: the end of its window, the points consumed in it, and the end of its debt. It expires when both
 * are over, so points of an instance that has died are available in the next window. The clock is that of Redis.
 */
const read = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends, used, paid = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
ends, used, paid = tonumber(ends or 0), tonumber(used or 0), tonumber(paid or 0)
`;
const write = `
local lasts = math.max(ends, paid) - now
if lasts > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f %.0f %.0f', ends, used, paid), 'PX', lasts)
end
`;

/**
 * ARGV: points, length of a window in ms, points of a window. An instance gets an eighth of a window in advance, but no
 * more than a quarter of what is left: the last points are leased one by one.
 */
const lease = `${read}
local points, length, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if ends <= now or ends - now > length then
  ends, used = now + length, 0
end
local owed = math.max(0, paid - now)
used = used + points
local left = burst - used - owed * burst / length
local extra = math.max(0, math.min(math.floor(burst / 8), math.floor(left / 4)))
used = used + extra
${write}
return {ends, used, extra, ends - now, owed}
`;

/** ARGV: window, points, points of a window. Calls that were refused have counted, too: they leave no room for what comes back. */
const giveBack = `${read}
if ends == tonumber(ARGV[1]) and ends > now then
  used = math.max(0, math.min(used, tonumber(ARGV[3])) - tonumber(ARGV[2]))
  ${write}
end
`;

/** ARGV: milliseconds to add to the debt, its maximum. */
const owe = `${read}
local before = math.max(0, paid - now)
local more = tonumber(ARGV[1])
local owed = math.max(before, more, math.min(tonumber(ARGV[2]), before + more))
paid = now + owed
${write}
return owed
`;

/**
 * Leases for all instances on the same Redis or Valkey. While it does not answer, each instance counts locally and takes
 * nothing in advance. `now`: wall clock, ms.
 */
export function createRedisLeases(redis: SharedRedis, network: Network, now: () => number): LeaseSource {
  const local = new Windows(now);
  const keyOf = (bucket: string) => `tonwire:${network}:limit:${bucket}`;
  const runLease = redis.script<[number, number, number, number, number]>("tonwireLease", lease);
  const runGiveBack = redis.script<null>("tonwireGiveBack", giveBack);
  const runOwe = redis.script<number>("tonwireOwe", owe);
  return {
    async lease(charge) {
      const { bucket, points, windowSec, burst } = charge;
      const answer = await runLease(keyOf(bucket), points, Math.ceil(windowSec * 1000), burst);
      if (!answer) return { ...local.add(charge), extra: 0 };
      const [window, consumedPoints, extra, msBeforeNext, owedMs] = answer;
      return { window, consumedPoints, extra, msBeforeNext, owedMs };
    },
    async giveBack({ bucket, window, points, burst }) {
      await runGiveBack(keyOf(bucket), window, points, burst);
    },
    async owe(bucket, ms, maxMs) {
      const owed = await runOwe(keyOf(bucket), Math.ceil(ms), Math.ceil(maxMs));
      return owed ?? local.owe(bucket, ms, maxMs);
    },
  };
}
