import { LRUCache } from "lru-cache";
import type { Network } from "../../config/settings.js";
import { ServiceError } from "../../errors.js";
import type { Log } from "../../observe/log.js";
import type { Metrics } from "../../observe/metrics.js";
import { type Plan, planNamed } from "../limits/plan.js";
import { hashKey } from "./key-file.js";
import { RuleCheck } from "./key-rules.js";
import type { KeyListener, KeySource, KeysNews, KnownKey } from "./key-store.js";
import { ValidKeys } from "./valid-keys.js";

/** A valid key until `endsAt`. */
type UsableKey = Pick<KnownKey, "id" | "owner" | "network" | "endsAt"> & {
  readonly plan: Plan;
  readonly rules: RuleCheck | undefined;
};

type KeyRingOptions = {
  source: KeySource;
  /** The devnet's key: in memory only, for this process. */
  builtIn?: { text: string; network: Network };
  log: Log;
  metrics: Pick<Metrics, "keysReloaded">;
  now: () => number;
};

/** Id of the devnet's own key, and name of its plan. */
export const builtInKey = "devnet";
const builtInPlan = "unlimited";

const sweepMs = 500;
const maxKeyLength = 256;
const maxCachedKeys = 10_000;

/** The keys of one service: looks up keys by their text, and follows the changes of the key store. */
export class KeyRing implements KeyListener {
  readonly #options: KeyRingOptions;
  readonly #builtIn: KnownKey | undefined;
  readonly #listeners = new Set<(keyId: string) => void>();
  /** Cache of valid keys by text, because hashing costs more than the rest of the lookup. */
  readonly #byText = new LRUCache<string, UsableKey>({ max: maxCachedKeys });
  readonly #valid: ValidKeys;
  #plans: KeysNews["plans"] = {};
  #hasRead = false;
  #hasStarted = false;
  #failure: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeyRingOptions) {
    const { builtIn, now } = options;
    this.#options = options;
    this.#builtIn = builtIn && {
      ...{ id: builtInKey, owner: builtInKey, plan: builtInPlan },
      hash: hashKey(builtIn.text),
      network: builtIn.network,
      endsAt: Number.POSITIVE_INFINITY,
    };
    this.#valid = new ValidKeys(now);
    if (this.#builtIn) this.#valid.put(this.#builtIn);
  }

  /** Resolves once the keys are read, or cannot be read yet. */
  async start(): Promise<void> {
    await this.#options.source.start(this);
    this.#hasStarted = true;
    this.#timer = setInterval(() => this.#dropExpired(), sweepMs).unref();
  }

  /**
   * Finds the key with this text. Throws `unknown-key` for unknown, revoked and expired keys, and `unavailable` if no keys
   * could be read yet.
   */
  find(text: string): UsableKey {
    const key = this.#byText.get(text) ?? this.#lookUp(text);
    if (key === undefined && !this.#hasRead)
      throw new ServiceError("unavailable", "API keys cannot be checked: their database is not available");
    if (key === undefined || key.endsAt <= this.#options.now()) throw new ServiceError("unknown-key");
    return key;
  }

  /** The newest valid key of an owner. */
  ofOwner(owner: string): UsableKey | undefined {
    const key = this.#valid.newestOf(owner);
    return key && this.#usable(key);
  }

  /** Notifies of every key that becomes invalid: revoked, expired, or removed from the store. */
  onRevoked(listener: (keyId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Why the key store could not be read when it last changed: the keys before that change are in use. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the key store has ever been read. */
  get isKnown(): boolean {
    return this.#hasRead;
  }

  /** Reads the keys again; `failure` says whether it worked. */
  reload(): void {
    this.#options.source.reload();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.source.close();
  }

  read(news?: KeysNews): void {
    const hadFailed = this.#failure !== undefined;
    this.#failure = undefined;
    if (news) this.#take(news);
    if (!this.#hasStarted || !(news || hadFailed)) return;
    this.#options.metrics.keysReloaded("ok");
    this.#options.log.info(`the keys were read again: ${this.#valid.size} are valid`);
  }

  failed(reason: string): void {
    const { log, metrics } = this.#options;
    metrics.keysReloaded("failed");
    if (reason !== this.#failure)
      log.error(this.#hasRead ? `the keys stay as they were: ${reason}` : `no key is known: ${reason}`);
    this.#failure = reason;
  }

  #lookUp(text: string): UsableKey | undefined {
    if (text.length > maxKeyLength) return undefined;
    const known = this.#valid.get(hashKey(text));
    const key = known && this.#usable(known);
    if (key) this.#byText.set(text, key);
    return key;
  }

  #usable({ id, owner, network, plan, rules, endsAt }: KnownKey): UsableKey {
    const check = rules && new RuleCheck(rules);
    return { id, owner, network, plan: planNamed(plan, this.#plans), rules: check, endsAt };
  }

  #take({ keys, plans, isWhole }: KeysNews): void {
    this.#hasRead = true;
    this.#plans = plans;
    this.#byText.clear();
    const ended = isWhole
      ? this.#valid.replace(this.#builtIn ? [...keys, this.#builtIn] : keys)
      : keys.filter((key) => this.#valid.put(key) === "ended");
    for (const { id } of ended) this.#notify(id);
  }

  #dropExpired(): void {
    for (const { id } of this.#valid.dropEnded()) this.#notify(id);
  }

  #notify(keyId: string): void {
    for (const listener of this.#listeners) listener(keyId);
  }
}
