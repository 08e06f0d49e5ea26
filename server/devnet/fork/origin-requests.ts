import { setMaxListeners } from "node:events";
import { takeFirst } from "../../../shared/values/lookups.js";
import { handledLater, withResolvers } from "../../../shared/values/promises.js";
import type { Timers } from "../../../shared/values/timers.js";
import { Deadline } from "../../os/deadline.js";
import { pause } from "../../os/pause.js";
import { untilAborted } from "../../os/until-aborted.js";
import { OriginError, type OriginStatus } from "./origin.js";
import type { Attempt } from "./origin-source.js";

type RequestsOptions = {
  /** Requests in flight; others wait for their turn. */
  maxParallel: number;
  /** Time of a request with all its attempts, without the wait for its turn. */
  timeoutMs: number;
  timers: Timers;
  /** Whether the origin has answered before. Until it does, requests are tried once. */
  hasAnswered: boolean;
  onChange(): void;
};

const maxWaiting = 10_000;
const firstPauseMs = 250;
const maxPauseMs = 5000;

/**
 * Requests to an origin. Equal ones share an answer, few run at once, and those that fail because the origin is
 * unavailable are repeated with growing pauses until their time is over. While the origin is down, or may be, new requests
 * are tried once.
 */
export class OriginRequests {
  readonly #options: RequestsOptions;
  readonly #shared = new Map<string, Promise<unknown>>();
  readonly #turns: (() => void)[] = [];
  readonly #closing = new AbortController();
  #running = 0;
  #requests = 0;
  #failures = 0;
  #durationMs = 0;
  #problem: string | undefined;
  #hasAnswered: boolean;
  /** No request is sent before this time, as the origin wished. */
  #restUntil = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#hasAnswered = options.hasAnswered;
    // Each attempt and each pause listens.
    setMaxListeners(0, this.#closing.signal);
  }

  get status(): Omit<OriginStatus, "cached" | "isFull"> {
    return {
      requests: this.#requests,
      failures: this.#failures,
      durationMs: this.#durationMs,
      waiting: this.#running + this.#turns.length,
      problem: this.#problem,
    };
  }

  /** A caller who leaves does not end the request: the answer is cached for others. */
  run<T>(key: string, ask: (attempt: Attempt) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const known = this.#shared.get(key) as Promise<T> | undefined;
    const request = known ?? this.#begin(key, ask);
    return untilAborted(request, signal);
  }

  close(): void {
    this.#closing.abort(closed());
    for (const begin of this.#turns.splice(0)) begin();
  }

  #begin<T>(key: string, ask: (attempt: Attempt) => Promise<T>): Promise<T> {
    if (this.#turns.length >= maxWaiting)
      return Promise.reject(
        new OriginError("unavailable", `${maxWaiting} requests wait for the fork's origin`),
      );
    const request = handledLater(this.#inTurn(ask));
    this.#shared.set(key, request);
    const end = () => {
      this.#shared.delete(key);
      this.#options.onChange();
    };
    request.then(end, end);
    return request;
  }

  async #inTurn<T>(ask: (attempt: Attempt) => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.maxParallel) {
      const { promise, resolve } = withResolvers<void>();
      this.#turns.push(resolve);
      await promise;
    } else this.#running++;
    try {
      return await this.#untilAnswered(ask);
    } finally {
      if (this.#turns.length > 0) takeFirst(this.#turns)();
      else this.#running--;
    }
  }

  async #untilAnswered<T>(ask: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { timers, timeoutMs } = this.#options;
    const deadline = timers.now() + timeoutMs;
    const wasDown = this.#problem !== undefined || !this.#hasAnswered;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, 2 * pauseMs)) {
      await this.#rest(deadline);
      try {
        return await this.#attempt(ask, deadline);
      } catch (error) {
        if (!(error instanceof OriginError) || error.kind !== "unavailable") throw error;
        const { retryAfterMs } = error;
        if (retryAfterMs !== undefined) this.#restUntil = timers.now() + retryAfterMs;
        const isOver = timers.now() + pauseMs >= deadline || this.#restUntil >= deadline;
        if (isOver || (wasDown && retryAfterMs === undefined)) throw error;
        await pause(pauseMs, this.#closing.signal, timers);
      }
    }
  }

  async #rest(deadline: number): Promise<void> {
    const { timers } = this.#options;
    const restMs = this.#restUntil - timers.now();
    if (restMs > 0 && this.#restUntil < deadline) await pause(restMs, this.#closing.signal, timers);
    this.#closing.signal.throwIfAborted();
  }

  async #attempt<T>(ask: (attempt: Attempt) => Promise<T>, deadline: number): Promise<T> {
    const { timers } = this.#options;
    const started = timers.now();
    const limit = new Deadline(deadline - started, this.#closing.signal);
    this.#requests++;
    try {
      const answer = await ask({ signal: limit.signal, deadline });
      this.#problem = undefined;
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      if (this.#closing.signal.aborted) throw closed();
      this.#failures++;
      // A refusal of one request, or missing data, says nothing about others.
      const isDown = !(error instanceof OriginError) || ["unavailable", "untrusted"].includes(error.kind);
      if (isDown) this.#problem = (error as Error).message;
      throw error;
    } finally {
      limit.clear();
      this.#durationMs += timers.now() - started;
    }
  }
}

function closed(): OriginError {
  return new OriginError("unavailable", "the fork's origin is closed");
}
