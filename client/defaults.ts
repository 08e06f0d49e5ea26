import type { Clock } from "./transports/transport.js";

export const defaultTimeoutMs = 15_000;
export const defaultMaxAnswerBytes = 16 * 1024 * 1024;

export const platformClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/** How long `sendAndWait` and `waitForSeqno` wait, and how often they ask. */
export const defaultWaitMs = 60_000;
export const defaultPollMs = 1000;
