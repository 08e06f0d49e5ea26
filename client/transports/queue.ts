import type { Call } from "../call.js";
import type { RpcError } from "../errors.js";
import { errorIn, type Json } from "./answer.js";
import { RateLimiter } from "./rate-limiter.js";
import { isV3, restRequest } from "./rest.js";
import type { Attempt, BatchOptions, Clock, Endpoint, Queue, RateLimit, Refusal } from "./transport.js";

export type QueueOptions = {
  readonly batch: BatchOptions;
  readonly rateLimit: RateLimit | undefined;
  readonly clock: Clock;
  readonly nextId: () => number;
};

/** Statuses with which services that know no batches answer one. */
const noBatches: readonly number[] = [400, 404, 405, 422, 500];

/** Collects calls for a moment and sends them in batches, as the limits allow. One per endpoint and client. */
export class BatchQueue implements Queue {
  readonly limiter: RateLimiter;
  readonly #options: QueueOptions;
  readonly #endpoint: Endpoint;
  #maxCalls: number;
  #waiting: Attempt[] = [];
  #timer: unknown;
  /** Whether the endpoint takes batches, once that is known. */
  #batches: boolean | undefined;

  constructor(options: QueueOptions, endpoint: Endpoint) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#maxCalls = options.batch.maxCalls;
    this.limiter = new RateLimiter(options.clock, options.rateLimit);
  }

  add(call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, id: this.#options.nextId(), resolve, reject });
      if (this.#waiting.length % this.#maxCalls === 0) this.#flush();
      else this.#wait(this.#options.batch.waitMs);
    });
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
      const granted = this.limiter.take(this.#portion(ready));
      if (granted === 0) {
        this.#wait(this.limiter.waitMs());
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
    // How to call a v3 method depends on the kind of endpoint, and the answer to a batch tells.
    const [first] = attempts as readonly [Attempt];
    const probe = this.#batches === undefined && isV3(first.call.method);
    if (probe && first.call.effect) this.#endpoint.post([this.#orByRest(first)], false);
    else
      this.#endpoint.post(attempts, probe || attempts.length > 1).then((answered) => {
        if (answered === true) this.#batches = true;
        else if (answered) this.#whole(attempts, answered);
      });
  }

  #sendAlone(attempt: Attempt): void {
    this.#endpoint.post([attempt], false, restRequest(attempt.call));
  }

  /** What must not happen twice is no probe: it goes by REST once JSON-RPC refused it, unless that was a defect. */
  #orByRest(attempt: Attempt): Attempt {
    const reject = (error: unknown) => {
      const { status } = error as RpcError;
      if (status !== 500 && noBatches.includes(status!)) this.#sendAlone(attempt);
      else attempt.reject(error);
    };
    return { ...attempt, reject };
  }

  /** A batch was refused: perhaps it was too large, perhaps the endpoint does not know what a batch is. */
  #whole(attempts: readonly Attempt[], { answer, status: httpStatus, settle }: Refusal): void {
    const error = errorIn(answer, { status: httpStatus });
    const status = error?.status ?? httpStatus;
    if ((answer as Json).jsonrpc !== "2.0" && noBatches.includes(status)) {
      this.#batches = false;
      this.#send(attempts);
    } else if (status === 413 && attempts.length > 1) this.halve(attempts);
    // A lone result in answer to a batch would be anybody's.
    else for (const attempt of attempts) settle(attempt, error ? answer : "");
  }

  /** How many of the first go into one request. What has an effect travels alone, so that its fate is its own. */
  #portion(ready: readonly Attempt[]): number {
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

/** What the text of a call has besides method and parameters. */
const requestOverhead = 60;
