import { Call, canonicalJson, isEffect } from "./call.js";
import type { CallOptions } from "./call-options.js";
import { abortedBy, type RpcError, timedOut } from "./errors.js";
import type { Clock } from "./transports/transport.js";

/** One call and the callers waiting for its answer. */
type Flight = {
  readonly call: Call;
  readonly key: string | number;
  readonly waiters: Waiter[];
};

type Waiter = {
  readonly flight: Flight;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer: unknown;
};

export type FlightOptions = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether equal reads share one call. */
  readonly dedupe: boolean;
  /** Executes a call, with retries. */
  readonly run: (call: Call) => Promise<unknown>;
};

/**
 * The calls of a client in flight and the callers waiting for each. Equal reads share one call; each caller keeps its
 * own deadline and signal. When the last caller leaves, the call is abandoned.
 */
export class Flights {
  readonly #options: FlightOptions;
  /**
   * Shared calls are keyed by method and parameters, others by a number. A plain object, not a Map: V8 collects
   * entries deleted from a long-lived Map much later.
   */
  readonly #flights: Record<string | number, Flight> = Object.create(null);
  #unshared = 0;
  /** Callers per signal. Each signal gets one listener, because hundreds of calls may share a signal. */
  readonly #signals = new Map<AbortSignal, number>();
  #closed: (() => RpcError) | undefined;

  constructor(options: FlightOptions) {
    this.#options = options;
  }

  call(method: string, params: object = {}, options: CallOptions = {}): Promise<unknown> {
    const { signal, timeoutMs = this.#options.timeoutMs } = options;
    const { clock } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed();
      if (signal?.aborted) throw abortedBy(signal, method);
      const flight = this.#join(new Call(method, canonicalJson(params), isEffect(method)));
      const waiter: Waiter = { flight, signal, resolve, reject, timer: undefined };
      if (timeoutMs > 0)
        waiter.timer = clock.setTimeout(() => this.#leave(waiter, timedOut(method, timeoutMs)), timeoutMs);
      flight.call.deadline = Math.max(flight.call.deadline, clock.now() + (timeoutMs || Infinity));
      flight.waiters.push(waiter);
      if (signal) this.#count(signal, 1);
    });
  }

  /** Rejects all waiting callers, and all later ones. */
  close(why: () => RpcError): void {
    this.#closed ??= why;
    this.#leaveAll(this.#closed);
  }

  /** Joins an equal call in flight, or starts a new one. */
  #join(call: Call): Flight {
    const { dedupe, run } = this.#options;
    const key = dedupe && !call.effect ? `${call.method} ${call.params}` : this.#unshared++;
    const known = this.#flights[key];
    if (known) return known;
    const flight: Flight = { call, key, waiters: [] };
    this.#flights[key] = flight;
    run(call).then(
      (result) => this.#end(flight, ({ resolve }) => resolve(result)),
      (error) => this.#end(flight, ({ reject }) => reject(error)),
    );
    return flight;
  }

  /** Removes the call from the table and settles its callers. */
  #end(flight: Flight, settle: (waiter: Waiter) => void): void {
    if (this.#flights[flight.key] === flight) delete this.#flights[flight.key];
    for (const waiter of flight.waiters.splice(0)) {
      this.#forget(waiter);
      settle(waiter);
    }
  }

  /** Rejects one caller; abandons the call if it was the last one. */
  #leave(waiter: Waiter, error: RpcError): void {
    const { flight, reject } = waiter;
    const { waiters, call } = flight;
    waiters.splice(waiters.indexOf(waiter), 1);
    this.#forget(waiter);
    reject(error);
    if (waiters.length > 0) return;
    this.#end(flight, reject);
    call.abandon();
  }

  /** Rejects all callers, or those of one signal. */
  #leaveAll(why: (method: string) => RpcError, signal?: AbortSignal): void {
    for (const { waiters } of Object.values(this.#flights))
      for (const waiter of [...waiters])
        if (!signal || waiter.signal === signal) this.#leave(waiter, why(waiter.flight.call.method));
  }

  #forget({ timer, signal }: Waiter): void {
    this.#options.clock.clearTimeout(timer);
    if (signal) this.#count(signal, -1);
  }

  #count(signal: AbortSignal, change: number): void {
    const count = (this.#signals.get(signal) ?? 0) + change;
    this.#signals.set(signal, count);
    // Adding the same listener again has no effect.
    if (count > 0) signal.addEventListener("abort", this.#abort);
    else {
      signal.removeEventListener("abort", this.#abort);
      this.#signals.delete(signal);
    }
  }

  readonly #abort = ({ target }: Event): void => {
    const signal = target as AbortSignal;
    this.#leaveAll((method) => abortedBy(signal, method), signal);
  };
}
