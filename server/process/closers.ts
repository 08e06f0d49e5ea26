import { ServiceError } from "../errors.js";

/** What has been brought up so far; taken down in the reverse order, as later parts stand on earlier ones. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closed = false;

  /** Throws when everything has been taken down already; the part, which came too late, is closed then. */
  add<T>(part: T, close: (part: T) => void | Promise<void>): T {
    if (this.#closed) {
      void (async () => close(part))().catch(() => {});
      throw new ServiceError("unavailable", "Service is stopping");
    }
    this.#closers.push(() => close(part));
    return part;
  }

  /** Closes every part, also when one of them fails; the first failure is thrown at the end. */
  async close(): Promise<void> {
    this.#closed = true;
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
