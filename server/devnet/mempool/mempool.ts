import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import { LiteError, liteErrorCode } from "../../chain/lite-api.js";

/** An external message on its way into a block. */
export type ExternalMessage = {
  /** As it was sent: a repetition is known by these bytes. */
  boc: Uint8Array;
  /** SHA-256 of `boc`, in hex. */
  fileHash: string;
  root: Cell;
  destination: Address;
};

const limits = { messages: 10_000, perAccount: 256, lifetimeMs: 60_000 } as const;

/** `ready` once whoever sent it may be told so; before, it must not get into a block. */
type Waiting = { message: ExternalMessage; acceptedMs: number; ready: boolean };

/**
 * External messages in the order they came. A message leaves when a block took it or its account refused it at last,
 * or after 60 s; the same bytes are refused for 60 s after they were accepted, whatever became of them.
 */
export class Mempool {
  readonly #waiting = new Map<string, Waiting>();
  readonly #seen = new Map<string, number>();
  readonly #perAccount = new Map<string, number>();
  /** Hashes of files that waited too long. */
  #expired: string[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Throws what a liteserver would answer if the message cannot be taken now, before it is run. */
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

  /** Takes the message in. It waits for the next block once `release` says that it is kept for good. */
  add(message: ExternalMessage): void {
    const now = this.#nowMs();
    this.#waiting.set(message.fileHash, { message, acceptedMs: now, ready: false });
    this.#seen.set(message.fileHash, now);
    this.#count(message, 1);
  }

  release(fileHash: string): void {
    const waiting = this.#waiting.get(fileHash);
    if (waiting) waiting.ready = true;
  }

  /** The messages to one workchain, oldest first. */
  *forWorkchain(workchain: number): Generator<ExternalMessage> {
    this.#forgetOld();
    for (const { message, ready } of this.#waiting.values())
      if (ready && message.destination.workchain === workchain) yield message;
  }

  /** How many messages wait for the account. */
  #countFor(account: Address): number {
    return this.#perAccount.get(account.toRaw()) ?? 0;
  }

  messages(): ExternalMessage[] {
    this.#forgetOld();
    return Array.from(this.#waiting.values(), ({ message }) => message);
  }

  remove(fileHash: string): ExternalMessage | undefined {
    const message = this.#waiting.get(fileHash)?.message;
    this.#waiting.delete(fileHash);
    if (message) this.#count(message, -1);
    return message;
  }

  /** Names those dropped since the last time because they waited too long. */
  takeExpired(): string[] {
    const expired = this.#expired;
    this.#expired = [];
    return expired;
  }

  /** As if it had never come: it was not kept. */
  forget(fileHash: string): void {
    this.remove(fileHash);
    this.#seen.delete(fileHash);
  }

  /** After a revert nothing is waiting, and everything may be sent again. */
  clear(): void {
    this.#waiting.clear();
    this.#seen.clear();
    this.#perAccount.clear();
    this.#expired = [];
  }

  #count(message: ExternalMessage, change: 1 | -1): void {
    const account = message.destination.toRaw();
    const count = (this.#perAccount.get(account) ?? 0) + change;
    if (count === 0) this.#perAccount.delete(account);
    else this.#perAccount.set(account, count);
  }

  /** Both maps keep the order of arrival, so the old ones are in front. */
  #forgetOld(): void {
    const oldest = this.#nowMs() - limits.lifetimeMs;
    for (const { message, acceptedMs } of this.#waiting.values()) {
      if (acceptedMs > oldest) break;
      this.remove(message.fileHash);
      this.#expired.push(message.fileHash);
    }
    for (const [fileHash, acceptedMs] of this.#seen) {
      if (acceptedMs > oldest) break;
      this.#seen.delete(fileHash);
    }
  }
}
