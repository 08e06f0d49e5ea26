/** Ends a subscription. */
export type Unsubscribe = () => void;

/** A set of listeners, called synchronously in order of subscription. They must not throw. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  add(listener: (news: T) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(news: T): void {
    for (const listener of [...this.#listeners]) listener(news);
  }
}
