import { statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { ConfigError, type Network } from "../config/settings.js";
import { ServiceError } from "../errors.js";
import type { Log } from "../observe/log.js";
import type { Metrics } from "../observe/metrics.js";
import { hashKey, type KeyFile, type KeyRecord, planOf, readKeyFile, readOrNewKeyFile } from "./key-file.js";
import type { Plan } from "./plan.js";

/** A key that may be used, as long as it has not expired. */
export type UsableKey = { id: string; network: Network; plan: Plan; expiresAt: number };

export type KeyRingOptions = {
  path: string;
  /** The devnet's key: lives in memory, for this process only. */
  builtIn?: { text: string; network: Network };
  log: Log;
  metrics: Pick<Metrics, "keysReloaded">;
  now: () => number;
};

const pollMs = 500;
const longestKey = 256;
const remembered = 10_000;

/** The keys of one service: follows the key store on disk and finds the record of a key text. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #listeners = new Set<(keyId: string) => void>();
  /** Hashing costs more than the rest of the check, so texts of good keys are remembered. */
  readonly #byText = new LRUCache<string, UsableKey>({ max: remembered });
  #byHash = new Map<string, UsableKey>();
  #seen: string | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#seen = fileState(options.path);
    this.#take(firstReading(options.path));
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
  }

  /** Throws `unknown-key` for what is no key, or none any more. */
  find(text: string): UsableKey {
    const key = this.#byText.get(text) ?? this.#lookUp(text);
    if (key === undefined || key.expiresAt <= this.#options.now()) throw new ServiceError("unknown-key");
    return key;
  }

  /** Tells of every key that stops working: revoked, expired, or gone from the store. */
  onRevoked(listener: (keyId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #lookUp(text: string): UsableKey | undefined {
    if (text.length > longestKey) return undefined;
    const key = this.#byHash.get(hashKey(text));
    if (key) this.#byText.set(text, key);
    return key;
  }

  #poll(): void {
    this.#reload();
    this.#dropExpired();
  }

  #reload(): void {
    const { path, log, metrics } = this.#options;
    const state = fileState(path);
    if (state === this.#seen) return;
    this.#seen = state;
    try {
      this.#take(readKeyFile(path));
      metrics.keysReloaded("ok");
      log.info({ keys: this.#byHash.size }, "key store read again");
    } catch (cause) {
      metrics.keysReloaded("failed");
      log.error(
        { reason: (cause as Error).message },
        "key store is unusable, the last good one stays in force",
      );
    }
  }

  #take(file: KeyFile): void {
    const { builtIn, now } = this.#options;
    const before = this.#byHash;
    this.#byHash = new Map();
    for (const record of file.keys) {
      const key = usable(record, file);
      if (key.expiresAt > now()) this.#byHash.set(record.hash, key);
    }
    if (builtIn)
      this.#byHash.set(hashKey(builtIn.text), {
        id: "devnet",
        network: builtIn.network,
        plan: { name: "unlimited", limit: undefined },
        expiresAt: Number.POSITIVE_INFINITY,
      });
    this.#byText.clear();
    for (const [hash, { id }] of before) if (!this.#byHash.has(hash)) this.#tell(id);
  }

  #dropExpired(): void {
    const now = this.#options.now();
    for (const [hash, { id, expiresAt }] of this.#byHash)
      if (expiresAt <= now) {
        this.#byHash.delete(hash);
        this.#tell(id);
      }
  }

  #tell(keyId: string): void {
    for (const listener of this.#listeners) listener(keyId);
  }
}

/** At the start there is no last good state to keep. */
function firstReading(path: string): KeyFile {
  try {
    return readOrNewKeyFile(path);
  } catch (cause) {
    throw new ConfigError([(cause as Error).message]);
  }
}

function usable(record: KeyRecord, file: KeyFile): UsableKey {
  const ends = [record.expires_at, record.revoked_at].map((time) =>
    time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time),
  );
  return { id: record.id, network: record.network, plan: planOf(record, file), expiresAt: Math.min(...ends) };
}

/** Changes whenever the file does; `undefined` while it cannot be looked at. */
function fileState(path: string): string | undefined {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
