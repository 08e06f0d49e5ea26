import type { Cell } from "../../../shared/ton/cells/cell.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Address } from "../../../shared/values/address.js";

/** A parsed external message. */
export type ExternalMessage = {
  /** The bytes as sent. Duplicates are detected by their hash. */
  boc: Uint8Array;
  /** SHA-256 of `boc`, in hex. */
  fileHash: string;
  root: Cell;
  destination: Address;
  /** Whether its account's checks of signatures succeed whatever is signed. */
  ignoresSignatures: boolean;
};

const limits = { messages: 10_000, perAccount: 256, lifetimeMs: 60_000 } as const;

/** `ready` once the message is stored durably. Before, it must not be included in a block. */
type Waiting = { message: ExternalMessage; acceptedMs: number; ready: boolean };

/** A message that the next blocks may include. `acceptedMs`: unix time in milliseconds. */
export type ReadyMessage = Omit<Waiting, "ready">;

/**
 * External messages in order of arrival. A message is removed when a block includes it, its account refuses it, or
 * after 60 s. The same bytes are refused for 60 s after they were accepted.
 */
export class Mempool {
  readonly #waiting = new Map<string, Waiting>();
  readonly #seen = new Map<string, number>();
  readonly #byAccount = new Map<string, Set<ExternalMessage>>();
  /** File hashes of expired messages. */
  readonly #expired = new Set<string>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Throws the `LiteError` of a liteserver if the message is a duplicate or the mempool is full. */
  assertRoom(message: Pick<ExternalMessage, "fileHash" | "destination">): void {
    this.#forgetOld();
    if (this.#seen.has(message.fileHash))
      throw new LiteError(liteErrorCode.unspecified, "cannot send external message : duplicate message");
    const account = message.destination.toRawUpper();
    if (this.#waiting.size >= limits.messages || this.#countFor(message.destination) >= limits.perAccount)
      throw new LiteError(
        liteErrorCode.unspecified,
        `cannot apply external message to current state : too many external messages to address ${account}`,
      );
  }

  /** Adds the message. It becomes eligible for a block with `release`, once it is stored durably. */
  add(message: ExternalMessage): void {
    const now = this.#nowMs();
    this.#waiting.set(message.fileHash, { message, acceptedMs: now, ready: false });
    this.#seen.set(message.fileHash, now);
    this.#expired.delete(message.fileHash);
    const account = message.destination.toRaw();
    const others = this.#byAccount.get(account);
    if (others) others.add(message);
    else this.#byAccount.set(account, new Set([message]));
  }

  /** Makes a message eligible for the next block. */
  release(fileHash: string): void {
    const waiting = this.#waiting.get(fileHash);
    if (waiting) waiting.ready = true;
  }

  /** Eligible messages to one workchain, oldest first. */
  *forWorkchain(workchain: number): Generator<ExternalMessage> {
    this.#forgetOld();
    for (const { message, ready } of this.#waiting.values())
      if (ready && message.destination.workchain === workchain) yield message;
  }

  has(fileHash: string): boolean {
    return this.#waiting.has(fileHash);
  }

  /** Whether a message to the account waits. */
  hasFor(account: Address): boolean {
    return this.#countFor(account) > 0;
  }

  /** Messages to the account, oldest first. */
  toAccount(account: Address): ExternalMessage[] {
    this.#forgetOld();
    return [...(this.#byAccount.get(account.toRaw()) ?? [])];
  }

  #countFor(account: Address): number {
    return this.#byAccount.get(account.toRaw())?.size ?? 0;
  }

  /** The messages that are eligible for a block, oldest first. */
  ready(): ReadyMessage[] {
    this.#forgetOld();
    return [...this.#waiting.values()].filter(({ ready }) => ready);
  }

  messages(): ExternalMessage[] {
    this.#forgetOld();
    return Array.from(this.#waiting.values(), ({ message }) => message);
  }

  remove(fileHash: string): ExternalMessage | undefined {
    const message = this.#waiting.get(fileHash)?.message;
    this.#waiting.delete(fileHash);
    if (message) this.#removeFromAccount(message);
    return message;
  }

  /** Returns the file hashes of messages that expired since the last call. */
  takeExpired(): string[] {
    const expired = [...this.#expired];
    this.#expired.clear();
    return expired;
  }

  /** Removes a message that could not be stored, so that it may be sent again. */
  forget(fileHash: string): void {
    this.remove(fileHash);
    this.#seen.delete(fileHash);
  }

  /** Call after a revert. All messages may be sent again. */
  clear(): void {
    this.#waiting.clear();
    this.#seen.clear();
    this.#byAccount.clear();
    this.#expired.clear();
  }

  #removeFromAccount(message: ExternalMessage): void {
    const account = message.destination.toRaw();
    const messages = this.#byAccount.get(account);
    messages?.delete(message);
    if (messages?.size === 0) this.#byAccount.delete(account);
  }

  /** Both maps are in order of arrival, so the oldest come first. */
  #forgetOld(): void {
    const oldest = this.#nowMs() - limits.lifetimeMs;
    for (const { message, acceptedMs } of this.#waiting.values()) {
      if (acceptedMs > oldest) break;
      this.remove(message.fileHash);
      this.#expired.add(message.fileHash);
    }
    for (const [fileHash, acceptedMs] of this.#seen) {
      if (acceptedMs > oldest) break;
      this.#seen.delete(fileHash);
    }
  }
}
