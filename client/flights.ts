import { Call, canonicalJson, isEffect } from "./call.js";
import type { CallOptions } from "./caller.js";
import { abortedBy, type RpcError, timedOut } from "./errors.js";
import type { Clock } from "./transports/transport.js";

type Flight = {
  readonly call: Call;
  readonly key: string;
  readonly answer: Promise<unknown>;
  waiting: number;
};

/** Tells a caller that there will be no answer. */
type Leave = (error: RpcError) => void;

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
  /** Shared ones, by method and parameters. */
  readonly #shared = new Map<string, Flight>();
  readonly #waiting = new Set<Leave>();
  /** One listener per signal: a page may make hundreds of calls under one. */
  readonly #bySignal = new Map<AbortSignal, { leaves: Set<Leave>; abort: () => void }>();
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
      const deadline = timeoutMs > 0 ? clock.now() + timeoutMs : Infinity;
      const flight = this.#board(method, canonicalJson(params), deadline);
      const end = () => {
        clock.clearTimeout(timer);
        this.#unlisten(signal, leave);
        if (--flight.waiting === 0 && this.#shared.get(flight.key) === flight)
          this.#shared.delete(flight.key);
        return this.#waiting.delete(leave);
      };
      const leave: Leave = (error) => {
        end();
        reject(error);
        if (flight.waiting === 0) flight.call.abandon();
      };
      const late = () => leave(timedOut(method, timeoutMs));
      const timer = timeoutMs > 0 ? clock.setTimeout(late, timeoutMs) : undefined;
      this.#waiting.add(leave);
      this.#listen(signal, leave);
      flight.answer.then(
        (result) => this.#waiting.has(leave) && end() && resolve(result),
        (error) => this.#waiting.has(leave) && end() && reject(error),
      );
    });
  }

  /** Everybody who waits gets that error, and so does who comes later. */
  close(why: () => RpcError): void {
    this.#closed ??= why;
    for (const leave of this.#waiting) leave(this.#closed());
  }

  /** The flight of an equal call, or a new one. */
  #board(method: string, params: string, deadline: number): Flight {
    const key = `${method} ${params}`;
    let flight = this.#shared.get(key);
    if (!flight) {
      const call = new Call(method, params, isEffect(method));
      call.deadline = deadline;
      flight = { call, key, answer: this.#options.run(call), waiting: 0 };
      if (this.#options.dedupe && !call.effect) this.#shared.set(key, flight);
    }
    flight.call.deadline = Math.max(flight.call.deadline, deadline);
    flight.waiting++;
    return flight;
  }

  #listen(signal: AbortSignal | undefined, leave: Leave): void {
    if (!signal) return;
    const group = this.#bySignal.get(signal);
    if (group) {
      group.leaves.add(leave);
      return;
    }
    const leaves = new Set([leave]);
    const abort = () => {
      for (const each of leaves) each(abortedBy(signal));
    };
    this.#bySignal.set(signal, { leaves, abort });
    signal.addEventListener("abort", abort);
  }

  #unlisten(signal: AbortSignal | undefined, leave: Leave): void {
    const group = signal && this.#bySignal.get(signal);
    if (!group?.leaves.delete(leave) || group.leaves.size > 0) return;
    signal!.removeEventListener("abort", group.abort);
    this.#bySignal.delete(signal!);
  }
}
