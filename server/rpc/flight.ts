import { setMaxListeners } from "node:events";
import type { Call, CallOptions } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";

/**
 * One run of a handler, with everybody who waits for its answer. It is aborted when its deadline passes or when
 * the last one waiting has gone.
 */
export class Flight implements Call {
  readonly asked = new Set<number>();
  readonly options: CallOptions;
  passing = false;
  // Made when somebody wants to listen: most handlers that answer at once do not.
  #controller: AbortController | undefined;
  readonly #outlivesCallers: boolean;
  #waiting = 0;

  constructor(options: CallOptions, outlivesCallers: boolean) {
    this.options = options;
    this.#outlivesCallers = outlivesCallers;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      // One answer may take many questions at once.
      setMaxListeners(0, this.#controller.signal);
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** The answer, or `timeout` when it is not there in time. */
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

  /** Waits with the others; stops counting as one who waits when `gone` fires. */
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
