import { ConnectionError } from "../adnl/connection-error.js";
import { LiteError } from "../lite-api.js";

/** How a server does, for people and for metrics. */
export type ServerStatus = {
  /** Public key in base64. */
  key: string;
  host: string;
  port: number;
  state: "alive" | "checking" | "silent" | "unreachable" | "banned" | "foreign";
  /** Seqno of its newest masterchain block, and how many blocks the best one is ahead of it. */
  head: number | undefined;
  lag: number | undefined;
  /** The first masterchain block it has. */
  oldest: number | undefined;
  /** Unix time in milliseconds. */
  bannedUntil: number | undefined;
  latencyMs: number;
  inFlight: number;
  answers: number;
  /** Questions that another server was asked as well, as this one took longer than it mostly does. */
  hedges: number;
  /** By code of the liteserver's error, or by the name of the trouble with its connection. */
  errors: Readonly<Record<string, number>>;
  lastError: string | undefined;
};

/** Assumed of a server that has not answered yet. */
const firstLatencyMs = 200;
/** Servers may answer any code; beyond so many different ones they are counted together. */
const maxErrorNames = 32;
/** How much of the average the newest measurement is. */
const newestShare = 0.2;

/** From how many of the newest answers, and how many at least, what is slow is reckoned. */
const answersKept = 64;
const minAnswers = 16;
/** One answer of twenty takes longer. */
const slowQuantile = 0.95;

/** What is counted of one server. */
export class ServerStats {
  #latencyMs = firstLatencyMs;
  #inFlight = 0;
  #answers = 0;
  #hedges = 0;
  /** The newest times to an answer, in a ring. */
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

  /** Hardly an answer takes longer; not known before there were some. */
  get slowMs(): number | undefined {
    if (this.#times.length < minAnswers) return undefined;
    this.#slowMs ??= this.#times.toSorted((a, b) => a - b)[Math.floor(this.#times.length * slowQuantile)]!;
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
    // The first few count equally, as a new connection starts slowly.
    const share = Math.max(newestShare, 1 / this.#answers);
    this.#latencyMs += share * (ms - this.#latencyMs);
  }

  /** An answer to somebody's question, which may have been of any kind. */
  served(ms: number): void {
    this.#times[this.#served++ % answersKept] = ms;
    if (this.#served % minAnswers === 0) this.#slowMs = undefined;
  }

  hedged(): void {
    this.#hedges++;
  }

  /** What this side ended says nothing about the server. */
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
