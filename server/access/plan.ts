import { z } from "zod";

/** `burst` calls per window of `burst / rps` seconds. */
export type Limit = { readonly rps: number; readonly burst: number };

/** What a caller may do; without a limit, everything. */
export type Plan = { readonly name: string; readonly limit: Limit | undefined };

/** Plans every key store has. Callers without a key have a plan of their own that no key can name. */
export const builtInPlans: Readonly<Record<string, Limit | undefined>> = {
  standard: { rps: 10, burst: 10 },
  unlimited: undefined,
};
export const anonymousPlan = "anonymous";

const count = z.int().min(1).max(1_000_000);

/** The window is whole seconds, which is what Redis counts in and what the headers can say. */
export const limitSchema = z
  .strictObject({ rps: count, burst: count })
  .refine(({ rps, burst }) => burst % rps === 0, "burst must be a multiple of rps");

export const planName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "a plan name has up to 32 of a-z, 0-9 and -, and starts with a letter")
  .refine((name) => name !== anonymousPlan && !Object.hasOwn(builtInPlans, name), "this plan is built in");

export function windowSec({ rps, burst }: Limit): number {
  return burst / rps;
}
