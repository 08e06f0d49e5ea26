import type { Sql } from "../store/database.js";
import { queueLinks, type TokenLink } from "../store/queries/tokens/metadata.js";

type LinkQueueOptions = {
  database: Sql;
  /** Wall clock, ms. */
  now: () => number;
  /** Called once links have been queued. */
  onQueued(): void;
  /** Called when the database fails; the links are dropped, and queued again by the next answer that contains them. */
  onError(error: Error): void;
};

/** Limit on links waiting to be stored; further ones are dropped. */
const maxWaiting = 10_000;

/** Queues links found in answers, in the background. */
export class LinkQueue {
  readonly #options: LinkQueueOptions;
  #waiting = new Map<string, TokenLink>();
  #flushing: Promise<void> | undefined;

  constructor(options: LinkQueueOptions) {
    this.#options = options;
  }

  /** Never throws or waits. */
  add(links: readonly TokenLink[]): void {
    for (const link of links) {
      if (this.#waiting.size >= maxWaiting) break;
      this.#waiting.set(`${link.address} ${link.type}`, link);
    }
    if (this.#waiting.size > 0) this.#flushing ??= this.#flush();
  }

  /** Stores the waiting links. */
  async close(): Promise<void> {
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    const { database, now, onQueued, onError } = this.#options;
    while (this.#waiting.size > 0) {
      const links = [...this.#waiting.values()];
      this.#waiting = new Map();
      try {
        await queueLinks(database, links, now());
        onQueued();
      } catch (error) {
        onError(error as Error);
      }
    }
    this.#flushing = undefined;
  }
}
