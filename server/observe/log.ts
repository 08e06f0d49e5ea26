import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { ErrorCode } from "../../shared/rpc/errors.js";
import { loggedParams } from "./logged-params.js";

/** Logger of lines. URLs, headers and bodies of requests may contain API keys; `loggedParams` is the only way for a part of them. */
export type Log = Logger;

/** Lines for people, or JSON for programs. */
export type LogFormat = "pretty" | "json";

/** A finished call, with the only members that logs and metrics may use. */
export type CallReport = {
  /** Name in the registry; `unknown` for any other name. */
  method: string;
  durationMs: number;
  /** Absent when the call succeeded. */
  code?: ErrorCode;
  requestId?: string;
  /** For lines of slow and failed calls; called before the caller has its answer. */
  details?: () => CallDetails;
  /** Key id or address bucket. */
  caller?: string | undefined;
  /** The caller's plan, and the id of its key, for metrics. */
  plan?: string | undefined;
  keyId?: string | undefined;
  /** The underlying error, for defects of the service. */
  cause?: unknown;
};

/** What a call was sent, and where it was answered from. */
export type CallDetails = {
  /** The id by which a proxy knows the request. */
  requestId?: string;
  params: Readonly<Record<string, unknown>>;
  /** Parameters whose values are never logged. */
  hidden: readonly string[] | "all";
  /** Servers of the database, and indices of liteservers. */
  door?: string;
  /** The read of the index that took longest, or had not ended. */
  statement?: string;
  statementMs?: number;
};

/** Levels by name as well, beside the numbers that programs may know. */
const formatters = { level: (severity: string, level: number) => ({ level, severity }) };

/** Creates a logger that writes to standard error; standard output is for the CLI's own output. */
export function createLog(
  { level, format = "json" }: { level: string; format?: LogFormat },
  destination: DestinationStream = standardError(),
): Log {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters };
  return pino(options, format === "json" ? destination : prettyStream(destination));
}

/** A line that cannot be written, as to a closed terminal or a full disk, must not end the process. */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true }).on("error", () => {});
}

function prettyStream(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(prettyLine(line)) };
}

/** Refused calls that are logged in a second. A caller who is refused thousands of times fills no disk. */
const maxRefusalsPerSec = 10;

/** Settings of the log of calls, which may change. */
type CallLogSettings = {
  /** Share of successful calls that are logged, 0 to 1. */
  logSample: number;
  /** Duration of a slow call. */
  slowMs: number;
  /** Whether short values of parameters are logged. */
  logParams: boolean;
};

type CallLogOptions = {
  settings: () => CallLogSettings;
  random: () => number;
  /** Clock in milliseconds. */
  now: () => number;
};

/**
 * Logs calls: defects and slow calls always, refused ones with the reason up to ten in a second, a sample of all others.
 * All but these have the names and sizes of their parameters, and where they were answered from.
 */
export function createCallLog(
  log: Log,
  { settings, random, now }: CallLogOptions,
): (report: CallReport) => void {
  let second = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  const mayLogRefusal = () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      if (refusals > maxRefusalsPerSec)
        log.info({ calls: refusals - maxRefusalsPerSec }, "more calls were refused");
      second = current;
      refusals = 0;
    }
    return ++refusals <= maxRefusalsPerSec;
  };
  // Most calls have no line, so lines are made where one is written.
  return (report) => {
    const { logSample, slowMs, logParams } = settings();
    const { cause, durationMs, code } = report;
    if (cause !== undefined) log.error({ ...detailedLine(report, logParams), err: cause }, "call failed");
    else if (durationMs >= slowMs) log.warn(detailedLine(report, logParams), "slow call");
    else if (code !== undefined) mayLogRefusal() && log.info(detailedLine(report, logParams), "call refused");
    else if (random() < logSample) log.info(lineOf(report), "call");
  };
}

/** `caller` is the id of the key. */
function lineOf({ keyId: _, plan: __, details: ___, cause: ____, ...line }: CallReport) {
  return line;
}

function detailedLine(report: CallReport, withValues: boolean) {
  return { ...lineOf(report), ...(report.details && shown(report.details(), withValues)) };
}

function shown({ params, hidden, ...where }: CallDetails, withValues: boolean) {
  return { params: loggedParams(params, { withValues, hidden }), ...where };
}

/** Levels that a line names; ordinary lines do not. */
const levels: Readonly<Record<number, string>> = { 40: "WARNING", 50: "ERROR", 60: "FATAL" };

type Line = {
  level: number;
  severity?: string;
  time: string;
  msg?: string;
  err?: { message?: string; stack?: string };
} & Readonly<Record<string, unknown>>;

/** A line of the log, as JSON, in the form for people: time, message, members, and below it the stack of an error. */
function prettyLine(json: string): string {
  const { level, severity: _, time, msg = "", err, ...members } = JSON.parse(json) as Line;
  const head = [time.slice(11, 23), levels[level], msg].filter((part) => part !== undefined && part !== "");
  const shown = Object.entries(members).map(([name, value]) => memberText(name, value));
  const trace = err === undefined ? [] : (err.stack ?? err.message ?? "").split("\n");
  const lines = [[...head, ...shown].join("  "), ...trace.map((each) => `    ${each.trim()}`)];
  return `${lines.map(printable).join("\n")}\n`;
}

/** Members that readers recognise by their values are printed without their names. */
function memberText(name: string, value: unknown): string {
  if (name === "method" || name === "code") return String(value);
  if (name === "durationMs") return `${Math.round(Number(value))} ms`;
  return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Texts of servers and of contracts must not control the terminal. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, "\ufffd");
}
