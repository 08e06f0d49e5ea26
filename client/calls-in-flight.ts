import { Call, canonicalJson, isEffect } from "./call.js";
import type { CallOptions } from "./call-options.js";
import { abortedBy, awaited, type RpcError, timedOut } from "./errors.js";
import type { Clock } from "./transports/transport.js";

/** One call and the callers waiting for its answer. */
type Flight = {
  readonly call: Call;
  readonly key: string | number;
  readonly waiters: Waiter[];
};

type Waiter = {
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: Deadline;
};

/** A timer that callers with the same deadline share: hundreds of calls of a batch need one. */
type Deadline = {
  readonly at: number;
  readonly timer: unknown;
  /** How many of them still wait. */
  calls: number;
};

type CallsInFlightOptions = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether equal reads share one call. */
  readonly dedupe: boolean;
  /** Executes a call, with retries. */
  readonly run: (call: Call, resolve: (result: unknown) => void, reject: (error: unknown) => void) => void;
};

/**
 * The calls of a client in flight and the callers waiting for each. Equal reads share one call; each caller keeps its
 * own deadline and signal. When the last caller leaves, the call is abandoned.
 */
export class CallsInFlight {
  readonly #options: CallsInFlightOptions;
  /**
   * Shared calls are keyed by method and parameters, others by a number. A plain object, not a Map: V8 collects
   * entries deleted from a long-lived Map much later.
   */
  readonly #flights: Record<string | number, Flight> = Object.create(null);
  #unshared = 0;
  /** The newest one. */
  #deadline = {} as Deadline;
  /** Callers per signal. Each signal gets one listener, because hundreds of calls may share a signal. */
  readonly #signals = new Map<AbortSignal, number>();
  #closed: (() => RpcError) | undefined;

  constructor(options: CallsInFlightOptions) {
    this.#options = options;
  }

  call(method: string, params: object = {}, options: CallOptions = {}): Promise<unknown> {
    const { clock } = this.#options;
    const { signal, timeoutMs = this.#options.timeoutMs } = options;
    const result = new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed();
      if (signal?.aborted) throw abortedBy(signal, method);
      const flight = this.#join(new Call(method, canonicalJson(params), isEffect(method)));
      const at = clock.now() + (timeoutMs || Infinity);
      flight.call.deadline = Math.max(flight.call.deadline, at);
      let deadline = this.#deadline;
      if (!deadline.calls || deadline.at !== at) {
        const late = () => this.#leaveAll((each) => timedOut(each, timeoutMs), deadline);
        const timer = timeoutMs > 0 ? clock.setTimeout(late, timeoutMs) : undefined;
        this.#deadline = deadline = { at, timer, calls: 0 };
      }
      deadline.calls++;
      flight.waiters.push({ signal, resolve, reject, deadline });
      if (signal) this.#count(signal, 1);
    });
    return awaited(result, method, params);
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
    run(
      call,
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

  /** Rejects all callers, or those of one signal or deadline. Calls without callers left are abandoned. */
  #leaveAll(why: (method: string) => RpcError, of?: AbortSignal | Deadline): void {
    for (const { key, waiters, call } of Object.values(this.#flights)) {
      for (const waiter of waiters.splice(0))
        if (!of || waiter.signal === of || waiter.deadline === of) {
          this.#forget(waiter);
          waiter.reject(why(call.method));
        } else waiters.push(waiter);
      if (!waiters.length) {
        delete this.#flights[key];
        call.abandon();
      }
    }
  }

  #forget({ deadline, signal }: Waiter): void {
    if (!--deadline.calls) this.#options.clock.clearTimeout(deadline.timer);
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

  readonly #abort = (event: Event): void => {
    const signal = event.target as AbortSignal;
    this.#leaveAll((method) => abortedBy(signal, method), signal);
  };
}
