import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { externalReceiver, Message, normalizedHash } from "../../../shared/ton/tlb/message.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { readableWallet, readWalletRequest } from "../../contracts/wallet-request.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries, Sql } from "../../store/database.js";
import {
  codesOfAccounts,
  deleteOldSent,
  type SentBounds,
  type SentRow,
  storeSent,
  voidSent,
} from "../../store/queries/kept/sent-messages.js";

export type SentKeeperOptions = {
  database: Sql;
  /** Unix time, ms. */
  now: () => number;
  /** How long a message may wait for a block, ms. */
  lifetimeMs: number;
  bounds?: SentBounds;
  /** Called when the database cannot be written; the messages are dropped. */
  onError(error: Error): void;
};

/** Limit on messages waiting to be stored. */
const maxWaiting = 10_000;
/** Limits per statement. */
const batch = { messages: 500, bytes: 4 * 1024 * 1024 } as const;
/** How long a message is kept after it has expired. */
const restMs = 7 * 86_400_000;
/** Limit on the lifetime of messages with a longer validity. */
const longestMs = 30 * 86_400_000;
const cleaningMs = 600_000;
const defaultBounds: SentBounds = { messages: 200_000, bytes: 256 * 1024 * 1024 };

type Waiting = { boc: Uint8Array; at: number };

/**
 * Stores sent external messages in the database, so that their status is available after a restart and in every
 * process. Senders do not wait for it: if the process is killed, the last milliseconds of messages are lost.
 */
export class SentKeeper {
  readonly #options: SentKeeperOptions;
  #waiting: Waiting[] = [];
  #mustVoid = false;
  #flushing: Promise<void> | undefined;
  #cleanAt = 0;

  constructor(options: SentKeeperOptions) {
    this.#options = options;
  }

  /** Adds a message sent at this unix time in ms. Never throws or waits. */
  add(boc: Uint8Array, at: number): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push({ boc, at });
    this.#flushing ??= this.#flush();
  }

  /** Call when the chain was reverted: messages sent before no longer wait. */
  revert(): void {
    this.#waiting = [];
    this.#mustVoid = true;
    this.#flushing ??= this.#flush();
  }

  /** Stores the waiting messages. */
  async close(): Promise<void> {
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    const { database, now, bounds = defaultBounds, onError } = this.#options;
    // Messages of the same turn form one batch.
    await Promise.resolve();
    while (this.#mustVoid || this.#waiting.length > 0) {
      const mustVoid = this.#mustVoid;
      this.#mustVoid = false;
      const messages = this.#takeBatch();
      try {
        if (mustVoid) await voidSent(database);
        if (messages.length > 0) await storeSent(database, await this.#rowsOf(messages));
        if (now() < this.#cleanAt) continue;
        this.#cleanAt = now() + cleaningMs;
        await deleteOldSent(database, now(), bounds);
      } catch (error) {
        onError(error as Error);
      }
    }
    this.#flushing = undefined;
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ boc }, at) => {
      bytes += boc.length;
      return at > 0 && (at >= batch.messages || bytes > batch.bytes);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #rowsOf(messages: readonly Waiting[]): Promise<SentRow[]> {
    const read = messages.flatMap(({ boc, at }) => {
      const root = ifReadable(() => parseBocRoot(boc));
      const message = root && ifReadable(() => decode(Message, root));
      return message ? [{ boc, at, hash: root.hash(), message }] : [];
    });
    const codes = await readCodes(
      this.#options.database,
      read.map(({ message }) => message),
    );
    // A statement cannot change a row twice.
    const rows = new Map<string, SentRow>();
    for (const { boc, at, hash, message } of read)
      rows.set(bytesToHex(hash), {
        hash,
        hash_norm: normalizedHash(message),
        boc,
        sent_at: at,
        keep_until: restMs + Math.max(at + this.#options.lifetimeMs, endOf(message, codes, at)),
        is_void: false,
      });
    return [...rows.values()];
  }
}

/** Base64 code hashes of receivers, by their addresses in hex. */
async function readCodes(
  database: Queries,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, string>> {
  const accounts = messages.flatMap((message) => receiverOf(message) ?? []);
  const rows = await codesOfAccounts(database, accounts);
  return new Map(rows.map(({ account, code_hash }) => [bytesToHex(account), bytesToBase64(code_hash)]));
}

function receiverOf(message: Message): Uint8Array | undefined {
  const account = externalReceiver(message);
  return account && addressToBytes(account);
}

/** When the message expires at its wallet, in ms; 0 if it states no expiry. */
function endOf(message: Message, codes: ReadonlyMap<string, string>, at: number): number {
  const receiver = receiverOf(message);
  const deployed = message.init?.value.code;
  const code = (receiver && codes.get(bytesToHex(receiver))) ?? (deployed && bytesToBase64(deployed.hash()));
  const name = code && readableWallet(code);
  const validUntil = name === undefined ? undefined : readWalletRequest(name, message.body)?.validUntil;
  return validUntil === undefined ? 0 : Math.min(1000 * validUntil, at + longestMs);
}
