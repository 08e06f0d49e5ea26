import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { isSetupError, SetupError } from "../../errors.js";
import { connecting } from "../../indexer/follow/index-watch.js";
import { ProgressMeter } from "../../indexer/work/progress.js";
import { pause } from "../../os/pause.js";
import type { Head } from "../../rpc/cache.js";
import type { ReadServer, Sql } from "../../store/database.js";
import { noGaps } from "../../store/queries/upkeep/index-gaps.js";
import { IndexReader } from "../../store/reads/index-reader.js";
import type { Layout } from "../../store/reads/index-reads.js";
import { IndexVersions } from "../../store/reads/index-versions.js";
import type { Primary } from "../../store/reads/primary.js";
import {
  confirmLayout,
  type NewestBlock,
  readNewestBlock,
  readRootHash,
  versionOf,
} from "../../store/toncenter/layout.js";
import type { Context } from "../context/context.js";
import { FailureLog, logFailure } from "../failure-log.js";
import type { ChainSource } from "../network/chain-source.js";
import {
  type IndexHealth,
  type IndexPart,
  type IndexStatus,
  lagReason,
  lateSec,
  openWaitMs,
  statementsMs,
  usualMaxLagSec,
} from "./index-part.js";
import { openPrimary } from "./standbys.js";

/** Interval at which the newest block is read: ton-indexer does not notify of it. */
const lookMs = 500;
const retryMs = 2000;

type Parts = { source: ChainSource; reader: Pick<ChainReader, "lookup"> };

/** The index part over a database that TON Center's indexer writes. Nothing is written to it. */
export function createForeignIndexPart(context: Context, server: ReadServer, parts: Parts): IndexPart {
  return context.closers.add(new ForeignIndexPart(context, server, parts), (each) => each.close());
}

class ForeignIndexPart implements IndexPart {
  readonly reader: IndexReader;
  readonly metadata = undefined;
  readonly head: Head;
  readonly gaps = noGaps;
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #server: ReadServer;
  readonly #answers: Primary;
  readonly #looks: Sql;
  readonly #versions = new IndexVersions();
  readonly #meter: ProgressMeter;
  readonly #news = new Listeners<void>();
  readonly #ending = new AbortController();
  readonly #failures: FailureLog;
  #running: Promise<void> | undefined;
  /** Absent until the database was confirmed, and while it is not reached. */
  #layout: Layout | undefined;
  #newest: NewestBlock | undefined;

  constructor(context: Context, server: ReadServer, parts: Parts) {
    const { config, log, now } = context;
    this.#context = context;
    this.#parts = parts;
    this.#server = server;
    const atOnce = config.databaseReadConnections;
    const statementTimeoutMs = statementsMs(config);
    this.#looks = server.sql({ statementTimeoutMs, atOnce: 1 });
    this.#answers = openPrimary(context, {
      sql: server.sql({ statementTimeoutMs, atOnce }),
      look: () => readNewestBlock(this.#looks),
      statementTimeoutMs,
    });
    this.#meter = new ProgressMeter(now);
    this.#failures = new FailureLog(this.#ending.signal, (error) =>
      logFailure(log, error, { failed: "the database of ton-indexer cannot be read" }),
    );
    this.reader = new IndexReader({ versions: this.#versions, maxMs: statementTimeoutMs, openWaitMs });
    const versions = this.#versions;
    const current = () => (this.#layout && this.#newest ? String(this.#newest.seqno) : undefined);
    this.head = {
      get current() {
        return current();
      },
      get version() {
        return versions.newest;
      },
    };
  }

  begin(): void {
    this.#running ??= this.#run();
  }

  onNews(listener: () => void): void {
    this.#news.add(listener);
  }

  // Events of databases that have our tables, and of processes that write these.
  saw(): void {}
  onCaughtUp(): void {}
  onDatabase(): void {}

  status(): IndexStatus | undefined {
    if (!this.#newest) return undefined;
    this.#meter.chainIsAt(this.#parts.source.head.last.seqno);
    return {
      role: "reader",
      isReadable: this.#layout !== undefined,
      isAnswered: this.#layout !== undefined,
      progress: this.#meter.progress,
      backfill: undefined,
      queue: undefined,
      gaps: noGaps,
      first: undefined,
      states: [],
      standbys: [],
    };
  }

  isLate(): boolean {
    const lagSec = this.status()?.progress.lagSec;
    return lagSec === undefined || lagSec > lateSec;
  }

  health(): IndexHealth {
    const detail = this.#failures.last;
    if (detail !== undefined) return { reads: { text: "database is not available", detail } };
    if (!this.#layout) return { reads: connecting, startup: connecting };
    const { healthMaxLag } = this.#context.config;
    const lagSec = this.status()?.progress.lagSec;
    return healthMaxLag === undefined
      ? { degraded: lagReason(lagSec, usualMaxLagSec) }
      : { reads: lagReason(lagSec, healthMaxLag) };
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#answers.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#look(signal);
        this.#failures.succeeded();
        this.#meter.recovered();
        await pause(lookMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#lose(error as Error);
        if (isSetupError(error)) return;
        await pause(retryMs, signal);
      }
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const layout = this.#layout ?? (await this.#confirm(signal));
    const newest = await this.#read(readNewestBlock);
    if (!this.#layout) {
      this.#layout = layout;
      this.reader.connect(this.#answers, layout);
    }
    if (!newest || newest.seqno === this.#newest?.seqno) return;
    if (this.#newest) this.#meter.stored(newest);
    else this.#meter.begin(newest);
    this.#newest = newest;
    this.#versions.saw(versionOf(newest));
    this.#news.notify();
  }

  /** Throws `SetupError` for a database that cannot be read, or is of another chain. */
  async #confirm(signal: AbortSignal): Promise<Layout> {
    await this.#server.confirm(signal);
    const layout = await this.#read(confirmLayout);
    const newest = await this.#read(readNewestBlock);
    if (newest) await this.#confirmChain(newest, signal);
    return layout;
  }

  /** Compares a masterchain block that both have. */
  async #confirmChain(newest: NewestBlock, signal: AbortSignal): Promise<void> {
    const { source, reader } = this.#parts;
    const seqno = Math.min(newest.seqno, source.head.last.seqno);
    const stored = await this.#read((queries) => readRootHash(queries, seqno));
    if (stored === undefined) return;
    const block = await reader.lookup({ workchain: masterchain, shard: wholeShard, seqno }, { signal });
    if (bytesToBase64(block.rootHash) !== stored)
      throw new SetupError(
        `the database of ton-indexer is of another chain than ${this.#context.config.network}: block ${seqno} differs`,
      );
  }

  #read<T>(work: (queries: Sql) => Promise<T>): Promise<T> {
    return work(this.#looks);
  }

  #lose(error: Error): void {
    this.#layout = undefined;
    this.reader.connect(undefined);
    this.#meter.failed(error);
    this.#failures.failed(error);
  }
}
