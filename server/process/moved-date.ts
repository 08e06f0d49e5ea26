/** Sets the global `Date` ahead of the machine's clock, or behind it. What has a `Date` of its own keeps it. */
export class MovedDate {
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

  /** `Date` goes on from this time, in milliseconds. */
  set(nowMs: number): void {
    this.#offsetMs = nowMs - this.#real.now();
    globalThis.Date = this.#moved;
  }

  /** Does nothing where something else has replaced `Date` meanwhile. */
  restore(): void {
    if (globalThis.Date === this.#moved) globalThis.Date = this.#real;
  }
}
