/**
 * A signal that fires with the first of several others and its reason. The owner must clear it: in Node 20 long-lived
 * signals never release the results of `AbortSignal.any`.
 */
export class FirstSignal {
  readonly #controller = new AbortController();
  readonly #others: readonly AbortSignal[];
  readonly #follow = (event: Event) => this.fire((event.target as AbortSignal).reason);

  constructor(...others: AbortSignal[]) {
    this.#others = others;
    const aborted = others.find((signal) => signal.aborted);
    if (aborted) this.fire(aborted.reason);
    else for (const signal of others) signal.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Fires the signal itself. */
  fire(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Stops following the others; `signal` can still be fired. */
  clear(): void {
    for (const signal of this.#others) signal.removeEventListener("abort", this.#follow);
  }
}
