import { setTimeout as sleep } from "node:timers/promises";
import { headsOf, untilIndexed } from "./heads.js";

const lookMs = 100;

/** Measures how long the newest block of an index differs from that of its chain. */
export class Lag {
  readonly #url: string;
  readonly #watching: Promise<void>;
  /** When blocks were first seen on the chain, from the last one of the index on. */
  readonly #seen = new Map<number, number>();
  #isOver = false;
  #mostMs = 0;

  private constructor(url: string) {
    this.#url = url;
    this.#watching = this.#watch();
  }

  /** Begins once the index has every block. */
  static async watch(url: string): Promise<Lag> {
    await untilIndexed(url);
    return new Lag(url);
  }

  /** Stops. Returns how many milliseconds the index was behind at most. */
  async most(): Promise<number> {
    this.#isOver = true;
    await this.#watching;
    return this.#mostMs;
  }

  async #watch(): Promise<void> {
    for (; !this.#isOver; await sleep(lookMs)) {
      const { chain, index } = await headsOf(this.#url);
      const now = performance.now();
      if (!this.#seen.has(chain)) this.#seen.set(chain, now);
      for (const seqno of this.#seen.keys()) if (seqno <= index) this.#seen.delete(seqno);
      const [oldest = now] = this.#seen.values();
      this.#mostMs = Math.max(this.#mostMs, now - oldest);
    }
  }
}
