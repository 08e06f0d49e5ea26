import { valueAt } from "../../../shared/values/lookups.js";
import { ConfigError } from "../../config/settings.js";
import { fileState } from "../../os/file-state.js";
import { changeKeyFile, type KeyFile, ownersOf, readKeyFile, readOrNewKeyFile } from "./key-file.js";
import { rulesOf } from "./key-rules.js";
import type { KeyListener, KeySource, KeyStore, KeysNews } from "./key-store.js";

const pollMs = 500;

/** The key store in a file, for commands. */
export function fileKeyStore(path: string): KeyStore {
  return {
    place: path,
    read: async ({ needed } = { needed: false }) => (needed ? readKeyFile(path) : readOrNewKeyFile(path)),
    change: (change) => changeKeyFile(path, change),
    close: async () => {},
  };
}

/** The keys of a file for a service, which is read again when it changes. */
export class KeyFileSource implements KeySource {
  readonly #path: string;
  #state: string | undefined;
  #listener: KeyListener | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** At the start an unreadable file is an error: there is no last valid one to keep. */
  async start(listener: KeyListener): Promise<void> {
    this.#state = fileState(this.#path);
    try {
      listener.read(newsOf(readOrNewKeyFile(this.#path)));
    } catch (cause) {
      throw new ConfigError([(cause as Error).message]);
    }
    this.#listener = listener;
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
  }

  reload(): void {
    const state = fileState(this.#path);
    // There may have been no key yet.
    if (state !== undefined || this.#state !== undefined) this.#reload(state);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #poll(): void {
    const state = fileState(this.#path);
    if (state !== this.#state) this.#reload(state);
  }

  #reload(state: string | undefined): void {
    this.#state = state;
    try {
      this.#listener?.read(newsOf(readKeyFile(this.#path)));
    } catch (cause) {
      this.#listener?.failed((cause as Error).message);
    }
  }
}

function newsOf(file: KeyFile): KeysNews {
  const owners = ownersOf(file);
  const keys = file.keys.map(({ id, hash, network, plan, expires_at, revoked_at, ...rules }) => {
    const ends = [expires_at, revoked_at].map((time) =>
      time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time),
    );
    const owner = valueAt(owners, id);
    return { id, hash, owner, network, plan, rules: rulesOf(rules), endsAt: Math.min(...ends) };
  });
  return { keys, plans: file.plans, isWhole: true };
}
