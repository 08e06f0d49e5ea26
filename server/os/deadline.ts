/**
 * A signal that fires after a time, or with another signal and its reason. Its timer holds it; `AbortSignal.any` of
 * `AbortSignal.timeout` is collected as garbage by Node 20 and never fires. The owner must clear it.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #other: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #follow = () => this.#controller.abort(this.#other!.reason);

  constructor(timeoutMs: number, other?: AbortSignal) {
    this.#other = other;
    const expire = () => this.#controller.abort(new DOMException("the time is over", "TimeoutError"));
    this.#timer = setTimeout(expire, timeoutMs);
    // A deadline alone does not keep the process alive.
    this.#timer.unref();
    if (other?.aborted) this.#follow();
    else other?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#other?.removeEventListener("abort", this.#follow);
  }
}
