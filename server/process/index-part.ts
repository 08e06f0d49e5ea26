import { randomUUID } from "node:crypto";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../shared/values/listeners.js";
import type { SentMessages } from "../chain/sent-messages.js";
import { type Config, ConfigError } from "../config/settings.js";
import { isSetupError, ServiceError } from "../errors.js";
import type { Bus } from "../indexer/bus.js";
import type { TraceClassifier } from "../indexer/classify/trace-classifier.js";
import type { Detection } from "../indexer/detect/detection.js";
import { Follower } from "../indexer/follower.js";
import { IndexWatch } from "../indexer/index-watch.js";
import { MessageExchange } from "../indexer/message-exchange.js";
import type { BackfillProgress, IndexProgress } from "../indexer/progress.js";
import { SentKeeper } from "../indexer/sent-keeper.js";
import type { Reason } from "../observe/health.js";
import { pause } from "../os/pause.js";
import type { Head } from "../rpc/cache.js";
import type { Database } from "../store/database.js";
import { defaultStatementsMs, IndexReader, type SnapshotSource } from "../store/index-reader.js";
import { IndexVersions } from "../store/index-versions.js";
import { claimDatabase, type DatabaseClaim } from "../store/open.js";
import type { BootstrappedState } from "../store/queries/upkeep/bootstraps.js";
import { type Gaps, noGaps, type PlacedGap } from "../store/queries/upkeep/index-gaps.js";
import type { QueueLength } from "../store/queries/upkeep/recognition-queue.js";
import type { ReadDoors } from "../store/read-doors.js";
import { confirmBus, openBus, relayOver } from "./bus.js";
import type { ChainSource } from "./chain-source.js";
import type { Context } from "./context.js";
import { DatabaseWatch } from "./database-watch.js";
import { FailureLog, logFailure } from "./failure-log.js";
import { FirstCatchUp } from "./first-catch-up.js";
import { KeptIndex } from "./kept-index.js";
import { createMetadataPart, type MetadataPart } from "./metadata.js";
import { openStandbys } from "./standbys.js";

/** Role of a process for the index. `standby` waits to become the writer; `stopped` gave up after a final error. */
export type IndexRole = "writer" | "standby" | "stopped" | "reader";

/** State of the index, for `/status` and metrics. */
export type IndexStatus = {
  role: IndexRole;
  /** Whether the database can be reached and has an index of this version and chain. */
  isReadable: boolean;
  progress: IndexProgress;
  /** `undefined` if no backfill is planned. */
  backfill: BackfillProgress | undefined;
  /** The accounts whose contracts are recognised later. */
  queue: QueueLength | undefined;
  gaps: Gaps;
  /** The first block from which on none is missing. */
  first: number | undefined;
  /** States whose accounts are stored without the blocks before. */
  states: readonly BootstrappedState[];
  standbys: ReadDoors["doors"];
};

/** The index of a process: its reader, its state, and the writer if this process writes it. */
export interface IndexPart {
  readonly reader: Pick<IndexReader, "read">;
  /** Fetches metadata for the tokens in answers. */
  readonly metadata: Pick<MetadataPart, "want"> | undefined;
  /** Newest block of the index, for cached answers that are valid until the next one. */
  readonly head: Head;
  /** The masterchain blocks that are missing between others. */
  readonly gaps: Gaps<PlacedGap>;
  /** `undefined` without an index, and before the database is open. */
  status(): IndexStatus | undefined;
  /** Whether the index lags so far behind that single accounts should be read from the chain. */
  isLate(): boolean;
  /** Why the index cannot be used or lags too far; `undefined` if it is healthy. */
  unavailableReason(): string | Reason | undefined;
  /** Notifies when the index has changed or may have. */
  onNews(listener: () => void): void;
  /** Call when a block of the index was read, before any client learns of it: answers cached earlier are dropped. */
  saw(): void;
  /** Notifies when the index of a devnet, which this process writes, has the chain up to a block and nothing else. */
  onCaughtUp(listener: (last: BlockIdExt) => void): void;
  /** Calls back once with the database, when it has the schema of this version and belongs to the chain. */
  onDatabase(listener: (database: Database) => void): void;
  /** Starts to open the database, in the background. */
  begin(): void;
}

const roles = { writing: "writer", waiting: "standby", stopped: "stopped" } as const;
const unopened = "The index cannot be opened";
const noBus = "Redis carries no messages among the processes";
const deafness: Reason = {
  text: "The database does not notify of changes",
  detail:
    "notifications of --database-url do not arrive, so no answer is cached: a pooler in transaction mode may stand before the database, or no process that writes the index may run with the same --bus",
};
/** Share of a call's deadline allowed for its SQL statements, unless the default timeout is longer. */
const statementsShare = 0.3;
/** From here on an index lags. */
export const lateSec = 60;
export const usualMaxLagSec = 120;
/** Backoff between attempts to open the database: creating one takes seconds of processor time. */
const firstPauseMs = 1000;
const maxPauseMs = 30_000;

