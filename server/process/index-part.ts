import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { SentMessages } from "../chain/sent-messages.js";
import type { Config } from "../config/settings.js";
import { isSetupError, ServiceError } from "../errors.js";
import { Follower } from "../indexer/follower.js";
import { IndexWatch } from "../indexer/index-watch.js";
import { MessageExchange } from "../indexer/message-exchange.js";
import type { BackfillProgress, IndexProgress } from "../indexer/progress.js";
import type { Head } from "../rpc/cache.js";
import type { Database } from "../store/database.js";
import { defaultStatementsMs, IndexReader } from "../store/index-reader.js";
import { claimDatabase, type DatabaseClaim } from "../store/open.js";
import type { ChainSource } from "./chain-source.js";
import type { Context } from "./context.js";

/** What a process has to do with the index: `standby` waits to become the writer, what has `stopped` does not go on. */
export type IndexRole = "writer" | "standby" | "stopped" | "reader";

export type IndexStatus = {
  role: IndexRole;
  progress: IndexProgress;
  /** Absent where nothing is planned. */
  backfill: BackfillProgress | undefined;
};

/** The index of a service, as far as it has come. */
export interface Indexing {
  readonly reader: Pick<IndexReader, "read">;
  /** Where it stands, for answers that hold until it takes in the next block. */
  readonly head: Head;
  /** Absent where there is none, and before it begins. */
  status(): IndexStatus | undefined;
  /** Whether it is so far behind that single accounts are better read from the chain. */
  isLate(): boolean;
  /** Why it is not as it should be, while that is so. */
  unavailableReason(): string | undefined;
  /** Begins, all in the background: nobody has to wait for it. */
  begin(): void;
}

const roles = { writing: "writer", waiting: "standby", stopped: "stopped" } as const;
/** The part of a call's time that the statements of its answer have, if it is no less than usual. */
const statementsShare = 0.3;
const lateSec = 60;
/** Between two tries to open the database: making one takes seconds of work. */
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

function statementsMs({ callTimeoutMs }: Config): number {
  return Math.max(defaultStatementsMs, Math.round(statementsShare * callTimeoutMs));
}

/** A service that keeps no index does not have the methods that read it. */
export const noIndexing: Indexing = {
  reader: {
    read: () =>
      Promise.reject(new ServiceError("unknown-method", "this service keeps no index", { status: 404 })),
  },
  head: { current: undefined },
  status: () => undefined,
  isLate: () => true,
  unavailableReason: () => undefined,
  begin: () => {},
};

/** Whether this process writes the index, or only reads what another one writes. */
export type IndexDuty = "write" | "read";

/** Makes sure that no other process has the database of the configuration, where only one can. */
export async function claimIndex({ config, closers }: Context): Promise<DatabaseClaim> {
  const folder = config.data === undefined ? undefined : `${config.data}/index`;
  return closers.add(await claimDatabase({ url: config.databaseUrl, folder }), (each) => each.release());
}

type Access = {
  claim: DatabaseClaim;
  duty: IndexDuty;
  /** The messages that are to be known to all processes of a database, where there can be others. */
  sent?: SentMessages | undefined;
  /** Told of every failure that is another one than the last. */
  onFailure?: (error: Error) => void;
};

/** What opens the database once it is told to, follows the chain where it shall write, and sees what is written. */
export function createIndexing(context: Context, source: ChainSource, access: Access): Indexing {
  const indexing = new DatabaseIndexing(context, source, access);
  return context.closers.add(indexing, (each) => each.close());
}

class DatabaseIndexing implements Indexing {
  readonly reader: IndexReader;
  readonly head: Head;
  readonly #context: Context;
  readonly #source: ChainSource;
  readonly #claim: DatabaseClaim;
  readonly #duty: IndexDuty;
  readonly #sent: SentMessages | undefined;
  readonly #onFailure: ((error: Error) => void) | undefined;
  #opening: Promise<void> | undefined;
  #database: Database | undefined;
  #follower: Follower | undefined;
  #watch: IndexWatch | undefined;
  #exchange: MessageExchange | undefined;
  #failure: string | undefined;
  readonly #ending = new AbortController();

