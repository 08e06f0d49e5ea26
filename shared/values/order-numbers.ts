import { settled } from "./promises.js";

/** Numbers the orders of a wallet, whose seqno the chain raises only when a block has the order. One is sent at a time. */
export class OrderNumbers {
  /** Reads the seqno that the chain has. */
  readonly #read: () => Promise<number>;
  /** The last order that was sent, and the seqno that the chain had then. */
  #last: { readonly seqno: number; readonly chain: number } | undefined;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Sends the next order. `isRefused`: whether the error means that the wallet does not take this seqno. */
  send<T>(sendAs: (seqno: number) => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T> {
    const sending = this.#sending.then(() => this.#send(sendAs, isRefused));
    // The next order is sent after one that failed, too.
    this.#sending = settled(sending);
    return sending;
  }

  /** The seqno after orders that wait for a block, which the chain does not count yet. */
  async next(): Promise<number> {
    return this.#after(await this.#read());
  }

  async #send<T>(sendAs: (seqno: number) => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T> {
    const chain = await this.#read();
    const next = this.#after(chain);
    try {
      return await this.#sendAs(next, chain, sendAs);
    } catch (error) {
      // The orders before it no longer wait: they expired, or the chain was reverted.
      if (next === chain || !isRefused(error)) throw error;
      return this.#sendAs(chain, chain, sendAs);
    }
  }

  async #sendAs<T>(seqno: number, chain: number, sendAs: (seqno: number) => Promise<T>): Promise<T> {
    const sent = await sendAs(seqno);
    this.#last = { seqno, chain };
    return sent;
  }

  #after(chain: number): number {
    const last = this.#last;
    return last && last.chain <= chain && chain <= last.seqno ? last.seqno + 1 : chain;
  }
}
