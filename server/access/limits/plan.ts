import { z } from "zod";

/** `burst` calls per window of `burst / rps` seconds. */
export type Limit = { readonly rps: number; readonly burst: number };

/** Calls and points of a plan in a month; absent ones are not limited. */
export type MonthQuota = { readonly calls?: number | undefined; readonly points?: number | undefined };

/** The limits of a caller; `limit` is `undefined` for unlimited plans. */
export type Plan = {
  readonly name: string;
  readonly limit: Limit | undefined;
  /** Stream limits that differ from those of `standard`. */
  readonly streams?: Partial<StreamLimits> | undefined;
  /** The monthly quota of each key of the plan. */
  readonly month?: MonthQuota | undefined;
};

/** Limits of a caller's streams. */
export type StreamLimits = {
  /** Open connections. */
  readonly connections: number;
  /** Subscriptions per connection. */
  readonly subscriptions: number;
  /** Accounts and traces over all its subscriptions. */
  readonly accounts: number;
  /** Subscriptions to everything of a kind; those to blocks do not count. */
  readonly firehose: number;
  /** Masterchain blocks of the past per minute that streams may begin with. */
  readonly history: number;
  /** Bytes per second, averaged over a minute; beyond it a stream is slowed down. */
  readonly bytes: number;
  /** Webhooks. The limits of their accounts and firehoses equal those of streams, but are counted apart. */
  readonly webhooks: number;
  /** Concurrent deliveries to webhooks, in each process. */
  readonly deliveries: number;
};

/** Plans that always exist. Callers without a key have `anonymousPlan`, which keys cannot have. */
export const builtInPlans: Readonly<Record<string, Limit | undefined>> = {
  standard: { rps: 10, burst: 10 },
  unlimited: undefined,
};
/** The plan of callers without a key. */
export const anonymousPlan = "anonymous";

const mebibyte = 1024 * 1024;
const standardStreams: StreamLimits = {
  connections: 20,
  subscriptions: 100,
  accounts: 10_000,
  firehose: 1,
  history: 100_000,
  bytes: 2 * mebibyte,
  webhooks: 20,
  deliveries: 5,
};
const streams: Readonly<Record<string, StreamLimits>> = {
  [anonymousPlan]: {
    connections: 2,
    subscriptions: 5,
    accounts: 100,
    firehose: 0,
    history: 1000,
    bytes: mebibyte / 16,
    webhooks: 0,
    deliveries: 0,
  },
  unlimited: {
    connections: 1000,
    subscriptions: 1000,
    accounts: 1_000_000,
    firehose: 100,
    history: Number.POSITIVE_INFINITY,
    bytes: Number.POSITIVE_INFINITY,
    webhooks: 10_000,
    deliveries: 50,
  },
};

/** Plans of the operator have the limits of `standard`, unless they name others. */
export function streamLimits({ name, streams: own }: Plan): StreamLimits {
  return { ...(streams[name] ?? standardStreams), ...own };
}

const count = z.int().min(1).max(1_000_000);

/** The window must be whole seconds, because Redis and the rate limit headers count in seconds. */
const limitSchema = z
  .strictObject({ rps: count, burst: count })
  .refine(({ rps, burst }) => burst % rps === 0, "burst must be a multiple of rps");

const monthCount = z.int().min(1).max(1_000_000_000_000).optional();
const streamCount = z.int().min(0).max(1_000_000_000);

/** A plan in the key store. */
export const customPlan = limitSchema.safeExtend({
  streams: z
    .strictObject({
      connections: streamCount,
      subscriptions: streamCount,
      accounts: streamCount,
      firehose: streamCount,
      history: streamCount,
      bytes: streamCount,
      webhooks: streamCount,
      deliveries: streamCount,
    })
    .partial()
    .optional(),
  month: z.strictObject({ calls: monthCount, points: monthCount }).optional(),
});
export type CustomPlan = z.output<typeof customPlan>;

export const planName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}$/,
    "a plan name has up to 32 characters of a-z, 0-9 and -, and starts with a letter",
  )
  .refine((name) => name !== anonymousPlan && !Object.hasOwn(builtInPlans, name), "this plan is built in");

/** Whether a plan exists, built in or custom. */
export function isPlan(name: string, plans: Readonly<Record<string, CustomPlan>>): boolean {
  return Object.hasOwn(builtInPlans, name) || Object.hasOwn(plans, name);
}

/** A plan with its current limits. */
export function planNamed(name: string, plans: Readonly<Record<string, CustomPlan>>): Plan {
  const custom = plans[name];
  if (!custom) return { name, limit: isPlan(name, {}) ? builtInPlans[name] : builtInPlans["standard"] };
  const { rps, burst, streams, month } = custom;
  // JSON has no undefined members.
  return { name, limit: { rps, burst }, streams: streams as Plan["streams"], month };
}

/** Length of the limit's window in seconds. */
export function windowSec({ rps, burst }: Limit): number {
  return burst / rps;
}
