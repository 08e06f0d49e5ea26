import type { Clock } from "./transports/transport.js";

/** Deadline of a call, including retries. */
export const defaultTimeoutMs = 15_000;
/** Longer answers are rejected with code `answer-too-large`. */
export const defaultMaxAnswerBytes = 16 * 1024 * 1024;

/** Platform timers fire immediately when given a longer delay. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of the platform, with delays capped at the longest possible timer. */
export const platformClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, Math.min(ms, maxTimerMs)),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

/** Timeout of `sendAndWait` and `waitForSeqno`. */
export const defaultWaitMs = 60_000;
/** Longest poll interval of `sendAndWait` and `waitForSeqno`. */
export const defaultPollMs = 1000;
