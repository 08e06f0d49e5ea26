import { setMaxListeners } from "node:events";

/**
 * A cheaper AbortController: most calls end before any code needs an AbortSignal, which takes longer to make than a
 * short call to answer.
 */
export class Cancellation {
  #cause: { readonly reason: unknown } | undefined;
  #listeners: Set<(reason: unknown) => void> | undefined;
  #controller: AbortController | undefined;

  get isCancelled(): boolean {
    return this.#cause !== undefined;
  }

  /** For everything that takes an AbortSignal. */
  get signal(): AbortSignal {
    this.#controller ??= this.#openController();
    return this.#controller.signal;
  }

  /** Calls all listeners, once. */
  cancel(reason: unknown): void {
    if (this.#cause) return;
    this.#cause = { reason };
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
    this.#listeners = undefined;
  }

  /** Calls a listener on cancellation, immediately if it has happened. Returns a function that removes the listener. */
  onCancelled(listener: (reason: unknown) => void): () => void {
    if (this.#cause) listener(this.#cause.reason);
    else {
      this.#listeners ??= new Set();
      this.#listeners.add(listener);
    }
    return () => void this.#listeners?.delete(listener);
  }

  #openController(): AbortController {
    const controller = new AbortController();
    // Any number of listeners may belong to one call.
    setMaxListeners(0, controller.signal);
    if (this.#cause) controller.abort(this.#cause.reason);
    return controller;
  }
}
