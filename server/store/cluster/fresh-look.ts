import { handledLater, settled } from "../../../shared/values/promises.js";

/** A look at something that changes. Each caller gets one that began after its call, which callers share. */
export class FreshLook<T> {
  readonly #look: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(look: () => Promise<T>) {
    this.#look = look;
  }

  ask(): Promise<T> {
    if (!this.#running) return this.#begin();
    this.#next ??= settled(this.#running).then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return handledLater(this.#next);
  }

  #begin(): Promise<T> {
    const running = this.#look();
    this.#running = running;
    void settled(running).then(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return running;
  }
}
