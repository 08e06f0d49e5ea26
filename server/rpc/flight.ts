import { setMaxListeners } from "node:events";
import type { Call, CallOptions } from "../../shared/methods/define.js";
import type { Subscriber } from "../../shared/methods/subscriber.js";
import { ServiceError } from "../errors.js";

type FlightCaller = {
  readonly callerId?: string | undefined;
  readonly unlimited?: boolean;
  readonly subscriber?: Subscriber | undefined;
};

/**
 * One run of a handler, shared by equal calls. It is aborted at its deadline, or when the last caller that waits for it
 * disconnects.
 */
export class Flight implements Call {
  readonly asked = new Set<number>();
  readonly options: CallOptions;
  readonly caller: string | undefined;
  readonly unlimited: boolean;
  provisional = false;
  // Created on first use: most synchronous handlers never read the signal.
  #controller: AbortController | undefined;
  readonly #outlivesCallers: boolean;
  readonly #caller: FlightCaller;
  #waiting = 0;

  constructor(options: CallOptions, outlivesCallers: boolean, caller: FlightCaller = {}) {
    this.options = options;
    this.caller = caller.callerId;
    this.unlimited = caller.unlimited ?? false;
    this.#caller = caller;
    this.#outlivesCallers = outlivesCallers;
  }

  get subscriber(): Subscriber | undefined {
    return this.#caller.subscriber;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      // One handler may have many requests in flight, each with a listener.
      setMaxListeners(0, this.#controller.signal);
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** Rejects with `timeout` and aborts the run unless the answer arrives within `timeoutMs`. */
  async finish<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new ServiceError("timeout");
        reject(error);
        this.#abort(error);
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for the shared answer. A caller whose `gone` has fired no longer keeps the run alive. */
  async join<T>(answer: Promise<T>, gone: AbortSignal): Promise<T> {
    if (this.#outlivesCallers) return answer;
    const leave = () => {
      this.#waiting--;
      if (this.#waiting === 0) this.#abort(gone.reason);
    };
    this.#waiting++;
    if (gone.aborted) leave();
    else gone.addEventListener("abort", leave, { once: true });
    try {
      return await answer;
    } finally {
      gone.removeEventListener("abort", leave);
    }
  }

  #abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }
}
