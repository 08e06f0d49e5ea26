import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { ErrorCode } from "../../shared/rpc/errors.js";

/** JSON lines. Nothing that came with a request goes in whole: no URL, header or body, so no key either. */
export type Log = Logger;

/** One finished call, in the words a log line and a metric may use. */
export type CallReport = {
  /** Registry name; what callers made up counts as `unknown`. */
  method: string;
  durationMs: number;
  /** Absent when the call succeeded. */
  code?: ErrorCode;
  requestId?: string;
  /** Key id or address bucket. */
  caller?: string;
  /** What went wrong inside, for failures that are ours. */
  cause?: unknown;
};

/** Writes to standard error: standard output belongs to what a person reads at the start. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/**
 * Decides which calls deserve a line: defects always, slow ones always, of the rest the given share. A refusal
 * is the caller's matter and counts as ordinary.
 */
export function createCallLog(
  log: Log,
  { logSample, slowMs, random }: { logSample: number; slowMs: number; random: () => number },
): (report: CallReport) => void {
  return (report) => {
    if (report.cause !== undefined) logFailure(log, report);
    else if (report.durationMs >= slowMs) log.warn(report, "slow call");
    else if (random() < logSample) log.info(report, "call");
  };
}

function logFailure(log: Log, { cause, ...report }: CallReport): void {
  log.error({ ...report, err: cause }, "call failed");
}
