import { randomUUID } from "node:crypto";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { patienceOf } from "../../access/limits/caller-share.js";
import type { SentMessages } from "../../chain/sent-messages.js";
import { isSetupError } from "../../errors.js";
import type { TraceClassifier } from "../../indexer/classify/trace-classifier.js";
import type { Bus } from "../../indexer/follow/bus.js";
import { Follower } from "../../indexer/follow/follower.js";
import { connecting, IndexWatch } from "../../indexer/follow/index-watch.js";
import { MessageExchange } from "../../indexer/follow/message-exchange.js";
import type { Detection } from "../../indexer/recognition/detection.js";
import { SentKeeper } from "../../indexer/traces/sent-keeper.js";
import type { Reason, ReasonOrText } from "../../observe/health.js";
import { Closers } from "../../os/closers.js";
import { pause } from "../../os/pause.js";
import type { Head } from "../../rpc/cache.js";
import type { Database } from "../../store/database.js";
import { missingRights } from "../../store/database-errors.js";
import type { DatabaseClaim } from "../../store/open.js";
import { type Gaps, noGaps, type PlacedGap } from "../../store/queries/upkeep/index-gaps.js";
import { IndexReader, type SnapshotSource } from "../../store/reads/index-reader.js";
import { IndexVersions } from "../../store/reads/index-versions.js";
import type { Replicas } from "../../store/reads/replicas.js";
import type { Context } from "../context/context.js";
import { FailureLog, logFailure } from "../failure-log.js";
import type { ChainSource } from "../network/chain-source.js";
import { openBus, relayOver } from "./bus.js";
import { DatabaseWatch } from "./database-watch.js";
import { FirstCatchUp } from "./first-catch-up.js";
import {
  type IndexHealth,
  type IndexMode,
  type IndexPart,
  type IndexStatus,
  lagReason,
  lateSec,
  openWaitMs,
  statementsMs,
  usualMaxLagSec,
} from "./index-part.js";
import { KeptIndex } from "./kept-index.js";
import { createMetadataPart, type MetadataPart } from "./metadata.js";
import { openStandbys } from "./standbys.js";

const roles = { writing: "writer", waiting: "standby", stopped: "stopped" } as const;
const unopened = "The index cannot be opened";
const starting = "The database is starting";
const noBus = "Redis carries no messages among the processes";
const deafness: Reason = {
  text: "The database does not notify of changes",
  detail:
    "notifications of --database-url do not arrive, so no answer is cached: a pooler in transaction mode may stand before the database, or no process that writes the index may run with the same --bus",
};
/** Pauses between attempts to open the database. */
const firstPauseMs = 1000;
const maxPauseMs = 30_000;
/** Share of a call's deadline for which the first answers wait for the index of a devnet to catch up. */
const catchUpShare = 0.8;

type Options = {
  claim: DatabaseClaim;
  mode: IndexMode;
  /** Whether calls are answered from it by this process. */
  isAnswered: boolean;
  detection: Detection;
  classifier: TraceClassifier;
  lateClassifier: TraceClassifier;
  /** Messages that this process sends, which are kept; absent in processes that send none. */
  sent?: { messages: SentMessages; lifetimeMs: number } | undefined;
  /** Whether messages are exchanged with the other processes of a shared database. */
  exchangesSent?: boolean;
  /** Called for every failure that differs from the previous one. */
  onFailure?: (error: Error) => void;
};

/** Creates the index part. `begin` opens the database, starts the writer in mode `write`, and watches the index. */
export function createIndexPart(context: Context, source: ChainSource, options: Options): IndexPart {
  const index = new DatabaseIndexPart(context, source, options);
  return context.closers.add(index, (each) => each.close());
}

/** What exists once the database is open. */
type Opened = {
  database: Database;
  /** Where answers are read, if the database is a server. */
  standbys: Replicas | undefined;
  answers: SnapshotSource;
  bus: Bus;
  /** Absent in a process that only reads. */
  follower: Follower | undefined;
  watch: IndexWatch;
};

/**
 * `open`: nobody knows yet whether the index can be read. `lost`: it cannot, or not any more. `stopped`: it ended, or an
 * operator has to mend something first.
 */
type State =
  | { readonly is: "opening" | "stopped" }
  | { readonly is: "open"; readonly opened: Opened }
  | { readonly is: "reading"; readonly opened: Opened }
  /** `refusal`: a standby is none. */
  | { readonly is: "lost"; readonly opened: Opened; readonly refusal?: Error };

