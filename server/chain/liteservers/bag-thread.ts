import { BagBytes, type ParsedBag } from "../../../shared/ton/cells/boc/parsed-bag.js";
import { Moved } from "../../os/channel/channel.js";
import { Thread } from "../../os/channel/thread.js";
import { ConnectionError } from "../adnl/connection-error.js";
import type { BagParser } from "./answer-guard.js";

/** For each bag, the parsed bag or the reason why it is invalid. */
type Outcomes = readonly (ParsedBag | string)[];

/** The calls of the thread. */
export type BagSide = { parse(bags: readonly Uint8Array[]): Moved<Outcomes> };

const maxIdleMs = 30_000;

/**
 * A worker thread that parses bags of cells. It is started when there is work, and ends when there was none for 30 s or
 * the owner stops it. An idle one does not keep the process alive.
 */
export class BagThread implements BagParser {
  #thread: Thread<BagSide> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Rejects with a ConnectionError if the thread is stopped. Bags that crash it count as invalid. */
  async parse(bags: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const outcomes = await this.#run(bags);
    return bags.map((bytes, index) => new BagBytes(bytes, outcomes[index] ?? "the bag cannot be parsed"));
  }

  /** Ends the thread and rejects its jobs. The next job starts a new thread. */
  stop(): void {
    clearTimeout(this.#idle);
    this.#thread?.end(new ConnectionError("closed", "the connection was closed on this side"));
    void this.#thread?.stop();
    this.#thread = undefined;
  }

  async #run(bags: readonly Uint8Array[]): Promise<Outcomes> {
    clearTimeout(this.#idle);
    if (!this.#thread || this.#thread.hasEnded) this.#thread = startThread();
    const thread = this.#thread;
    // Copied, because bags are views of a received frame.
    const copies = bags.map((bytes) => bytes.slice());
    const moved = new Moved(
      copies,
      copies.map(({ buffer }) => buffer as ArrayBuffer),
    );
    try {
      return await thread.ask("parse", moved);
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      return [];
    } finally {
      if (this.#thread === thread && thread.isIdle) this.#rest();
    }
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.stop(), maxIdleMs).unref();
  }
}

function startThread(): Thread<BagSide> {
  return new Thread({
    ...{ url: import.meta.url, entry: "bag-worker", isBackground: true },
    ended: () => new Error("the thread has ended"),
  });
}
