import { Call, canonicalJson, isEffect } from "./call.js";
import type { CallOptions } from "./caller.js";
import { abortedBy, type RpcError, timedOut } from "./errors.js";
import type { Clock } from "./transports/transport.js";

/** A call and those who wait for its answer. */
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
  /** Brings a call to its end. */
  readonly run: (call: Call) => Promise<unknown>;
};

/** The calls of a client that are under way, and who waits for which. */
export class Flights {
  readonly #options: FlightOptions;
  /**
   * By method and parameters, those that nobody else may board by a number. No Map: what has been in one that lives
   * long is collected much later than it could be.
   */
  readonly #flights: Record<string | number, Flight> = Object.create(null);
  #unshared = 0;
  /** How many wait under each. It has one listener: a page may make hundreds of calls under one. */
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
      if (signal?.aborted) throw abortedBy(signal);
      const flight = this.#board(new Call(method, canonicalJson(params), isEffect(method)));
      const waiter: Waiter = { flight, signal, resolve, reject, timer: undefined };
      if (timeoutMs > 0)
        waiter.timer = clock.setTimeout(() => this.#leave(waiter, timedOut(method, timeoutMs)), timeoutMs);
      flight.call.deadline = Math.max(flight.call.deadline, clock.now() + (timeoutMs || Infinity));
      flight.waiters.push(waiter);
      if (signal) this.#count(signal, 1);
    });
  }

  /** Everybody who waits gets that error, and so does who comes later. */
  close(why: () => RpcError): void {
    this.#closed ??= why;
    this.#leaveAll(this.#closed);
  }

  /** The flight of an equal call, or a new one. */
  #board(call: Call): Flight {
    const { dedupe, run } = this.#options;
    const key = dedupe && !call.effect ? `${call.method} ${call.params}` : this.#unshared++;
    const known = this.#flights[key];
    if (known) return known;
    const flight: Flight = { call, key, waiters: [] };
    this.#flights[key] = flight;
    run(call).then(
      (result) => this.#land(flight, ({ resolve }) => resolve(result)),
      (error) => this.#land(flight, ({ reject }) => reject(error)),
    );
    return flight;
  }

  /** Nobody comes on board any more, and those who are there have waited long enough. */
  #land(flight: Flight, tell: (waiter: Waiter) => void): void {
    if (this.#flights[flight.key] === flight) delete this.#flights[flight.key];
    for (const waiter of flight.waiters.splice(0)) {
      this.#forget(waiter);
      tell(waiter);
    }
  }

  /** There will be no answer for one of them. */
  #leave(waiter: Waiter, error: RpcError): void {
    const { flight, reject } = waiter;
    const { waiters, call } = flight;
    waiters.splice(waiters.indexOf(waiter), 1);
    this.#forget(waiter);
    reject(error);
    if (waiters.length > 0) return;
    this.#land(flight, reject);
    call.abandon();
  }

  /** Nor for all, or all under one signal. */
  #leaveAll(why: () => RpcError, signal?: AbortSignal): void {
    for (const { waiters } of Object.values(this.#flights))
      for (const waiter of [...waiters]) if (!signal || waiter.signal === signal) this.#leave(waiter, why());
  }

  #forget({ timer, signal }: Waiter): void {
    this.#options.clock.clearTimeout(timer);
    if (signal) this.#count(signal, -1);
  }

  #count(signal: AbortSignal, change: number): void {
    const count = (this.#signals.get(signal) ?? 0) + change;
    this.#signals.set(signal, count);
    // However often it is added, it is there once.
    if (count > 0) signal.addEventListener("abort", this.#abort);
    else {
      signal.removeEventListener("abort", this.#abort);
      this.#signals.delete(signal);
    }
  }

  readonly #abort = ({ target }: Event): void => {
    const signal = target as AbortSignal;
    this.#leaveAll(() => abortedBy(signal), signal);
  };
}
