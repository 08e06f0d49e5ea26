import type { Call, CallOptions } from "../../shared/methods/define.js";
import type { Subscriber } from "../../shared/methods/subscriber.js";
import { ServiceError } from "../errors.js";
import { RunMeter } from "./call-points.js";
import { Cancellation } from "./cancellation.js";
import { CallTrail } from "./read-trail.js";

export type IndexVersion = Parameters<NonNullable<Call["readAt"]>>[0];

type RunCaller = {
  readonly callerId?: string | undefined;
  readonly owner?: string | undefined;
  readonly unlimited?: boolean;
  readonly subscriber?: Subscriber | undefined;
  readonly isLocal?: Call["isLocal"];
  readonly settle?: ((points: number) => void) | undefined;
};

/**
 * One run of a handler, shared by equal calls. It is aborted at its deadline, or when the last caller that waits for it
 * disconnects.
 */
export class SharedRun implements Call {
  readonly asked = new Set<number>();
  readonly options: CallOptions;
  readonly caller: string | undefined;
  readonly owner: string | undefined;
  readonly unlimited: boolean;
  provisional = false;
  nextCursor?: string | null;
  /** The oldest version of the index that was read. */
  indexVersion: IndexVersion | undefined;
  readonly leastIndex: number | undefined;
  readonly #cancellation = new Cancellation();
  readonly #outlivesCallers: boolean;
  readonly #caller: RunCaller;
  #trail: CallTrail | undefined;
  #spent: ((cpuMs: number) => void) | undefined;
  #joined = 0;
  #waiting = 0;

  constructor(options: CallOptions, outlivesCallers: boolean, caller: RunCaller = {}, leastIndex?: number) {
    this.options = options;
    this.leastIndex = leastIndex;
    this.caller = caller.callerId;
    this.owner = caller.owner;
    this.unlimited = caller.unlimited ?? false;
    this.#caller = caller;
    this.#outlivesCallers = outlivesCallers;
  }

  get subscriber(): Subscriber | undefined {
    return this.#caller.subscriber;
  }

  get isLocal(): Call["isLocal"] {
    return this.#caller.isLocal;
  }

  get trail(): CallTrail {
    this.#trail ??= new CallTrail();
    return this.#trail;
  }

  /** Runs of contracts may continue after the end of this run. Created on first use; most calls run no contract. */
  get spent(): (cpuMs: number) => void {
    if (!this.#spent) {
      const meter = new RunMeter((points) => this.#caller.settle?.(points));
      this.#spent = (cpuMs) => meter.add(cpuMs);
    }
    return this.#spent;
  }

  charge(points: number): void {
    this.#caller.settle?.(points);
  }

  readAt(version: IndexVersion): void {
    if (this.indexVersion === undefined || version.n < this.indexVersion.n) this.indexVersion = version;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get aborted(): boolean {
    return this.#cancellation.isCancelled;
  }

  /** Rejects with `timeout` and aborts the run unless the answer arrives within `timeoutMs`. */
  finish<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
    // `Promise.race` and an async function take several times as long.
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const error = new ServiceError("timeout");
        reject(error);
        this.#cancellation.cancel(error);
      }, timeoutMs);
      answer.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }

  /**
   * Waits for the answer. A caller that has gone no longer keeps the run alive. If several have joined, they get what
   * `share` makes of it.
   */
  join<T>(answer: Promise<T>, gone: Cancellation, share: (answer: T) => T): Promise<T> {
    if (this.#outlivesCallers) return answer;
    this.#joined++;
    this.#waiting++;
    const stay = gone.onCancelled((reason) => {
      this.#waiting--;
      if (this.#waiting === 0) this.#cancellation.cancel(reason);
    });
    return answer.then(
      (value) => {
        stay();
        return this.#joined > 1 ? share(value) : value;
      },
      (error) => {
        stay();
        throw error;
      },
    );
  }
}