  constructor(context: Context, source: ChainSource, { claim, duty, sent, onFailure }: Access) {
    this.#context = context;
    this.#source = source;
    this.#claim = claim;
    this.#duty = duty;
    this.#sent = sent;
    this.#onFailure = onFailure;
    this.reader = new IndexReader({ maxMs: statementsMs(context.config) });
    const current = () => this.#watch?.current;
    this.head = {
      get current() {
        return current();
      },
    };
  }

  begin(): void {
    this.#opening ??= this.#open();
  }

  status(): IndexStatus | undefined {
    if (!this.#watch) return undefined;
    const { progress, backfill } = this.#watch;
    const failure = this.#follower?.failure ?? progress.failure;
    return { role: this.#role, progress: { ...progress, failure }, backfill };
  }

  isLate(): boolean {
    const progress = this.#watch?.progress;
    return !progress || progress.seqno === 0 || progress.lagSec > lateSec;
  }

  unavailableReason(): string | undefined {
    const { healthMaxLag, network } = this.#context.config;
    const missing = this.#watch
      ? this.#watch.unavailableReason()
      : (this.#failure ?? "The database is starting");
    if (missing !== undefined) return missing;
    const { seqno, lagSec } = this.#watch!.progress;
    const failure = this.#follower?.failure;
    if (failure !== undefined && (this.#follower?.state === "stopped" || lagSec > lateSec)) return failure;
    // On a devnet the first block comes at once; elsewhere an index may have to wait for its chain.
    if (seqno === 0 && network === "devnet") return "The index has no block yet";
    return healthMaxLag !== undefined && lagSec > healthMaxLag ? `index lags ${lagSec} s` : undefined;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    await this.#follower?.close();
    await this.#watch?.close();
    await this.#exchange?.close();
    await this.#database?.close();
  }

  get #role(): IndexRole {
    return this.#follower ? roles[this.#follower.state] : "reader";
  }

  /** Tries again and again, unless it is for the operator to put right. */
  async #open(): Promise<void> {
    const { signal } = this.#ending;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        this.#database = await this.#claim.open(signal);
        if (!signal.aborted) this.#use(this.#database);
        return;
      } catch (error) {
        this.#failed(error as Error);
        if (isSetupError(error)) return;
        await wait(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  #use(database: Database): void {
    const { config, now } = this.#context;
    const { head } = this.#source;
    const answers = database.sql({ statementTimeoutMs: statementsMs(config) });
    if (this.#sent) this.#exchange = MessageExchange.start({ database, sent: this.#sent });
    if (this.#duty === "write") this.#follower = this.#follow(database);
    this.#watch = IndexWatch.start({
      database,
      network: config.network,
      zeroState: head.zeroState,
      chainSeqno: () => head.last.seqno,
      now,
      onReadable: (readable) => {
        if (readable) this.#failure = undefined;
        this.reader.connect(readable ? answers : undefined);
      },
      onError: (error) => this.#failed(error),
    });
  }

  #follow(database: Database): Follower {
    const { config, now } = this.#context;
    const { api: lite, events } = this.#source;
    const isDevnet = config.network === "devnet";
    return Follower.start({
      database,
      lite,
      events,
      network: config.network,
      from: config.from ?? (isDevnet ? 1 : "head"),
      mayRevert: isDevnet,
      worker: randomUUID(),
      now,
      onError: (error) => this.#failed(error),
    });
  }

  /** What goes on failing in the same way is told once. */
  #failed(error: Error): void {
    if (this.#ending.signal.aborted || error.message === this.#failure) return;
    this.#failure = error.message;
    const { log } = this.#context;
    if (isSetupError(error)) log.error(`the index failed: ${error.message}`);
    else log.error({ err: error }, "the index failed");
    this.#onFailure?.(error);
  }
}
