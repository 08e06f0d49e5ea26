import type { Call } from "../call.js";
import type { RpcError } from "../errors.js";
import { errorIn, type Json, settle } from "./answer.js";
import { RateLimiter } from "./rate-limiter.js";
import { isV3, restRequest } from "./rest.js";
import type {
  Attempt,
  BatchOptions,
  Clock,
  Endpoint,
  Queue,
  RateLimit,
  Refusal,
  Reply,
} from "./transport.js";

type QueueOptions = {
  readonly batch: BatchOptions;
  readonly rateLimit: RateLimit | undefined;
  readonly clock: Clock;
  readonly nextId: () => number;
};

/** Statuses with which services without batch support answer a batch. */
const noBatchStatuses: readonly number[] = [400, 404, 405, 422, 500];

/**
 * Collects calls and sends them in batches within the rate limit. One per endpoint and client. Detects endpoints
 * without batches and sends them single calls.
 */
export class BatchQueue implements Queue {
  readonly #limiter: RateLimiter;
  readonly #options: QueueOptions;
  readonly #endpoint: Endpoint;
  #maxCalls: number;
  #waiting: Attempt[] = [];
  #timer: unknown;
  /** Whether the endpoint accepts batches; `undefined` until known. */
  #batches: boolean | undefined;

  constructor(options: QueueOptions, endpoint: Endpoint) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#maxCalls = options.batch.maxCalls;
    this.#limiter = new RateLimiter(options.clock, options.rateLimit);
  }

  add(call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, id: this.#options.nextId(), resolve, reject });
      if (this.#waiting.length % this.#maxCalls === 0) this.#flush();
      else this.#wait(this.#options.batch.waitMs);
    });
  }

  settle(attempt: Attempt, answer: Json, reply: Reply, headers?: Headers): void {
    const error = settle(attempt, answer, reply);
    if (error?.code === "rate-limited")
      this.#limiter.refused(headers?.get("ratelimit-policy"), error.retryAfterMs);
  }

  halve(attempts: readonly Attempt[]): void {
    const half = attempts.length >> 1;
    this.#maxCalls = Math.min(this.#maxCalls, half);
    this.#send(attempts.slice(0, half));
    this.#send(attempts.slice(half));
  }

  close(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #wait(ms: number): void {
    this.#timer ??= this.#options.clock.setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const ready = this.#waiting.filter(({ call }) => !call.abandoned);
    while (ready.length > 0) {
      const granted = this.#limiter.take(this.#nextBatch(ready));
      if (granted === 0) {
        this.#wait(this.#limiter.waitMs());
        break;
      }
      this.#send(ready.splice(0, granted));
    }
    this.#waiting = ready;
  }

  #send(attempts: readonly Attempt[]): void {
    if (this.#batches === false) {
      for (const attempt of attempts) this.#sendAlone(attempt);
      return;
    }
    // v3 methods are called by JSON-RPC or REST depending on the endpoint. A batch of one detects which.
    const [first] = attempts as readonly [Attempt];
    const probe = this.#batches === undefined && isV3(first.call.method);
    if (probe && first.call.effect) this.#endpoint.post([this.#orByRest(first)], false);
    else
      this.#endpoint.post(attempts, probe || attempts.length > 1).then((answered) => {
        if (answered === true) this.#batches = true;
        else if (answered) this.#refused(attempts, answered);
      });
  }

  #sendAlone(attempt: Attempt): void {
    this.#endpoint.post([attempt], false, restRequest(attempt.call));
  }

  /** A call with side effects is no probe: it is sent by REST only after JSON-RPC refused it without executing it. */
  #orByRest(attempt: Attempt): Attempt {
    const reject = (error: unknown) => {
      const { status } = error as RpcError;
      if (status !== 500 && noBatchStatuses.includes(status!)) this.#sendAlone(attempt);
      else attempt.reject(error);
    };
    return { ...attempt, reject };
  }

  /** A batch was refused as a whole: it was too large, or the endpoint does not support batches. */
  #refused(attempts: readonly Attempt[], { answer, status: httpStatus, settle }: Refusal): void {
    const error = errorIn(answer, { status: httpStatus });
    const status = error?.status ?? httpStatus;
    if ((answer as Json).jsonrpc !== "2.0" && noBatchStatuses.includes(status)) {
      this.#batches = false;
      this.#send(attempts);
    } else if (status === 413 && attempts.length > 1) this.halve(attempts);
    // A single result in answer to a batch belongs to no known call.
    else for (const attempt of attempts) settle(attempt, error ? answer : "");
  }

  /** How many calls the next request takes. A call with side effects is sent alone, so that its outcome is clear. */
  #nextBatch(ready: readonly Attempt[]): number {
    const { maxBytes } = this.#options.batch;
    let bytes = 0;
    let count = 0;
    for (const { call } of ready) {
      bytes += requestOverhead + call.method.length + call.params.length;
      if (count > 0 && (call.effect || bytes > maxBytes)) break;
      count++;
      if (call.effect || count === this.#maxCalls) break;
    }
    return count;
  }
}

/** Bytes of a request in addition to method and parameters. */
const requestOverhead = 60;