/** How long the first answers wait for the database: an embedded one is opened while the service answers already. */
export const openWaitMs = 3000;
/** Share of a call's deadline for which they wait for the index of a devnet to catch up. */
const catchUpShare = 0.8;

export function statementsMs({ callTimeoutMs }: Config): number {
  return Math.max(defaultStatementsMs, Math.round(statementsShare * callTimeoutMs));
}

/** The index part of a service without an index: methods that read it are refused. */
export const noIndexPart: IndexPart = {
  reader: {
    read: () =>
      Promise.reject(new ServiceError("unknown-method", "this service has no index", { status: 404 })),
  },
  metadata: undefined,
  head: { current: undefined },
  gaps: noGaps,
  status: () => undefined,
  isLate: () => true,
  unavailableReason: () => undefined,
  onNews: () => {},
  saw: () => {},
  onCaughtUp: () => {},
  onDatabase: () => {},
  begin: () => {},
};

/** Whether this process writes the index, or only reads the one that another process writes. */
export type IndexMode = "write" | "read";

/**
 * Claims the configured database for an index of ours. An embedded database is exclusive: throws `SetupError` if another
 * process has it.
 */
export async function claimIndex({ config, closers, fallback }: Context): Promise<DatabaseClaim> {
  if (config.databaseLayout !== "tonwire")
    throw new ConfigError([
      `--database-layout ${config.databaseLayout} is for \`tonwire api\` alone, which writes nothing to the database`,
    ]);
  if (config.databaseReadUrls.length > 0 && config.databaseUrl === undefined)
    throw new ConfigError(["--database-read-urls are standbys of --database-url, which is not set"]);
  await confirmBus(config);
  const folder = config.data === undefined ? undefined : `${config.data}/index`;
  const claim = await claimDatabase({ url: config.databaseUrl, folder, fallback });
  return closers.add(claim, (each) => each.release());
}

