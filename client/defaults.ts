import type { Clock } from "./transports/transport.js";

export const defaultTimeoutMs = 15_000;
export const defaultMaxAnswerBytes = 16 * 1024 * 1024;

/** A timer that is set to more goes off at once. */
const longestTimer = 2 ** 31 - 1;

export const platformClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, Math.min(ms, longestTimer)),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/** How long `sendAndWait` and `waitForSeqno` wait, and how often they ask. */
export const defaultWaitMs = 60_000;
export const defaultPollMs = 1000;
