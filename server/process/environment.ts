import type { DestinationStream } from "pino";

/** What the outside world gives a process; tests put their own in. */
export type Environment = {
  logTo?: DestinationStream;
  /** Wall clock, ms. */
  now?: () => number;
  /** 0 to 1, for the choice of calls that are logged. */
  random?: () => number;
  /** How long Redis may take for one command, ms. */
  redisPatienceMs?: number | undefined;
};
