/** Parallel deliveries of a process, over all keys. */
import { valueAt } from "../../../shared/values/lookups.js";

const maxInAll = 100;

/** A delivery waiting for a place. */
export type Waiting = { readonly keyId: string; placed(leave: () => void): void };

/** Limits parallel deliveries per key, so that one key's slow receivers do not hold up others. */
export class DeliveryPlaces {
  readonly #limitOf: (keyId: string) => number;
  readonly #byKey = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(limitOf: (keyId: string) => number) {
    this.#limitOf = limitOf;
  }

  /** Calls `placed` with the function that frees the place, immediately if one is free. */
  take(waiting: Waiting): void {
    if (!this.#hasPlace(waiting.keyId)) this.#waiting.add(waiting);
    else this.#give(waiting);
  }

  /** Cancels waiting. */
  forget(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  #hasPlace(keyId: string): boolean {
    return this.#taken < maxInAll && (this.#byKey.get(keyId) ?? 0) < this.#limitOf(keyId);
  }

  #give(waiting: Waiting): void {
    const { keyId } = waiting;
    this.#waiting.delete(waiting);
    this.#taken++;
    this.#byKey.set(keyId, (this.#byKey.get(keyId) ?? 0) + 1);
    let isLeft = false;
    waiting.placed(() => {
      if (isLeft) return;
      isLeft = true;
      this.#leave(keyId);
    });
  }

  #leave(keyId: string): void {
    this.#taken--;
    const left = valueAt(this.#byKey, keyId) - 1;
    if (left === 0) this.#byKey.delete(keyId);
    else this.#byKey.set(keyId, left);
    for (const each of this.#waiting) if (this.#hasPlace(each.keyId)) this.#give(each);
  }
}
