import { FirstSignal } from "./first-signal.js";

/**
 * A signal that fires after a time, or with another signal and its reason. Its timer holds it; `AbortSignal.any` of
 * `AbortSignal.timeout` is collected as garbage by Node 20 and never fires. The owner must clear it.
 */
export class Deadline extends FirstSignal {
  readonly #timer: NodeJS.Timeout | undefined;

  /** Without `timeoutMs` it fires with the other signal, or by a call. */
  constructor(timeoutMs: number | undefined, other?: AbortSignal) {
    super(...(other ? [other] : []));
    if (timeoutMs === undefined) return;
    const expire = () => this.fire(new DOMException("the time is over", "TimeoutError"));
    // A deadline alone does not keep the process alive.
    this.#timer = setTimeout(expire, timeoutMs).unref();
  }

  override clear(): void {
    clearTimeout(this.#timer);
    super.clear();
  }
}