type IndexPartOptions = {
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
export function createIndexPart(context: Context, source: ChainSource, options: IndexPartOptions): IndexPart {
  const index = new DatabaseIndexPart(context, source, options);
  return context.closers.add(index, (each) => each.close());
}

class DatabaseIndexPart implements IndexPart {
  readonly reader: IndexReader;
  readonly metadata: MetadataPart;
  readonly head: Head;
  readonly #context: Context;
  readonly #source: ChainSource;
  readonly #claim: DatabaseClaim;
  readonly #mode: IndexMode;
  readonly #isAnswered: boolean;
  readonly #detection: Detection;
  readonly #classifier: TraceClassifier;
  readonly #lateClassifier: TraceClassifier;
  readonly #sent: IndexPartOptions["sent"];
  readonly #exchangesSent: boolean;
  readonly #kept: KeptIndex | undefined;
  /** Absent if the chain is not a devnet of this process. */
  readonly #catchUp: FirstCatchUp | undefined;
  /** The connection for answers; absent while the index cannot be read. */
  #answers: SnapshotSource | undefined;
  #opening: Promise<void> | undefined;
  #database: Database | undefined;
  #bus: Bus | undefined;
  #follower: Follower | undefined;
  readonly #versions = new IndexVersions();
  #watch: IndexWatch | undefined;
  #exchange: MessageExchange | undefined;
  #keeper: SentKeeper | undefined;
  #databaseWatch: DatabaseWatch | undefined;
  #standbys: ReadDoors | undefined;
  /** A standby that is none. */
  #refusal: Error | undefined;
  readonly #ending = new AbortController();
  readonly #news = new Listeners<void>();
  readonly #caughtUp = new Listeners<BlockIdExt>();
  /** Callers waiting for the database. */
  #waiting: ((database: Database) => void)[] = [];
  readonly #failures: FailureLog;

  constructor(context: Context, source: ChainSource, options: IndexPartOptions) {
    const {
      claim,
      mode,
      isAnswered,
      detection,
      classifier,
      lateClassifier,
      sent,
      exchangesSent = false,
      onFailure,
    } = options;
    this.#context = context;
    this.#source = source;
    this.#claim = claim;
    this.#mode = mode;
    this.#isAnswered = isAnswered;
    this.#detection = detection;
    this.#classifier = classifier;
    this.#lateClassifier = lateClassifier;
    this.#sent = sent;
    this.#exchangesSent = exchangesSent;
    this.#kept = KeptIndex.of(context, source);
    const { log } = context;
    this.#failures = new FailureLog(this.#ending.signal, (error) => {
      logFailure(log, error, { failed: "the index failed", waits: "the index waits and tries again" });
      onFailure?.(error);
    });
    const { devnet, head } = source;
    this.#catchUp = devnet && new FirstCatchUp(devnet, head, () => this.#connect());
    this.reader = new IndexReader({
      versions: this.#versions,
      maxMs: statementsMs(context.config),
      openWaitMs: devnet ? catchUpShare * context.config.callTimeoutMs : openWaitMs,
      lack: () => this.#lack,
    });
    this.metadata = createMetadataPart(context, mode === "write");
    const current = () => this.#watch?.current;
    const versions = this.#versions;
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
    this.#watch?.saw();
  }

  onCaughtUp(listener: (last: BlockIdExt) => void): void {
    this.#caughtUp.add(listener);
  }

  onDatabase(listener: (database: Database) => void): void {
    this.#waiting.push(listener);
  }

  begin(): void {
    this.#opening ??= this.#open();
  }

  get gaps(): Gaps<PlacedGap> {
    return this.#watch?.gaps ?? noGaps;
  }

  status(): IndexStatus | undefined {
    if (!this.#watch) return undefined;
    const { progress, backfill, queue, gaps, first, states } = this.#watch;
    const failure = this.#follower?.failure ?? progress.failure;
    const isReadable = this.#watch.unavailableReason() === undefined;
    return {
      role: this.#role,
      isReadable,
      progress: { ...progress, failure },
      backfill,
      queue,
      gaps,
      first,
      states,
      standbys: this.#standbys?.doors ?? [],
    };
  }

  isLate(): boolean {
    const progress = this.#watch?.progress;
    return progress?.lagSec === undefined || progress.lagSec > lateSec;
  }

  unavailableReason(): string | Reason | undefined {
    const { network } = this.#context.config;
    const failure = this.#follower?.failure;
    const unwritable = failure && { text: "The index cannot be written", detail: failure };
    if (unwritable && this.#follower?.state === "stopped") return unwritable;
    if (!this.#watch) return this.#unopenedReason();
    const missing = this.#watch.unavailableReason();
    if (missing !== undefined) return missing;
    if (this.#bus?.failure !== undefined) return { text: noBus, detail: this.#bus.failure };
    if (!this.#watch.hears) return deafness;
    if (this.#refusal) return { text: unopened, detail: this.#refusal.message };
    const { seqno, lagSec } = this.#watch.progress;
    const isHeldUp = this.#follower?.isOutOfRoom || lagSec === undefined || lagSec > lateSec;
    if (unwritable && isHeldUp) return unwritable;
    if (this.#lack !== undefined) return this.#lack;
    // A devnet has its first block immediately; elsewhere an empty index may be waiting for the chain.
    if (seqno === 0 && network === "devnet") return "The index has no block yet";
    const maxLag = this.#maxLag;
    if (maxLag === undefined) return undefined;
    if (lagSec === undefined) return "The index has no block yet";
    return lagSec > maxLag ? `index lags ${lagSec} s` : undefined;
  }

  /** The lag from which on the index is not healthy. An index that is new takes its time. */
  get #maxLag(): number | undefined {
    const usual = this.#watch?.hasCaughtUp && this.#isAnswered ? usualMaxLagSec : undefined;
    return this.#context.config.healthMaxLag ?? usual;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#opening;
    await this.#follower?.close();
    await this.#watch?.close();
    await this.metadata.close();
    await this.#exchange?.close();
    await this.#keeper?.close();
    await this.#databaseWatch?.close();
    await this.#bus?.close();
    await this.#standbys?.close();
    await this.#database?.close();
  }

  /** The part of the chain that the index of a devnet has yet to store after its start. */
  get #lack(): string | undefined {
    return this.#answers && this.#catchUp?.lack;
  }

  get #role(): IndexRole {
    return this.#follower ? roles[this.#follower.state] : "reader";
  }

  #unopenedReason(): string | Reason {
    const failure = this.#failures.last;
    return failure === undefined ? "The database is starting" : { text: unopened, detail: failure };
  }

  /** Opens the database, retrying with backoff, except for errors that the operator must fix. */
  async #open(): Promise<void> {
    const { signal } = this.#ending;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        this.#database ??= await this.#openDatabase(signal);
        await this.#database.confirm({ writes: this.#mode === "write" }, signal);
        this.#standbys ??= await this.#openStandbys(this.#database);
        this.#bus ??= await openBus(this.#context, this.#database);
        this.#context.log.debug("start: the database of the index is open");
        if (!signal.aborted) this.#use(this.#database, this.#bus);
        return;
      } catch (error) {
        this.#failures.failed(error as Error);
        this.#lose();
        if (isSetupError(error)) return;
        // Only creating an embedded database is expensive.
        if (this.#database) pauseMs = firstPauseMs;
        await pause(pauseMs, signal);
      }
    }
  }

  /** An image with which it cannot be opened is not tried again. */
  async #openDatabase(signal: AbortSignal): Promise<Database> {
    const image = this.#failures.last === undefined ? await this.#kept?.find() : undefined;
    const database = await this.#claim.open(signal, image);
    if (image === undefined) this.#kept?.keepFrom(database);
    return database;
  }

  #use(database: Database, bus: Bus): void {
    const { config, now, fallback } = this.#context;
    const { head } = this.#source;
    const answers = this.#standbys ?? database.sql({ statementTimeoutMs: statementsMs(config) });
    if (this.#sent && this.#exchangesSent)
      this.#exchange = MessageExchange.start({ bus, sent: this.#sent.messages, fallback });
    if (this.#mode === "write") this.#follower = this.#follow(database);
    this.#watch = IndexWatch.start({
      database,
      network: config.network,
      zeroState: head.zeroState,
      chainSeqno: () => head.last.seqno,
      versions: this.#versions,
      ...(this.#mode === "write" ? { relay: relayOver(bus, config) } : { bus }),
      now,
      onReadable: (readable) => {
        if (!readable) return this.#lose();
        this.#failures.succeeded();
        void this.#read(database, answers);
      },
      onNews: () => {
        this.#catchUp?.stored(this.#watch!.progress.seqno);
        this.#news.notify();
      },
      onError: this.#failures.failed,
    });
  }

  /** Standbys are tried before: one that is none is refused. */
  async #read(database: Database, answers: SnapshotSource): Promise<void> {
    try {
      if (this.#standbys) await this.#standbys.begin();
    } catch (error) {
      this.#refusal = error as Error;
      this.#failures.failed(this.#refusal);
      this.#lose();
      return;
    }
    if (this.#ending.signal.aborted) return;
    this.#answers = answers;
    this.#catchUp?.stored(this.#watch!.progress.seqno);
    this.#connect();
    this.metadata.start(database);
    this.#keepSent(database);
    this.#measure(database);
    for (const listener of this.#waiting.splice(0)) listener(database);
  }

  /** Answers are read from standbys where some are configured. */
  async #openStandbys(database: Database): Promise<ReadDoors | undefined> {
    if (!this.#isAnswered || this.#context.config.databaseReadUrls.length === 0) return undefined;
    const { config } = this.#context;
    return openStandbys(this.#context, database, {
      versions: this.#versions,
      statementTimeoutMs: statementsMs(config),
    });
  }

  #measure(database: Database): void {
    if (this.#databaseWatch) return;
    const { metrics, now } = this.#context;
    const watch = new DatabaseWatch(database, {
      now,
      withTables: this.#mode === "write",
      fallback: this.#context.fallback,
    });
    this.#databaseWatch = watch;
    metrics.watchDatabase(() => ({
      ...watch.numbers(),
      hearsNotifications: this.#watch?.hears ?? false,
      lostNotifications: this.#watch?.lostNotifications ?? 0,
      hasBus: this.#bus !== undefined && this.#bus.failure === undefined,
      standbys: this.#standbys?.doors ?? [],
    }));
  }

  /** The index is read once it can be, and has what the devnet began with. */
  #connect(): void {
    if (this.#answers && this.#catchUp?.lack === undefined) this.reader.connect(this.#answers);
  }

  #lose(): void {
    this.#answers = undefined;
    this.reader.connect(undefined);
  }

  /** From here on. What was sent while the database was not open is kept as well. */
  #keepSent(database: Database): void {
    if (!this.#sent || this.#keeper) return;
    const { messages, lifetimeMs } = this.#sent;
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
    this.#keeper = keeper;
    for (const { message, at } of messages.own()) keeper.add(message, at);
    messages.onRemembered((message) => keeper.add(message, now()));
    this.#source.events?.onReverted(() => keeper.revert());
  }

  #follow(database: Database): Follower {
    const { config, now, metrics } = this.#context;
    const { api: lite, events } = this.#source;
    const isDevnet = config.network === "devnet";
    return Follower.start({
      database,
      lite,
      events,
      network: config.network,
      from: config.from ?? (isDevnet ? 1 : "head"),
      mayRevert: isDevnet,
      detection: this.#detection,
      classifier: this.#classifier,
      lateClassifier: this.#lateClassifier,
      worker: randomUUID(),
      now,
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
      onMigration: (text) => this.#context.log.info(text),
      fallback: this.#context.fallback,
    });
  }
}
