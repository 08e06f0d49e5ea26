import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { externalReceiver, Message } from "../../../shared/ton/tlb/message.js";
import type { PendingMessages } from "../chain-events.js";

/** An external message that may be waiting for a block. */
export class WaitingMessage {
  readonly external: Cell;
  readonly body: Cell;
  /** Raw address of its receiver; undefined if no account can receive it. */
  readonly receiver: string | undefined;
  /** Whether its receiver's checks of signatures succeed whatever is signed. */
  readonly ignoresSignatures: boolean;
  /** Logical time up to which the receiver has not processed the message. */
  waitsSinceLt = 0n;
  /** The message before it to the same receiver. */
  before: WaitingMessage | undefined;
  /** Lowest seqno of a masterchain block in whose state it is known to be processed. */
  #receivedBy = Number.POSITIVE_INFINITY;

  constructor(boc: Uint8Array, ignoresSignatures = false) {
    this.ignoresSignatures = ignoresSignatures;
    this.external = parseBocRoot(boc);
    const message = decode(Message, this.external);
    this.body = message.body;
    this.receiver = externalReceiver(message)?.toRaw();
  }

  markReceived({ seqno }: BlockIdExt): void {
    this.#receivedBy = Math.min(this.#receivedBy, seqno);
  }

  wasReceivedBy({ seqno }: BlockIdExt): boolean {
    return this.#receivedBy <= seqno;
  }
}

type Source = Pick<PendingMessages, "pending"> & { ignoresSignatures?(message: Uint8Array): boolean };

/** The external messages in the mempool of this process, each linked to the one before it. */
export class WaitingMessages {
  readonly #mempool: Source;
  /** Keyed by byte array: the mempool keeps the array of a message while it waits. */
  readonly #known = new WeakMap<Uint8Array, WaitingMessage>();

  constructor(mempool: Source) {
    this.#mempool = mempool;
  }

  /** Oldest first. */
  async list(): Promise<WaitingMessage[]> {
    const messages = (await this.#mempool.pending()).map((boc) => this.#read(boc));
    linkByReceiver(messages);
    return messages;
  }

  #read(boc: Uint8Array): WaitingMessage {
    const known = this.#known.get(boc) ?? new WaitingMessage(boc, this.#mempool.ignoresSignatures?.(boc));
    this.#known.set(boc, known);
    return known;
  }
}

/** The messages that still wait before this one at a block, newest first. */
export function* waitingBefore(
  { before }: Pick<WaitingMessage, "before">,
  block: BlockIdExt,
): Generator<WaitingMessage> {
  for (let each = before; each && !each.wasReceivedBy(block); each = each.before) yield each;
}

/** Links messages to the same receiver. Expects the oldest first. */
function linkByReceiver(messages: readonly WaitingMessage[]): void {
  const last = new Map<string, WaitingMessage>();
  for (const message of messages) {
    if (message.receiver === undefined) continue;
    message.before = last.get(message.receiver);
    last.set(message.receiver, message);
  }
}
