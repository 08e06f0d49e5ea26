import type { Subscription } from "./subscription.js";

const nobody: readonly Subscription[] = [];

/** Subscriptions by key. Most keys have one subscription, stored without a set. */
export class SubscriptionIndex<Key> {
  readonly #byKey = new Map<Key, Subscription | Set<Subscription>>();

  get size(): number {
    return this.#byKey.size;
  }

  of(key: Key): Iterable<Subscription> {
    const known = this.#byKey.get(key);
    if (known === undefined) return nobody;
    return known instanceof Set ? known : [known];
  }

  add(key: Key, subscription: Subscription): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, subscription);
    else if (known instanceof Set) known.add(subscription);
    else if (known !== subscription) this.#byKey.set(key, new Set([known, subscription]));
  }

  delete(key: Key, subscription: Subscription): void {
    const known = this.#byKey.get(key);
    if (known === subscription) this.#byKey.delete(key);
    if (!(known instanceof Set) || !known.delete(subscription) || known.size > 0) return;
    this.#byKey.delete(key);
  }
}
