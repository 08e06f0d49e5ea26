import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ConnectionError } from "../adnl/connection-error.js";

/** State and statistics of a server, for health checks and metrics. */
export type ServerStatus = {
  /** Public key in base64. */
  key: string;
  host: string;
  port: number;
  state: "alive" | "checking" | "silent" | "unreachable" | "banned" | "foreign";
  /** Seqno of its newest masterchain block. */
  head: number | undefined;
  /** Blocks behind the newest one of all servers. */
  lag: number | undefined;
  /** Seqno of its oldest masterchain block. */
  oldest: number | undefined;
  /** Unix time in milliseconds; undefined if not banned. */
  bannedUntil: number | undefined;
  latencyMs: number;
  inFlight: number;
  answers: number;
  /** Requests hedged to another server because this one was slow. */
  hedges: number;
  /** Counts by code of the LiteError, or by kind of ConnectionError. */
  errors: Readonly<Record<string, number>>;
  lastError: string | undefined;
};

/** Initial latency estimate. */
const firstLatencyMs = 200;
/** Servers may send any code: further distinct ones are counted as "other". */
const maxErrorNames = 32;
/** Weight of the newest sample in the moving average. */
const newestShare = 0.2;

/** Samples kept for the quantile, and the minimum to compute it. */
const answersKept = 64;
const minAnswers = 16;
/** A request that takes longer than 95 % of the others is hedged. */
const slowQuantile = 0.95;

/** Statistics of one server: moving average and 95th percentile of latency, counters. */
export class ServerStats {
  #latencyMs = firstLatencyMs;
  #inFlight = 0;
  #answers = 0;
  #hedges = 0;
  /** Ring buffer of the newest latencies. */
  readonly #times: number[] = [];
  #served = 0;
  #slowMs: number | undefined;
  readonly #errors = new Map<string, number>();
  #lastError: string | undefined;

  get latencyMs(): number {
    return this.#latencyMs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** 95th percentile of the newest latencies; undefined before 16 answers. */
  get slowMs(): number | undefined {
    if (this.#times.length < minAnswers) return undefined;
    this.#slowMs ??= itemAt(
      this.#times.toSorted((a, b) => a - b),
      Math.floor(this.#times.length * slowQuantile),
    );
    return this.#slowMs;
  }

  get snapshot(): Pick<
    ServerStatus,
    "latencyMs" | "inFlight" | "answers" | "hedges" | "errors" | "lastError"
  > {
    return {
      latencyMs: Math.round(this.latencyMs * 100) / 100,
      inFlight: this.#inFlight,
      answers: this.#answers,
      hedges: this.#hedges,
      errors: Object.fromEntries(this.#errors),
      lastError: this.#lastError,
    };
  }

  started(): void {
    this.#inFlight++;
  }

  ended(): void {
    this.#inFlight--;
  }

  answered(ms: number): void {
    this.#answers++;
    // Plain average of the first few samples: a new connection starts slowly.
    const share = Math.max(newestShare, 1 / this.#answers);
    this.#latencyMs += share * (ms - this.#latencyMs);
  }

  /** Records the latency of a caller's request; probes are not counted here. */
  served(ms: number): void {
    this.#times[this.#served++ % answersKept] = ms;
    if (this.#served % minAnswers === 0) this.#slowMs = undefined;
  }

  hedged(): void {
    this.#hedges++;
  }

  /** Records an error, except when our side closed the connection. */
  failed(error: Error): void {
    if (error instanceof ConnectionError && error.trouble === "closed") return;
    const known = this.#errors.size < maxErrorNames || this.#errors.has(nameOf(error));
    const name = known ? nameOf(error) : "other";
    this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
    this.#lastError = error.message;
  }
}

function nameOf(error: Error): string {
  if (error instanceof LiteError) return String(error.code);
  return error instanceof ConnectionError ? error.trouble : error.name;
}
