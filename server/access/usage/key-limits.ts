import { ServiceError } from "../../errors.js";
import type { KeyNumbers } from "../../observe/key-metrics.js";
import type { RuleCheck } from "../keys/key-rules.js";
import type { MonthQuota, Plan } from "../limits/plan.js";
import type { UsageMeter } from "./usage-meter.js";

/** Keys whose use of a month is shown. */
const maxShownKeys = 500;

/** Rules and quota of a key. */
type KeyLimits = { owner: string; plan: Plan; rules: RuleCheck | undefined };

/** Methods of these names have no effect and read nothing: every key may call them, and they do not count. */
const free = /^rpc\./;

/**
 * Counts a call or a stream that begins. Throws `forbidden` if the key is not for the method, and `quota-exceeded` if the month's
 * quota is used up.
 */
export function permitCall(
  meter: UsageMeter,
  { owner, plan, rules }: KeyLimits,
  method: string,
  points: number,
): void {
  if (free.test(method)) return;
  try {
    if (rules?.allowsMethod(method) === false)
      throw new ServiceError("forbidden", `${method} is none of the methods that this API key is for`);
    if (plan.month) meter.checkQuota(owner, plan.month, points);
  } catch (refusal) {
    // A refused call costs its caller points of the rate limit, but is not part of what the key used.
    meter.count(owner, { points: -points, refused: 1 });
    throw refusal;
  }
  meter.count(owner, { calls: 1 });
}

/** The keys that have used most in this month; `quotaOf` finds the quota of a key. */
export function mostUsed(
  meter: UsageMeter,
  quotaOf: (owner: string) => MonthQuota | undefined,
): (readonly [string, KeyNumbers])[] {
  return [...meter.allUsed()]
    .sort(([, a], [, b]) => b.points - a.points)
    .slice(0, maxShownKeys)
    .map(([key, { calls, points }]) => {
      const quota = quotaOf(key);
      const ratios = [
        calls / (quota?.calls ?? Number.POSITIVE_INFINITY),
        points / (quota?.points ?? Number.POSITIVE_INFINITY),
      ];
      return [key, { calls, points, ...(quota && { quotaRatio: Math.max(...ratios) }) }] as const;
    });
}
