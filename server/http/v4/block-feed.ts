/** Receives texts. */
type Receiver = { send(text: string): void };

/** The content that clients get for a block. Each block has a `key` of its own. */
export type BlockNews = { readonly key: string; readonly content: object };

/** Reads each new block once for all of its receivers, and only while there are some. */
export class BlockFeed {
  readonly #read: () => Promise<BlockNews>;
  readonly #onFailed: (error: unknown) => void;
  /** The receivers, and the key of the block that each was sent last. */
  readonly #receivers = new Map<Receiver, string | undefined>();
  /** The newest block that was read, as long as there is no later one. */
  #newest: { key: string; text: string } | undefined;
  #isReading = false;
  /** Whether there is a block later than the one that is being read. */
  #isBehind = false;

  constructor(read: () => Promise<BlockNews>, onFailed: (error: unknown) => void) {
    this.#read = read;
    this.#onFailed = onFailed;
  }

  /** Sends it the newest block, then each that follows; of blocks that arrive while another is read, only the last. */
  join(receiver: Receiver): void {
    this.#receivers.set(receiver, undefined);
    if (this.#newest) this.#send();
    else this.#readNext();
  }

  leave(receiver: Receiver): void {
    this.#receivers.delete(receiver);
  }

  /** There is a new block. */
  advance(): void {
    this.#newest = undefined;
    this.#isBehind = this.#isReading;
    this.#readNext();
  }

  #send(): void {
    const { key, text } = this.#newest!;
    for (const [receiver, sent] of this.#receivers) {
      if (sent === key) continue;
      this.#receivers.set(receiver, key);
      receiver.send(text);
    }
  }

  #readNext(): void {
    if (this.#isReading || this.#receivers.size === 0) return;
    this.#isReading = true;
    void this.#readNewest().finally(() => {
      this.#isReading = false;
      if (!this.#isBehind) return;
      this.#isBehind = false;
      this.advance();
    });
  }

  async #readNewest(): Promise<void> {
    try {
      const { key, content } = await this.#read();
      this.#newest = { key, text: JSON.stringify(content) };
      this.#send();
    } catch (error) {
      // The next block is tried again.
      this.#onFailed(error);
    }
  }
}
