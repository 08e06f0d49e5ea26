import { settled } from "../../shared/values/promises.js";
import { ServiceError } from "../errors.js";

/** Parts to close at the end, in reverse order of their start, because later parts depend on earlier ones. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closed = false;

  /** Opens a sequence of parts. If a part cannot be opened, closes those before it and rejects with its error. */
  static async opening<T>(open: (parts: Closers) => Promise<T>): Promise<T> {
    const parts = new Closers();
    try {
      return await open(parts);
    } catch (error) {
      await settled(parts.close());
      throw error;
    }
  }

  /** Registers a part and returns it. After `close`, closes the part immediately and throws `unavailable`. */
  add<T>(part: T, close: (part: T) => void | Promise<void>): T {
    if (this.#closed) {
      // The service is stopping; the error below reports it.
      void (async () => close(part))().catch(() => {});
      throw new ServiceError("unavailable", "Service is stopping");
    }
    this.#closers.push(() => close(part));
    return part;
  }

  /** Closes every part even if some fail, then throws the first failure. */
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
