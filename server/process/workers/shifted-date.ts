/** Sets the global `Date` ahead of the machine's clock, or behind it. Realms with another `Date` are not affected. */
export class ShiftedDate {
  readonly #real = globalThis.Date;
  readonly #moved: DateConstructor;
  #offsetMs = 0;

  constructor() {
    const now = () => this.#real.now() + this.#offsetMs;
    this.#moved = new Proxy(this.#real, {
      construct: (real, given, target) => Reflect.construct(real, given.length > 0 ? given : [now()], target),
      apply: (real) => new real(now()).toString(),
      get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
    });
  }

  /** Sets the current time of `Date`, in milliseconds; it advances from there. */
  set(nowMs: number): void {
    this.#offsetMs = nowMs - this.#real.now();
    globalThis.Date = this.#moved;
  }

  /** Does nothing if other code has replaced `Date` meanwhile. */
  restore(): void {
    if (globalThis.Date === this.#moved) globalThis.Date = this.#real;
  }
}
