import { bytesToHex } from "../../shared/values/bytes.js";
import { parseBocRoot } from "../cells/boc.js";
import { CellError } from "../cells/cell-error.js";
import { decode, TlbError } from "../tlb/codec.js";
import { Message } from "../tlb/message.js";
import type { ChainEvents, PendingMessages, Unsubscribe } from "./chain-events.js";
import { Listeners } from "./listeners.js";
import type { LiteApi } from "./lite-api.js";

/** Afterwards nobody waits for a message any more, whatever became of it. */
const retentionMs = 600_000;
const maxMessages = 10_000;

type Sent = { message: Uint8Array; at: number };

/**
 * The messages that this process, or another one that tells it, has passed on: those that wait for a block, and those whose
 * traces go on. Liteservers do not show what waits, so of a network that is read through them these are all that is known.
 */
export class SentMessages {
  /** The chain as before; what it takes is remembered. */
  readonly api: LiteApi;
  readonly #now: () => number;
  /** By hash, oldest first. */
  readonly #sent = new Map<string, Sent>();
  readonly #remembered = new Listeners<Uint8Array>();

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
    for (const [hash, { at }] of this.#sent) {
      if (at > this.#now() - retentionMs) break;
      this.#sent.delete(hash);
    }
    return Array.from(this.#sent.values(), ({ message }) => message);
  }

  /** What the chain has taken from this process. */
  remember(message: Uint8Array): void {
    const hash = bytesToHex(parseBocRoot(message).hash());
    this.#sent.delete(hash);
    this.#keep(hash, message);
    this.#remembered.notify(message);
  }

  /** What the chain has taken from another process, by whose word it is a message. */
  receive(message: Uint8Array): void {
    const hash = hashOfMessage(message);
    if (hash !== undefined && !this.#sent.has(hash)) this.#keep(hash, message);
  }

  onRemembered(listener: (message: Uint8Array) => void): Unsubscribe {
    return this.#remembered.add(listener);
  }

  forget(): void {
    this.#sent.clear();
  }

  #keep(hash: string, message: Uint8Array): void {
    this.#sent.set(hash, { message, at: this.#now() });
    if (this.#sent.size > maxMessages) this.#sent.delete(this.#sent.keys().next().value!);
  }
}

function hashOfMessage(bytes: Uint8Array): string | undefined {
  try {
    const root = parseBocRoot(bytes);
    decode(Message, root);
    return bytesToHex(root.hash());
  } catch (error) {
    if (error instanceof CellError || error instanceof TlbError) return undefined;
    throw error;
  }
}

type Waiting = { mempool: PendingMessages; events: Pick<ChainEvents, "onReverted"> };

/** Keeps what a devnet takes from anybody, and nothing that it takes back. */
export async function keepAccepted({ mempool, events }: Waiting, sent: SentMessages): Promise<void> {
  const rememberWaiting = async () => {
    for (const message of await mempool.pending()) sent.remember(message);
  };
  mempool.onAccepted((message) => sent.remember(message));
  events.onReverted(() => {
    sent.forget();
    // A devnet that ends meanwhile has nothing to tell any more.
    rememberWaiting().catch(() => {});
  });
  await rememberWaiting();
}
