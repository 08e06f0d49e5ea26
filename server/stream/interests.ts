import type { EventType } from "./filter.js";
import type { Subscription } from "./subscription.js";

const nobody: ReadonlySet<Subscription> = new Set();

/** Subscriptions by what they are interested in. */
export class Interests {
  readonly #all = new Set<Subscription>();
  readonly #byAccount = new Map<string, Set<Subscription>>();
  readonly #byTrace = new Map<string, Set<Subscription>>();
  readonly #ofType = new Map<EventType, number>();
  #speculative = 0;

  constructor(subscriptions: Iterable<Subscription> = []) {
    for (const subscription of subscriptions) this.add(subscription);
  }

  /** The filter must not change until the subscription is removed. */
  add(subscription: Subscription): void {
    const { types, addresses, traces, minFinality } = subscription.filter;
    this.#all.add(subscription);
    for (const address of addresses) addTo(this.#byAccount, address, subscription);
    for (const trace of traces) addTo(this.#byTrace, trace, subscription);
    for (const type of types) this.#ofType.set(type, (this.#ofType.get(type) ?? 0) + 1);
    if (minFinality !== "finalized") this.#speculative++;
  }

  remove(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    const { types, addresses, traces, minFinality } = subscription.filter;
    for (const address of addresses) deleteFrom(this.#byAccount, address, subscription);
    for (const trace of traces) deleteFrom(this.#byTrace, trace, subscription);
    for (const type of types) this.#ofType.set(type, this.#ofType.get(type)! - 1);
    if (minFinality !== "finalized") this.#speculative--;
  }

  get all(): ReadonlySet<Subscription> {
    return this.#all;
  }

  get accounts(): number {
    return this.#byAccount.size;
  }

  /** Whether somebody wants events that are not final. */
  get isSpeculative(): boolean {
    return this.#speculative > 0;
  }

  /** All types of actions that somebody is shown. */
  actionTypes(): string[] {
    const choices = new Set(Array.from(this.#all, ({ filter }) => filter.actions));
    return [...new Set(Array.from(choices, ({ wanted }) => wanted).flat())];
  }

  wants(type: EventType): boolean {
    return (this.#ofType.get(type) ?? 0) > 0;
  }

  /** Subscriptions to events of a type about an account. */
  *ofAccount(type: EventType, account: string): Generator<Subscription> {
    for (const subscription of this.#byAccount.get(account) ?? nobody)
      if (subscription.filter.types.has(type)) yield subscription;
  }

  hasAccount(type: EventType, account: string): boolean {
    return !this.ofAccount(type, account).next().done;
  }

  /** Subscriptions to a trace. */
  *ofTrace(name: string): Generator<Subscription> {
    for (const subscription of this.#byTrace.get(name) ?? nobody)
      if (subscription.filter.types.has("trace")) yield subscription;
  }

  hasTrace(name: string): boolean {
    return !this.ofTrace(name).next().done;
  }
}

function addTo(index: Map<string, Set<Subscription>>, key: string, subscription: Subscription): void {
  const known = index.get(key);
  if (known) known.add(subscription);
  else index.set(key, new Set([subscription]));
}

function deleteFrom(index: Map<string, Set<Subscription>>, key: string, subscription: Subscription): void {
  const known = index.get(key);
  known?.delete(subscription);
  if (known?.size === 0) index.delete(key);
}
