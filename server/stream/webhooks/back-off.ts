const firstMs = 5000;
const longestMs = 60 * 60_000;
/** How long a receiver may fail before its webhook is paused. */
const patienceMs = 3 * 24 * 60 * 60_000;
/** Random part of a delay, so that receivers that failed together are not retried together. */
const jitter = 0.2;

/**
 * The time of the next attempt: delays grow, and the last attempt is when patience ends. `undefined` after that
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
