import { bytesToHex } from "../../shared/values/bytes.js";
import { parseBocRoot } from "../cells/boc.js";
import type { ChainEvents, PendingMessages } from "./devnet/chain-events.js";
import type { LiteApi } from "./lite-api.js";

/** Afterwards nobody waits for a message any more, whatever became of it. */
const keptMs = 600_000;
const mostMessages = 10_000;

type Sent = { message: Uint8Array; at: number };

/**
 * The messages this process has passed on, or has heard of: those that wait for a block, and those whose traces go on.
 * Liteservers do not show what waits, so of a network that is read through them these are all that is known.
 */
export class SentMessages {
  /** The chain as before; what it takes is remembered. */
  readonly api: LiteApi;
  readonly #now: () => number;
  /** By hash, oldest first. */
  readonly #sent = new Map<string, Sent>();

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
      if (at > this.#now() - keptMs) break;
      this.#sent.delete(hash);
    }
    return Array.from(this.#sent.values(), ({ message }) => message);
  }

  remember(message: Uint8Array): void {
    const hash = bytesToHex(parseBocRoot(message).hash());
    this.#sent.delete(hash);
    this.#sent.set(hash, { message, at: this.#now() });
    if (this.#sent.size > mostMessages) this.#sent.delete(this.#sent.keys().next().value!);
  }

  forget(): void {
    this.#sent.clear();
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
