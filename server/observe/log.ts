import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { ErrorCode } from "../../shared/rpc/errors.js";

/** Logger of JSON lines. Never log URLs, headers or bodies of requests, because they may contain API keys. */
export type Log = Logger;

/** A finished call, with the only fields that logs and metrics may use. */
export type CallReport = {
  /** Name in the registry; `unknown` for any other name. */
  method: string;
  durationMs: number;
  /** Absent when the call succeeded. */
  code?: ErrorCode;
  requestId?: string;
  /** Key id or address bucket. */
  caller?: string;
  /** The underlying error, for defects of the service. */
  cause?: unknown;
};

/** Creates a logger that writes to standard error; standard output is for the CLI's own output. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/**
 * Logs calls: defects and slow calls always, a sample of all others. Refused calls count as ordinary. `slowMs` is the
 * duration of a slow call, `logSample` the share from 0 to 1.
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
