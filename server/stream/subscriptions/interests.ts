import { type Filter, type RecordType, recordTypes, type SubscribedType } from "./filter.js";
import type { Subscription } from "./subscription.js";

const isRecordType = (type: SubscribedType) => (recordTypes as readonly SubscribedType[]).includes(type);

/** Subjects of a record. An empty list matches no filter that requires it. */
export type About = {
  /** Raw addresses in capitals. */
  readonly accounts?: readonly string[];
  readonly opcode?: number | undefined;
  readonly jettons?: readonly string[];
  /** Names of the trace. */
  readonly traces?: readonly string[];
  readonly workchain?: number;
};

/** Entries of the lists of a filter. */
export type Entries = {
  readonly addresses: Iterable<string>;
  readonly traces: Iterable<string>;
  readonly opcodes?: Iterable<number> | undefined;
  readonly jettons?: Iterable<string> | undefined;
};

/** Subscriptions indexed by their filters. */
export class Interests {
  readonly #all = new Set<Subscription>();
  readonly #byAccount = new SubscriptionIndex<string>();
  readonly #byTrace = new SubscriptionIndex<string>();
  readonly #byOpcode = new SubscriptionIndex<number>();
  readonly #byJetton = new SubscriptionIndex<string>();
  /** Subscriptions to all records of a type. */
  readonly #unnarrowed = new SubscriptionIndex<SubscribedType>();
  readonly #ofType = new Map<SubscribedType, number>();
  /** Subscriptions to records of a type for which all records must be read. */
  readonly #broad = new Map<SubscribedType, number>();
  #pending = 0;
  #texts = 0;
  /** Subscriptions that want what ABIs say, by the owners of artifacts. */
  readonly #abiOwners = new Map<string, number>();

  constructor(subscriptions: Iterable<Subscription> = []) {
    for (const subscription of subscriptions) this.add(subscription);
  }

  /** The filter must stay unchanged until the subscription is removed. */
  add(subscription: Subscription): void {
    this.#all.add(subscription);
    this.#count(subscription, 1);
    this.#index(subscription, "add");
  }

  remove(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    this.#count(subscription, -1);
    this.#index(subscription, "delete");
  }

  /** Replaces a subscription's filter by one whose narrowing lists gained or lost some entries. */
  edit(subscription: Subscription, filter: Filter, added: Entries, removed: Entries): void {
    subscription.filter = filter;
    this.#indexBy(subscription, added, "add");
    this.#indexBy(subscription, removed, "delete");
  }

  /** All open subscriptions. */
  get all(): ReadonlySet<Subscription> {
    return this.#all;
  }

  /** Number of different accounts in filters. */
  get accounts(): number {
    return this.#byAccount.size;
  }

  /** Whether any subscription wants pending events. */
  get wantsPending(): boolean {
    return this.#pending > 0;
  }

  /** Whether any subscription wants texts of actions. */
  get wantsTexts(): boolean {
    return this.#texts > 0;
  }

  /** Owners of artifacts among the subscriptions that want what ABIs say; an empty text for those without an owner. */
  get abiOwners(): Iterable<string> {
    return this.#abiOwners.keys();
  }

