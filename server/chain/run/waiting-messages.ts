import { parseBocRoot } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { externalReceiver, Message } from "../../tlb/message.js";
import type { PendingMessages } from "../chain-events.js";

/** An external message that may wait for a block. */
export class WaitingMessage {
  readonly external: Cell;
  readonly body: Cell;
  /** Its account, if it can have one. */
  readonly receiver: string | undefined;
  /** Its receiver has not processed it up to this logical time. */
  waitsSinceLt = 0n;
  /** The message that its account receives before it. */
  before: WaitingMessage | undefined;
  /** Lowest masterchain seqno by which it is known to be received. */
  #receivedBy = Number.POSITIVE_INFINITY;

  constructor(boc: Uint8Array) {
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

/** The external messages that are known to this process, each with the one before it. */
export class WaitingMessages {
  readonly #mempool: Pick<PendingMessages, "pending">;
  /** By identity: a waiting message keeps its byte array. */
  readonly #known = new WeakMap<Uint8Array, WaitingMessage>();

  constructor(mempool: Pick<PendingMessages, "pending">) {
    this.#mempool = mempool;
  }

  /** Oldest first. */
  async list(): Promise<WaitingMessage[]> {
    const messages = (await this.#mempool.pending()).map((boc) => this.#read(boc));
    linkByReceiver(messages);
    return messages;
  }

  #read(boc: Uint8Array): WaitingMessage {
    const known = this.#known.get(boc) ?? new WaitingMessage(boc);
    this.#known.set(boc, known);
    return known;
  }
}

/** Messages that an account receives before this one after a block, newest first. */
export function* waitingBefore(
  { before }: Pick<WaitingMessage, "before">,
  block: BlockIdExt,
): Generator<WaitingMessage> {
  for (let each = before; each && !each.wasReceivedBy(block); each = each.before) yield each;
}

/** Messages to an account are received in their order, oldest first. */
function linkByReceiver(messages: readonly WaitingMessage[]): void {
  const last = new Map<string, WaitingMessage>();
  for (const message of messages) {
    if (message.receiver === undefined) continue;
    message.before = last.get(message.receiver);
    last.set(message.receiver, message);
  }
}
