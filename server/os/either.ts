/**
 * A signal that fires with the first of others and its reason. The owner must release it: in Node 20 long-lived signals
 * never forget what `AbortSignal.any` makes of them.
 */
export class Either {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #follow = (event: Event) => this.#controller.abort((event.target as AbortSignal).reason);

  constructor(...signals: AbortSignal[]) {
    this.#signals = signals;
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) this.#controller.abort(aborted.reason);
    else for (const signal of signals) signal.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  release(): void {
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#follow);
  }
}