class DatabaseIndexPart implements IndexPart {
  readonly reader: IndexReader;
  readonly metadata: MetadataPart;
  readonly head: Head;
  readonly #context: Context;
  readonly #source: ChainSource;
  readonly #options: Options;
  readonly #kept: KeptIndex | undefined;
  /** Absent if the chain is not a devnet of this process. */
  readonly #catchUp: FirstCatchUp | undefined;
  readonly #versions = new IndexVersions();
  readonly #ending = new AbortController();
  readonly #closers = new Closers();
  readonly #news = new Listeners<void>();
  readonly #caughtUp = new Listeners<BlockIdExt>();
  readonly #failures: FailureLog;
  /** Begins when the index can be read for the first time. */
  readonly #starting: ((database: Database) => void)[] = [
    (database) => this.#startMetadata(database),
    (database) => this.#keepSent(database),
  ];
  #state: State = { is: "opening" };
  #opening: Promise<void> | undefined;

  constructor(context: Context, source: ChainSource, options: Options) {
    this.#context = context;
    this.#source = source;
    this.#options = options;
    this.#kept = KeptIndex.of(context, source);
    const { config, log } = context;
    this.#failures = new FailureLog(this.#ending.signal, (error) => {
      logFailure(log, error, { failed: "the index failed", waits: "the index waits and tries again" });
      options.onFailure?.(error);
    });
    const { devnet, head } = source;
    this.#catchUp = devnet && new FirstCatchUp(devnet, head, () => this.#connect());
    const versions = this.#versions;
    this.reader = new IndexReader({
      versions,
      maxMs: statementsMs(config),
      patienceOf,
      openWaitMs: devnet ? catchUpShare * config.callTimeoutMs : openWaitMs,
      lack: () => this.#lack ?? (this.#opened?.watch.isForbidden ? missingRights : undefined),
      onForbidden: (error) => this.#opened?.watch.refused(error),
    });
    this.metadata = createMetadataPart(context, options.mode === "write");
    const current = () => this.#opened?.watch.current;
    this.head = {
      get current() {
        return current();
      },
      get version() {
        return versions.newest;
      },
    };
  }

  onNews(listener: () => void): void {
    this.#news.add(listener);
  }

  saw(): void {
    this.#opened?.watch.saw();
  }

  onCaughtUp(listener: (last: BlockIdExt) => void): void {
    this.#caughtUp.add(listener);
  }

  onDatabase(listener: (database: Database) => void): void {
    this.#starting.push(listener);
  }

  begin(): void {
    this.#opening ??= this.#open();
  }

  get gaps(): Gaps<PlacedGap> {
    return this.#opened?.watch.gaps ?? noGaps;
  }

  status(): IndexStatus | undefined {
    const opened = this.#opened;
    if (!opened) return undefined;
    const { watch, follower, standbys } = opened;
    const { progress, backfill, queue, gaps, first, states } = watch;
    return {
      role: follower ? roles[follower.state] : "reader",
      isReadable: watch.unavailableReason() === undefined,
      isAnswered: this.#isAnswered(opened),
      progress: { ...progress, failure: follower?.failure ?? progress.failure },
      backfill,
      queue,
      gaps,
      first,
      states,
      standbys: standbys?.all ?? [],
    };
  }

  isLate(): boolean {
    const lagSec = this.#opened?.watch.progress.lagSec;
    return lagSec === undefined || lagSec > lateSec;
  }

  health(): IndexHealth {
    const state = this.#state;
    if (!("opened" in state)) {
      const failure = this.#failures.last;
      if (failure === undefined) return { reads: starting, writes: starting, startup: starting };
      const reason = { text: unopened, detail: failure };
      return { reads: reason, writes: reason };
    }
    const { opened } = state;
    const { watch } = opened;
    const missing = watch.unavailableReason();
    const refusal = state.is === "lost" ? state.refusal : undefined;
    const unread = refusal ? { text: unopened, detail: refusal.message } : (missing ?? connecting);
    return {
      reads: this.#isAnswered(opened) ? (this.#lack ?? this.#tooLate(opened)) : unread,
      writes: missing ?? this.#unwritable(opened),
      degraded: this.#degraded(opened),
      startup: this.#startup(opened),
    };
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    await this.#closers.close();
  }

  get #opened(): Opened | undefined {
    return "opened" in this.#state ? this.#state.opened : undefined;
  }

  #isAnswered({ watch, standbys }: Opened): boolean {
    if (this.#state.is !== "reading") return false;
    return (
      watch.unavailableReason() === undefined || (standbys?.all ?? []).some(({ state }) => state === "used")
    );
  }

  #unwritable({ watch, follower }: Opened): Reason | undefined {
    if (follower?.failure === undefined) return undefined;
    const { lagSec } = watch.progress;
    const isHeldUp = follower.isOutOfRoom || lagSec === undefined || lagSec > lateSec;
    return isHeldUp || follower.state === "stopped"
      ? { text: "The index cannot be written", detail: follower.failure }
      : undefined;
  }

  /** Above the limit that an operator has set, answers are too old to be answers. */
  #tooLate({ watch }: Opened): string | undefined {
    const { healthMaxLag } = this.#context.config;
    return healthMaxLag === undefined ? undefined : lagReason(watch.progress.lagSec, healthMaxLag);
  }

  #degraded({ watch, bus }: Opened): ReasonOrText | undefined {
    if (watch.unavailableReason() !== undefined) return undefined;
    if (bus.failure !== undefined) return { text: noBus, detail: bus.failure };
    if (!watch.hears) return deafness;
    // An index that is new takes its time.
    const hasLimit = this.#context.config.healthMaxLag !== undefined;
    if (hasLimit || !watch.hasCaughtUp || !this.#options.isAnswered) return undefined;
    return lagReason(watch.progress.lagSec, usualMaxLagSec);
  }

  #startup({ watch }: Opened): string | undefined {
    if (this.#state.is !== "reading") return watch.isConnecting ? connecting : undefined;
    if (this.#lack !== undefined) return this.#lack;
    // A devnet has its first block immediately; elsewhere an empty index may be waiting for the chain.
    const isEmpty = this.#context.config.network === "devnet" && watch.progress.seqno === 0;
    return isEmpty ? "The index has no block yet" : undefined;
  }

  /** The part of the chain that the index of a devnet has yet to store after its start. */
  get #lack(): string | undefined {
    return this.#state.is === "reading" ? this.#catchUp?.lack : undefined;
  }

  /** Opens the database, what hears of its changes, and what reads and writes the index. */
  async #open(): Promise<void> {
    const { signal } = this.#ending;
    try {
      // Only creating an embedded database is expensive.
      const database = await this.#attempt(() => this.#openDatabase(signal), maxPauseMs);
      this.#closers.add(database, (each) => each.close());
      await this.#attempt(() => database.confirm({ writes: this.#options.mode === "write" }, signal));
      const standbys = await this.#attempt(() => this.#openStandbys(database));
      if (standbys) this.#closers.add(standbys, (each) => each.close());
      const bus = await this.#attempt(() => openBus(this.#context, database));
      this.#closers.add(bus, (each) => each.close());
      this.#context.log.debug("start: the database of the index is open");
      signal.throwIfAborted();
      this.#become({ is: "open", opened: this.#use(database, standbys, bus) });
    } catch (error) {
      this.#failures.failed(error as Error);
      this.#become({ is: "stopped" });
    }
  }

  /** Tries again after what may pass. Throws what an operator has to mend, and when the index ends. */
  async #attempt<T>(step: () => Promise<T>, longestMs = firstPauseMs): Promise<T> {
    const { signal } = this.#ending;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestMs)) {
      signal.throwIfAborted();
      try {
        return await step();
      } catch (error) {
        if (isSetupError(error)) throw error;
        this.#failures.failed(error as Error);
        // Those who wait for the first answers learn that there are none.
        this.reader.connect(undefined);
        await pause(pauseMs, signal);
      }
    }
  }

  /** An image with which it cannot be opened is not tried again. */
  async #openDatabase(signal: AbortSignal): Promise<Database> {
    const image = this.#failures.last === undefined ? await this.#kept?.find() : undefined;
    const database = await this.#options.claim.open(signal, image);
    if (image === undefined) this.#kept?.keepFrom(database);
    return database;
  }

  async #openStandbys(database: Database): Promise<Replicas | undefined> {
    const { config } = this.#context;
    // An embedded database is in this process.
    if (!this.#options.isAnswered || !database.isConcurrent) return undefined;
    return openStandbys(this.#context, database, {
      versions: this.#versions,
      statementTimeoutMs: statementsMs(config),
    });
  }

  #use(database: Database, standbys: Replicas | undefined, bus: Bus): Opened {
    const { config, now, fallback } = this.#context;
    const { head } = this.#source;
    const { sent, exchangesSent = false, mode } = this.#options;
    // The figures also show why an index is not read.
    this.#measure(database);
    if (sent && exchangesSent)
      this.#closers.add(MessageExchange.start({ bus, sent: sent.messages, fallback }), (each) =>
        each.close(),
      );
    const watch = IndexWatch.start({
      database,
      network: config.network,
      zeroState: head.zeroState,
      chainSeqno: () => head.last.seqno,
      versions: this.#versions,
      ...(mode === "write" ? { relay: relayOver(bus, config) } : { bus }),
      now,
      onReadable: (readable) => {
        if (!readable) return this.#become({ is: "lost", opened });
        this.#failures.succeeded();
        void this.#read(opened);
      },
      onNews: () => {
        void database.commits?.heard();
        this.#catchUp?.stored(watch.progress.seqno);
        this.#news.notify();
      },
      onError: this.#failures.failed,
    });
    this.#closers.add(watch, (each) => each.close());
    const answers = standbys ?? database.sql({ statementTimeoutMs: statementsMs(config) });
    const follower = mode === "write" ? this.#follow(database) : undefined;
    const opened = { database, standbys, answers, bus, follower, watch };
    return opened;
  }

  #become(state: State): void {
    this.#state = state;
    if (state.is === "reading") this.#connect();
    else if (state.is !== "open") this.reader.connect(undefined);
  }

  /** The index is read once it can be, and has what the devnet began with. */
  #connect(): void {
    if (this.#state.is === "reading" && this.#lack === undefined)
      this.reader.connect(this.#state.opened.answers);
  }

  /** Standbys are tried before: one that is none is refused. */
  async #read(opened: Opened): Promise<void> {
    try {
      await opened.standbys?.begin();
    } catch (error) {
      this.#failures.failed(error as Error);
      this.#become({ is: "lost", opened, refusal: error as Error });
      return;
    }
    if (this.#ending.signal.aborted) return;
    this.#catchUp?.stored(opened.watch.progress.seqno);
    this.#become({ is: "reading", opened });
    for (const start of this.#starting.splice(0)) start(opened.database);
  }

  #startMetadata(database: Database): void {
    this.metadata.start(database);
    this.#closers.add(this.metadata, (each) => each.close());
  }

  /** From here on. What was sent while the database was not open is kept as well. */
  #keepSent(database: Database): void {
    const { sent } = this.#options;
    if (!sent) return;
    const { messages, lifetimeMs } = sent;
    const { log, now } = this.#context;
    let failure: string | undefined;
    const keeper = new SentKeeper({
      database: database.sql({ connections: 1 }),
      now,
      lifetimeMs,
      onError: (error) => {
        if (error.message !== failure) logFailure(log, error, { failed: "sent messages cannot be kept" });
        failure = error.message;
      },
    });
    this.#closers.add(keeper, (each) => each.close());
    for (const { message, at } of messages.own()) keeper.add(message, at);
    messages.onRemembered((message) => keeper.add(message, now()));
    this.#source.events?.onReverted(() => keeper.revert());
  }

  #measure(database: Database): void {
    const { metrics, now, fallback } = this.#context;
    const watch = new DatabaseWatch(database, { now, withTables: this.#options.mode === "write", fallback });
    this.#closers.add(watch, (each) => each.close());
    metrics.watchDatabase(() => {
      const opened = this.#opened;
      return {
        ...watch.numbers(),
        hearsNotifications: opened?.watch.hears ?? false,
        isForbidden: opened?.watch.isForbidden ?? false,
        lostNotifications: opened?.watch.lostNotifications ?? 0,
        hasBus: opened !== undefined && opened.bus.failure === undefined,
        standbys: opened?.standbys?.all ?? [],
      };
    });
  }

  #follow(database: Database): Follower {
    const { config, now, metrics, log, fallback } = this.#context;
    const { api: lite, events } = this.#source;
    const { detection, classifier, lateClassifier } = this.#options;
    const isDevnet = config.network === "devnet";
    const follower = Follower.start({
      database,
      lite,
      events,
      network: config.network,
      from: config.from ?? (isDevnet ? 1 : "head"),
      mayRevert: isDevnet,
      detection,
      classifier,
      lateClassifier,
      worker: randomUUID(),
      now,
      mergedTablespace: config.mergedTablespace,
      milestone: () => this.#kept?.milestone,
      onStored: (seqno) => {
        this.#catchUp?.stored(seqno);
        this.#kept?.stored(seqno);
      },
      ...(isDevnet && {
        onCaughtUp: (last) => {
          this.saw();
          this.#caughtUp.notify(last);
        },
      }),
      onLook: (outcome) => metrics.validatorsLooked(outcome),
      onError: this.#failures.failed,
      onMigration: (text) => log.info(text),
      fallback,
    });
    return this.#closers.add(follower, (each) => each.close());
  }
}
