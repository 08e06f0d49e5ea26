import { randomUUID } from "node:crypto";
import type { Devnet } from "./chain/devnet/devnet.js";
import type { Config } from "./config.js";
import { ServiceError } from "./errors.js";
import { Follower } from "./indexer/follower.js";
import type { IndexProgress } from "./indexer/progress.js";
import type { Log } from "./log.js";
import type { Parts } from "./parts.js";
import type { Head } from "./rpc/cache.js";
import type { Database } from "./store/database.js";
import { openDatabase } from "./store/open.js";
import { IndexReader } from "./v3/index-reader.js";

/** The index of a service, as far as it has come. */
export interface Indexing {
  readonly reader: Pick<IndexReader, "read">;
  /** Where it stands, for answers that hold until it takes in the next block. */
  readonly head: Head;
  /** How far it is; absent before it begins. */
  progress(): IndexProgress | undefined;
  /** Whether it is so far behind that single accounts are better read from the chain. */
  isLate(): boolean;
  /** Begins, all in the background: nobody has to wait for it. */
  begin(): void;
}

/** Longest time of one statement for an answer. */
const statementTimeoutMs = 3000;
const lateSec = 60;

/** A service that keeps no index does not have the methods that read it. */
export const noIndexing: Indexing = {
  reader: {
    read: () =>
      Promise.reject(new ServiceError("unknown-method", "this service keeps no index", { status: 404 })),
  },
  head: { current: undefined },
  progress: () => undefined,
  isLate: () => true,
  begin: () => {},
};

type Frame = { config: Config; parts: Parts; log: Log; now: () => number };

/** What opens the database and follows the chain once it is told to. */
export function createIndexing({ config, parts, log, now }: Frame, devnet: Devnet): Indexing {
  return parts.add(new DevnetIndexing({ config, log, now }, devnet), (each) => each.close());
}

class DevnetIndexing implements Indexing {
  readonly reader = new IndexReader();
  readonly head: { current: string | undefined } = { current: undefined };
  readonly #frame: Omit<Frame, "parts">;
  readonly #devnet: Devnet;
  #opening: Promise<void> | undefined;
  #database: Database | undefined;
  #follower: Follower | undefined;
  #commits = 0;
  readonly #ending = new AbortController();

  constructor(frame: Omit<Frame, "parts">, devnet: Devnet) {
    this.#frame = frame;
    this.#devnet = devnet;
  }

  begin(): void {
    this.#opening ??= this.#open().catch((error: Error) => this.#failed(error));
  }

  progress(): IndexProgress | undefined {
    return this.#follower?.progress;
  }

  isLate(): boolean {
    const progress = this.progress();
    return !progress || progress.seqno === 0 || progress.lagSec > lateSec;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    await this.#follower?.close();
    await this.#database?.close();
  }

  async #open(): Promise<void> {
    const { config, now } = this.#frame;
    const { api: lite, events } = this.#devnet;
    this.#database = await openDatabase({
      url: config.databaseUrl,
      folder: config.data === undefined ? undefined : `${config.data}/index`,
      signal: this.#ending.signal,
    });
    if (this.#ending.signal.aborted) return;
    const answers = this.#database.sql({ statementTimeoutMs });
    this.#follower = Follower.start({
      database: this.#database,
      lite,
      events,
      network: config.network,
      from: 1,
      mayRevert: true,
      worker: randomUUID(),
      now,
      onReady: () => this.reader.connect(answers),
      onError: (error) => this.#failed(error),
      // A number of its own for every commit: after the chain went back the same seqno stands for other blocks.
      onStored: ({ seqno }) => {
        this.head.current = `${++this.#commits}:${seqno}`;
      },
    });
  }

  /** Somebody else may write now, so nothing is known of where the index stands. */
  #failed(error: Error): void {
    this.head.current = undefined;
    if (!this.#ending.signal.aborted) this.#frame.log.error({ err: error }, "the index failed");
  }
}
