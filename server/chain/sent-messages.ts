import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message, normalizedHash } from "../../shared/ton/tlb/message.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { Listeners, type Unsubscribe } from "../../shared/values/listeners.js";
import type { ChainEvents, PendingMessages } from "./chain-events.js";

/** Messages are dropped after this time. */
const retentionMs = 600_000;
const maxMessages = 10_000;

/** `at`: unix time in milliseconds at which this process learned of it. */
export type Sent = { readonly message: Uint8Array; readonly at: number };

type Kept = Sent & { readonly hashNorm: string | undefined; readonly isOwn: boolean };
type Added = Omit<Kept, "at"> & { readonly ignoresSignatures?: boolean };

/**
 * External messages sent by this process or another one of the same index that wait for a block or whose traces
 * continue. Liteservers do not show pending messages, so on public networks these are the only known ones. Keeps at
 * most 10,000 for 10 minutes.
 */
export class SentMessages {
  /** Passes calls on to the given LiteApi and remembers the messages that it accepts. */
  readonly api: LiteApi;
  readonly #now: () => number;
  /** By hash, oldest first. */
  readonly #sent = new Map<string, Kept>();
  /** Hashes by normalized hash, for messages whose two hashes differ. */
  readonly #hashes = new Map<string, string>();
  readonly #remembered = new Listeners<Uint8Array>();
  readonly #kept = new Listeners<Uint8Array>();
  readonly #dropped = new Listeners<void>();
  readonly #unsigned = new WeakSet<Uint8Array>();

  /** `now` is the wall clock in milliseconds. */
  constructor(lite: LiteApi, now: () => number) {
    this.#now = now;
    this.api = {
      ...lite,
      sendMessage: async (request, call) => {
        const answer = await lite.sendMessage(request, call);
        this.remember(request.body);
        return answer;
      },
    };
  }

  /** Oldest first. */
  async pending(): Promise<Uint8Array[]> {
    this.#forgetOld();
    return Array.from(this.#sent.values(), ({ message }) => message);
  }

  /** Adds a message that the chain accepted from this process, and notifies listeners. Throws if it is not a BOC. */
  remember(message: Uint8Array, ignoresSignatures = false): void {
    const root = parseBocRoot(message);
    const hash = root.hashHex();
    this.#delete(hash);
    this.#keep(hash, { message, hashNorm: normOf(root), isOwn: true, ignoresSignatures });
    this.#remembered.notify(message);
  }

  /** Adds a message that another process sent; ignores invalid ones. Does not notify listeners. */
  receive(message: Uint8Array): void {
    const root = ifReadable(() => parseBocRoot(message));
    const hashNorm = root && normOf(root);
    if (!root || hashNorm === undefined || this.#sent.has(root.hashHex())) return;
    this.#keep(root.hashHex(), { message, hashNorm, isOwn: false });
  }

  /** Forgets a message that no block will have. */
  drop(message: Uint8Array): void {
    this.#delete(parseBocRoot(message).hashHex());
    this.#dropped.notify();
  }

  /** Whether signatures are not checked for a message, given as `pending` returned it. */
  ignoresSignatures(message: Uint8Array): boolean {
    return this.#unsigned.has(message);
  }

  /** Messages that the chain accepted from this process, oldest first. */
  own(): Sent[] {
    this.#forgetOld();
    return [...this.#sent.values()].filter(({ isOwn }) => isOwn);
  }

  /** Finds a message by its hash, as sent or normalized. */
  find(hash: Uint8Array): Sent | undefined {
    this.#forgetOld();
    const hex = bytesToHex(hash);
    return this.#sent.get(this.#hashes.get(hex) ?? hex);
  }

  onRemembered(listener: (message: Uint8Array) => void): Unsubscribe {
    return this.#remembered.add(listener);
  }

  /** Notifies of every added message, including those of other processes. */
  onKept(listener: (message: Uint8Array) => void): Unsubscribe {
    return this.#kept.add(listener);
  }

  onDropped(listener: () => void): Unsubscribe {
    return this.#dropped.add(listener);
  }

  forget(): void {
    this.#sent.clear();
    this.#hashes.clear();
  }

  #forgetOld(): void {
    for (const [hash, { at }] of this.#sent) {
      if (at > this.#now() - retentionMs) break;
      this.#delete(hash);
    }
  }

  #delete(hash: string): void {
    const hashNorm = this.#sent.get(hash)?.hashNorm;
    this.#sent.delete(hash);
    if (hashNorm !== undefined && this.#hashes.get(hashNorm) === hash) this.#hashes.delete(hashNorm);
  }

  #keep(hash: string, { ignoresSignatures, ...kept }: Added): void {
    this.#forgetOld();
    const { message, hashNorm } = kept;
    if (ignoresSignatures) this.#unsigned.add(message);
    this.#sent.set(hash, { ...kept, at: this.#now() });
    if (hashNorm !== undefined && hashNorm !== hash) this.#hashes.set(hashNorm, hash);
    if (this.#sent.size > maxMessages) this.#delete(this.#sent.keys().next().value!);
    this.#kept.notify(message);
  }
}

/** The normalized hash of a message in hex; `undefined` if the cell is no message. */
function normOf(root: Cell): string | undefined {
  return ifReadable(() => bytesToHex(normalizedHash(decode(Message, root))));
}

type Waiting = { mempool: PendingMessages; events: Pick<ChainEvents, "onReverted"> };

/** Remembers all messages that a devnet accepts, and drops those that a revert removed. */
export async function keepAccepted({ mempool, events }: Waiting, sent: SentMessages): Promise<void> {
  const rememberWaiting = async () => {
    for (const message of await mempool.pending()) sent.remember(message);
  };
  mempool.onAccepted((message, ignoresSignatures) => sent.remember(message, ignoresSignatures));
  mempool.onDropped((message) => sent.drop(message));
  events.onReverted(() => {
    sent.forget();
    // Rejects only if the devnet is closed meanwhile, so the error is ignored.
    rememberWaiting().catch(() => {});
  });
  await rememberWaiting();
}
