import { z } from "zod";

/** `burst` calls per window of `burst / rps` seconds. */
export type Limit = { readonly rps: number; readonly burst: number };

/** The rate limit of a caller; `limit` is `undefined` for unlimited plans. */
export type Plan = { readonly name: string; readonly limit: Limit | undefined };

/** What a caller may hold open of streams. */
export type StreamLimits = {
  /** Connections at once. */
  readonly connections: number;
  /** Accounts and traces over all its subscriptions. */
  readonly accounts: number;
  /** Masterchain blocks of the past that a stream may begin with. */
  readonly history: number;
};

/** Plans that always exist. Callers without a key have `anonymousPlan`, which keys cannot have. */
export const builtInPlans: Readonly<Record<string, Limit | undefined>> = {
  standard: { rps: 10, burst: 10 },
  unlimited: undefined,
};
/** The plan of callers without a key. */
export const anonymousPlan = "anonymous";

const standardStreams: StreamLimits = { connections: 20, accounts: 10_000, history: 100_000 };
const streams: Readonly<Record<string, StreamLimits>> = {
  [anonymousPlan]: { connections: 2, accounts: 100, history: 1000 },
  unlimited: { connections: 1000, accounts: 1_000_000, history: Number.POSITIVE_INFINITY },
};

/** Plans of the operator have the limits of `standard`. */
export function streamLimits({ name }: Plan): StreamLimits {
  return streams[name] ?? standardStreams;
}

const count = z.int().min(1).max(1_000_000);

/** The window must be whole seconds, because Redis and the rate limit headers count in seconds. */
export const limitSchema = z
  .strictObject({ rps: count, burst: count })
  .refine(({ rps, burst }) => burst % rps === 0, "burst must be a multiple of rps");

export const planName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}$/,
    "a plan name has up to 32 characters of a-z, 0-9 and -, and starts with a letter",
  )
  .refine((name) => name !== anonymousPlan && !Object.hasOwn(builtInPlans, name), "this plan is built in");

/** Length of the limit's window in seconds. */
export function windowSec({ rps, burst }: Limit): number {
  return burst / rps;
}
