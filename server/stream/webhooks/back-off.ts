const firstMs = 5000;
const longestMs = 60 * 60_000;
/** How long a receiver may fail before its webhook is paused. */
export const patienceMs = 3 * 24 * 60 * 60_000;
/** The part of a pause that is random, so that receivers that came down together are not asked together. */
const jitter = 0.2;

/**
 * When to try again after a failure: ever later, for the last time when patience ends. `undefined` if that was the last
 * attempt. Times in ms.
 */
export function nextAttempt({
  failures,
  failingSince,
  now,
  random,
}: {
  failures: number;
  failingSince: number;
  now: number;
  random: number;
}): number | undefined {
  const end = failingSince + patienceMs;
  if (now >= end) return undefined;
  const pauseMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestMs);
  return Math.min(Math.round(now + pauseMs * (1 - jitter * random)), end);
}
