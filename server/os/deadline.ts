/**
 * A signal that fires after a time, or with another signal and its reason. Its timer holds it; `AbortSignal.any` of
 * `AbortSignal.timeout` is collected as garbage by Node 20 and never fires. The owner must clear it.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #other: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #follow = () => this.#controller.abort(this.#other!.reason);

  /** Without a time it fires with the other signal, or when it is told to. */
  constructor(timeoutMs: number | undefined, other?: AbortSignal) {
    this.#other = other;
    const expire = () => this.fire(new DOMException("the time is over", "TimeoutError"));
    // A deadline alone does not keep the process alive.
    if (timeoutMs !== undefined) this.#timer = setTimeout(expire, timeoutMs).unref();
    if (other?.aborted) this.#follow();
    else other?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  fire(reason: unknown): void {
    this.#controller.abort(reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#other?.removeEventListener("abort", this.#follow);
  }
}
