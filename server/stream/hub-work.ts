import { setMaxListeners } from "node:events";
import type { Call } from "../../shared/methods/define.js";
import { ServiceError } from "../errors.js";
import { Doorbell } from "../os/doorbell.js";
import type { IndexDeps } from "../present/v3/answer-extras.js";
import type { Queries } from "../store/database.js";

type Options = {
  index: IndexDeps["index"];
  /** Called with failures other than outages of the database or the chain. */
  onError: (error: Error) => void;
};

const retryMs = 500;

/** Index access, retries and shutdown shared by the parts of a hub. */
export class HubWork {
  readonly #options: Options;
  readonly #ending = new AbortController();

  constructor(options: Options) {
    this.#options = options;
    setMaxListeners(0, this.#ending.signal);
  }

  get hasEnded(): boolean {
    return this.#ending.signal.aborted;
  }

  end(): void {
    this.#ending.abort();
  }

  get call(): Call {
    return {
      signal: this.#ending.signal,
      asked: new Set(),
      caller: "streams",
      unlimited: true,
      options: {},
      // The block of the notification must be there.
      leastIndex: "newest",
    };
  }

  /** Reads from a snapshot of the index. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#options.index.read(this.call, work);
  }

  /** Runs the work at each notification, at least every `maxMs`, until the end. */
  async repeat(news: Doorbell, maxMs: () => number, work: () => Promise<void>): Promise<void> {
    while (!this.hasEnded) {
      if (await this.succeeds(work)) await news.heard(this.#ending.signal, maxMs());
    }
  }

  /** Whether the work succeeded; resolves after the retry delay if it failed. */
  async succeeds(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      // Outages of the database and the chain are reported elsewhere.
      if (!(error instanceof ServiceError) && !this.hasEnded) this.#options.onError(error as Error);
      await new Doorbell().heard(this.#ending.signal, retryMs);
      return false;
    }
  }
}
