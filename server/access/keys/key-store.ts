import type { CustomPlan } from "../limits/plan.js";
import type { KeyFile } from "./key-file.js";
import type { KeyRules } from "./key-rules.js";

/** A changed key store, and the result for the command. */
export type KeyChange<T> = (file: KeyFile) => { file: KeyFile; result: T };

/** Keys and plans of services, in a file or in a database, as commands read and change them. */
export interface KeyStore {
  /** The file or the database, for messages. */
  readonly place: string;
  /** Throws `KeyStoreError` if it cannot be read; `needed` also if there is none. */
  read(options?: { needed: boolean }): Promise<KeyFile>;
  /** Changes it as a whole, or not at all; other changes wait. Throws `KeyStoreError`. */
  change<T>(change: KeyChange<T>): Promise<T>;
  close(): Promise<void>;
}

/** A key as a service needs it. */
export type KnownKey = {
  readonly id: string;
  /** SHA-256 of its text in hex. */
  readonly hash: string;
  /** Id of the first of the keys that replaced one another up to this one. */
  readonly owner: string;
  readonly network: string;
  readonly plan: string;
  /** The methods and origins that it is for; absent for most keys. */
  readonly rules?: KeyRules | undefined;
  /** Wall clock, ms. */
  readonly endsAt: number;
};

/** The keys and plans that a key source has read. */
export type KeysNews = {
  /** All keys that are valid, or those that have changed; in the order of their creation. */
  readonly keys: readonly KnownKey[];
  readonly isWhole: boolean;
  readonly plans: Readonly<Record<string, CustomPlan>>;
};

/** Receives what a key source reads. */
export interface KeyListener {
  /** The key store was read; without `news` it is as it was. */
  read(news?: KeysNews): void;
  /** It cannot be read: what was read before stays in use. */
  failed(reason: string): void;
}

/** Gives a service its keys, and notifies it of their changes. */
export interface KeySource {
  /** Resolves once they are read, or cannot be read yet. Throws `ConfigError` if an operator must mend it first. */
  start(listener: KeyListener): Promise<void>;
  /** Reads the keys now, also if they seem unchanged. */
  reload(): void;
  close(): Promise<void>;
}