  /** All action types that some subscription receives. */
  actionTypes(): string[] {
    const choices = new Set(Array.from(this.#all, ({ filter }) => filter.actions));
    return [...new Set(Array.from(choices, ({ wanted }) => wanted).flat())];
  }

  /** Whether any subscription wants events of a type. */
  wants(type: SubscribedType): boolean {
    return (this.#ofType.get(type) ?? 0) > 0;
  }

  /** Whether any subscription wants the records of a type for all accounts. */
  wantsAll(type: RecordType): boolean {
    return (this.#broad.get(type) ?? 0) > 0;
  }

  /** Subscriptions to events of a type about an account. */
  *ofAccount(type: SubscribedType, account: string): Generator<Subscription> {
    for (const subscription of this.#byAccount.of(account))
      if (subscription.filter.types.has(type)) yield subscription;
  }

  /** Whether any subscription wants events of a type about an account. */
  hasAccount(type: SubscribedType, account: string): boolean {
    return !this.ofAccount(type, account).next().done;
  }

  /** Subscriptions to a trace. */
  *ofTrace(name: string, type: SubscribedType = "trace"): Generator<Subscription> {
    for (const subscription of this.#byTrace.of(name))
      if (subscription.filter.types.has(type)) yield subscription;
  }

  /** Whether any subscription wants events of a type about a trace. */
  hasTrace(name: string, type: SubscribedType = "trace"): boolean {
    return !this.ofTrace(name, type).next().done;
  }

  /** Subscriptions to records of a type that match a record. */
  ofRecord(type: RecordType, about: About): Subscription[] {
    if (!this.wants(type)) return [];
    const { accounts = [], jettons = [], traces = [], opcode } = about;
    const candidates = [this.#unnarrowed.of(type)];
    for (const account of accounts) candidates.push(this.#byAccount.of(account));
    for (const jetton of jettons) candidates.push(this.#byJetton.of(jetton));
    for (const trace of traces) candidates.push(this.#byTrace.of(trace));
    if (opcode !== undefined) candidates.push(this.#byOpcode.of(opcode));
    const found = new Set<Subscription>();
    for (const each of candidates)
      for (const subscription of each) {
        const { filter } = subscription;
        if (filter.types.has(type) && matches(filter, about)) found.add(subscription);
      }
    return [...found];
  }

  #count({ filter }: Subscription, change: 1 | -1): void {
    const { types, requires, minFinality } = filter;
    const isBroad = !requires?.has("accounts") && !requires?.has("traces");
    for (const type of types) {
      this.#ofType.set(type, (this.#ofType.get(type) ?? 0) + change);
      if (isBroad) this.#broad.set(type, (this.#broad.get(type) ?? 0) + change);
    }
    if (minFinality !== "finalized") this.#pending += change;
    if (filter.withTexts) this.#texts += change;
    if (filter.withAbi) {
      const { owner = "" } = filter;
      const count = (this.#abiOwners.get(owner) ?? 0) + change;
      if (count > 0) this.#abiOwners.set(owner, count);
      else this.#abiOwners.delete(owner);
    }
  }

  /** Each record subscription is indexed by one of its lists; the other lists are compared later. */
  #index(subscription: Subscription, change: "add" | "delete"): void {
    const { types, requires } = subscription.filter;
    this.#indexBy(subscription, subscription.filter, change);
    if (requires !== undefined && requires.size > 0) return;
    for (const type of types) if (isRecordType(type)) this.#unnarrowed[change](type, subscription);
  }

  #indexBy(subscription: Subscription, entries: Entries, change: "add" | "delete"): void {
    const { requires } = subscription.filter;
    const { addresses, traces, opcodes = [], jettons = [] } = entries;
    for (const address of addresses) this.#byAccount[change](address, subscription);
    for (const trace of traces) this.#byTrace[change](trace, subscription);
    if (requires?.has("accounts") || requires?.has("traces")) return;
    if (requires?.has("opcodes")) for (const opcode of opcodes) this.#byOpcode[change](opcode, subscription);
    else if (requires?.has("jettons"))
      for (const jetton of jettons) this.#byJetton[change](jetton, subscription);
  }
}

/** Whether a record passes every list of a filter. */
function matches(
  { requires, addresses, opcodes, jettons, traces, workchain }: Subscription["filter"],
  about: About,
): boolean {
  if (workchain !== undefined && about.workchain !== undefined && workchain !== about.workchain) return false;
  if (!requires) return true;
  if (requires.has("accounts") && !about.accounts?.some((account) => addresses.has(account))) return false;
  if (requires.has("traces") && !about.traces?.some((trace) => traces.has(trace))) return false;
  if (requires.has("opcodes") && (about.opcode === undefined || !opcodes?.has(about.opcode))) return false;
  return !requires.has("jettons") || about.jettons?.some((jetton) => jettons?.has(jetton)) === true;
}

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
