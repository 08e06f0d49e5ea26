import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import { LiteError, liteErrorCode } from "../lite-api.js";

/** An external message on its way into a block. */
export type ExternalMessage = {
  /** As it was sent: a repetition is known by these bytes. */
  boc: Uint8Array;
  /** SHA-256 of `boc`, in hex. */
  fileHash: string;
  root: Cell;
  destination: Address;
};

const limits = { messages: 10_000, perAccount: 256, keptMs: 60_000 } as const;

type Waiting = { message: ExternalMessage; acceptedMs: number };

/**
 * External messages in the order they came. A message leaves when a block took it or its account refused it at last,
 * or after 60 s; the same bytes are refused for 60 s after they were accepted, whatever became of them.
 */
export class Mempool {
  readonly #waiting = new Map<string, Waiting>();
  readonly #seen = new Map<string, number>();
  readonly #perAccount = new Map<string, number>();
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
    if (this.#waiting.size >= limits.messages || this.countFor(message.destination) >= limits.perAccount)
      throw new LiteError(
        liteErrorCode.unspecified,
        `cannot apply external message to current state : too many external messages to address ${account}`,
      );
  }

  /** Takes the message in; it waits for the next block. */
  add(message: ExternalMessage): void {
    const now = this.#nowMs();
    this.#waiting.set(message.fileHash, { message, acceptedMs: now });
    this.#seen.set(message.fileHash, now);
    this.#count(message, 1);
  }

  /** The messages to one workchain, oldest first. */
  *forWorkchain(workchain: number): Generator<ExternalMessage> {
    this.#forgetOld();
    for (const { message } of this.#waiting.values())
      if (message.destination.workchain === workchain) yield message;
  }

  has(workchain: number): boolean {
    return !this.forWorkchain(workchain).next().done;
  }

  /** How many messages wait for the account. */
  countFor(account: Address): number {
    return this.#perAccount.get(account.toRaw()) ?? 0;
  }

  messages(): ExternalMessage[] {
    this.#forgetOld();
    return Array.from(this.#waiting.values(), ({ message }) => message);
  }

  remove(message: ExternalMessage): void {
    if (this.#waiting.delete(message.fileHash)) this.#count(message, -1);
  }

  /** After a revert nothing is waiting, and everything may be sent again. */
  clear(): void {
    this.#waiting.clear();
    this.#seen.clear();
    this.#perAccount.clear();
  }

  #count(message: ExternalMessage, change: 1 | -1): void {
    const account = message.destination.toRaw();
    const count = (this.#perAccount.get(account) ?? 0) + change;
    if (count === 0) this.#perAccount.delete(account);
    else this.#perAccount.set(account, count);
  }

  /** Both maps keep the order of arrival, so the old ones are in front. */
  #forgetOld(): void {
    const oldest = this.#nowMs() - limits.keptMs;
    for (const { message, acceptedMs } of this.#waiting.values()) {
      if (acceptedMs > oldest) break;
      this.remove(message);
    }
    for (const [fileHash, acceptedMs] of this.#seen) {
      if (acceptedMs > oldest) break;
      this.#seen.delete(fileHash);
    }
  }
}
