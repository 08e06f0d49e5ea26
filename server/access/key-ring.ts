import { statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { ConfigError, type Network } from "../config/settings.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import { hashKey, type KeyFile, type KeyRecord, planOf, readKeyFile, readOrNewKeyFile } from "./key-file.js";
import type { Plan } from "./plan.js";

/** A valid key until `expiresAt`, ms. */
export type UsableKey = {
  id: string;
  /** Id of the first of the keys that replaced one another up to this one. */
  owner: string;
  network: Network;
  plan: Plan;
  expiresAt: number;
};

export type KeyRingOptions = {
  path: string;
  /** The devnet's key: in memory only, for this process. */
  builtIn?: { text: string; network: Network };
  log: Log;
  metrics: Pick<Metrics, "keysReloaded">;
  now: () => number;
};

/** Id of the devnet's own key. */
export const builtInKey = "devnet";

const pollMs = 500;
const maxKeyLength = 256;
const maxCachedKeys = 10_000;

/** The keys of one service: looks up keys by their text, and reloads the key store when its file changes. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #listeners = new Set<(keyId: string) => void>();
  /** Cache of valid keys by text, because hashing costs more than the rest of the lookup. */
  readonly #byText = new LRUCache<string, UsableKey>({ max: maxCachedKeys });
  #byHash = new Map<string, UsableKey>();
  #byOwner = new Map<string, UsableKey>();
  #fileState: string | undefined;
  #failure: string | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#fileState = fileState(options.path);
    this.#load(readAtStart(options.path));
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
  }

  /** Finds the key with this text. Throws `unknown-key` for unknown, revoked and expired keys. */
  find(text: string): UsableKey {
    const key = this.#byText.get(text) ?? this.#lookUp(text);
    if (key === undefined || key.expiresAt <= this.#options.now()) throw new ServiceError("unknown-key");
    return key;
  }

  /** The newest valid key of an owner. */
  ofOwner(owner: string): UsableKey | undefined {
    const key = this.#byOwner.get(owner);
    return key && key.expiresAt > this.#options.now() ? key : undefined;
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

  /** Reads the key store now, also if it seems unchanged. */
  reload(): void {
    const state = fileState(this.#options.path);
    // There may have been no key yet.
    if (state !== undefined || this.#fileState !== undefined) this.#reload(state);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #lookUp(text: string): UsableKey | undefined {
    if (text.length > maxKeyLength) return undefined;
    const key = this.#byHash.get(hashKey(text));
    if (key) this.#byText.set(text, key);
    return key;
  }

  #poll(): void {
    const state = fileState(this.#options.path);
    if (state !== this.#fileState) this.#reload(state);
    this.#dropExpired();
  }

  #reload(state: string | undefined): void {
    const { path, log, metrics } = this.#options;
    this.#fileState = state;
    try {
      this.#load(readKeyFile(path));
      this.#failure = undefined;
      metrics.keysReloaded("ok");
      log.info(`the keys were read again: ${this.#byHash.size} are valid`);
    } catch (cause) {
      this.#failure = (cause as Error).message;
      metrics.keysReloaded("failed");
      log.error(`the keys stay as they were: ${this.#failure}`);
    }
  }

  #load(file: KeyFile): void {
    const { builtIn, now } = this.#options;
    const before = this.#byHash;
    this.#byHash = new Map();
    const owners = ownersOf(file);
    for (const record of file.keys) {
      const key = usableKey(record, file, owners.get(record.id)!);
      if (key.expiresAt > now()) this.#byHash.set(record.hash, key);
    }
    if (builtIn)
      this.#byHash.set(hashKey(builtIn.text), {
        id: builtInKey,
        owner: builtInKey,
        network: builtIn.network,
        plan: { name: "unlimited", limit: undefined },
        expiresAt: Number.POSITIVE_INFINITY,
      });
    // Keys are in the order of their creation.
    this.#byOwner = new Map(Array.from(this.#byHash.values(), (key) => [key.owner, key]));
    this.#byText.clear();
    for (const [hash, { id }] of before) if (!this.#byHash.has(hash)) this.#notify(id);
  }

  #dropExpired(): void {
    const now = this.#options.now();
    for (const [hash, { id, expiresAt }] of this.#byHash)
      if (expiresAt <= now) {
        this.#byHash.delete(hash);
        this.#notify(id);
      }
  }

  #notify(keyId: string): void {
    for (const listener of this.#listeners) listener(keyId);
  }
}

/** At the start an unreadable store is an error: there is no last valid one to keep. */
function readAtStart(path: string): KeyFile {
  try {
    return readOrNewKeyFile(path);
  } catch (cause) {
    throw new ConfigError([(cause as Error).message]);
  }
}

/** Owners by the ids of their keys. */
function ownersOf({ keys }: KeyFile): Map<string, string> {
  const before = new Map(
    keys.flatMap(({ id, replaced_by: next }) => (next === undefined ? [] : [[next, id]])),
  );
  const owners = new Map<string, string>();
  // A key comes after the one that it replaces.
  for (const { id } of keys) owners.set(id, owners.get(before.get(id) ?? "") ?? id);
  return owners;
}

function usableKey(record: KeyRecord, file: KeyFile, owner: string): UsableKey {
  const ends = [record.expires_at, record.revoked_at].map((time) =>
    time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time),
  );
  const { id, network } = record;
  return { id, owner, network, plan: planOf(record, file), expiresAt: Math.min(...ends) };
}

/** A fingerprint of the file's metadata; `undefined` if the file cannot be accessed. */
function fileState(path: string): string | undefined {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    // Reading the file reports why it cannot be accessed.
    return undefined;
  }
}
