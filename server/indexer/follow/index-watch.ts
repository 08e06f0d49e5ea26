import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { failureText } from "../../errors.js";
import type { Reason } from "../../observe/health.js";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";
import type { Database, Sql } from "../../store/database.js";
import { versionIn } from "../../store/database.js";
import { isForbidden, missingRights } from "../../store/database-errors.js";
import { schemaLack } from "../../store/migrate/migrate.js";
import { type BootstrappedState, readStates } from "../../store/queries/upkeep/bootstraps.js";
import {
  type Gaps,
  noGaps,
  type PlacedGap,
  placeGaps,
  readGaps,
} from "../../store/queries/upkeep/index-gaps.js";
import { readMeta } from "../../store/queries/upkeep/index-meta.js";
import { type IndexPosition, readPosition } from "../../store/queries/upkeep/index-ranges.js";
import { indexChannel, readIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { notifyEach } from "../../store/queries/upkeep/notifications.js";
import { type QueueLength, readQueueLength } from "../../store/queries/upkeep/recognition-queue.js";
import { IndexVersions } from "../../store/reads/index-versions.js";
import { isPassing } from "../work/failures.js";
import { type BackfillProgress, type IndexProgress, ProgressMeter, RateMeter } from "../work/progress.js";
import { type Bus, databaseBus } from "./bus.js";
import { confirmIdentity, type Identity } from "./identity.js";
import { NotificationCheck } from "./notification-check.js";

type WatchSetting = Identity & {
  database: Database;
  /** Seqno of the newest known masterchain block of the chain. */
  chainSeqno: () => number;
  /** Receives the versions that are heard of; by default they are for this watch alone. */
  versions?: IndexVersions;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Interval of the checks whether notifications arrive, and how long one may take, ms. */
  check?: { everyMs?: number; maxMs?: number };
  /** How it hears of changes; by default from the database. */
  bus?: Bus | undefined;
  /** Receives what it hears, for processes that do not hear it from the database. */
  relay?: ((text: string) => void) | undefined;
  /** Called when the index becomes readable (its schema is current and it belongs to the chain) or unreadable. */
  onReadable: (readable: boolean) => void;
  /** Called when the index has changed or may have. */
  onNews?: () => void;
  onError: (error: Error) => void;
};

export const connecting = "The database is being connected";
/** Maximum interval between reads of the index head, in case a notification is lost. */
const lookEveryMs = 5000;
/** Minimum interval between reads of the index head. */
const leastPauseMs = 500;
const retryMs = 500;
/** Interval of schema checks while it is outdated: a running indexer migrates it immediately. */
const schemaMs = 100;
/** Long enough for PGlite to store a batch of blocks first. */
const statementTimeoutMs = 10_000;

/** Watches the state of the index in a database, also if another process writes it. Read-only. */
export class IndexWatch {
  readonly #setting: WatchSetting;
  readonly #database: Sql;
  readonly #meter: ProgressMeter;
  readonly #rate: RateMeter;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  readonly #versions: IndexVersions;
  readonly #check: NotificationCheck;
  readonly #bus: Bus;
  readonly #forget: () => void;
  #news = new AbortController();
  /** Counts the changes of answers that no version tells of. */
  #edition = 0;
  #isThere = false;
  #isOwn = false;
  #seen: string | undefined;
  #planned: Pick<BackfillProgress, "blocks" | "missing"> | undefined;
  #queue: QueueLength | undefined;
  #hasCaughtUp = false;
  #gaps: Gaps<PlacedGap> = noGaps;
  #first: number | undefined;
  #states: readonly BootstrappedState[] = [];
  #gapsSeen = JSON.stringify(noGaps);
  #lack: string | undefined;
  #failure: Error | undefined;
  #refusal: Error | undefined;

  private constructor(setting: WatchSetting) {
    this.#setting = setting;
    this.#database = setting.database.sql({ connections: 1, statementTimeoutMs });
    this.#versions = setting.versions ?? new IndexVersions();
    this.#check = new NotificationCheck({
      ...setting.check,
      send: (text) => notifyEach(this.#database, indexChannel, [text]),
      onChange: () => this.#checked(),
    });
    this.#bus = setting.bus ?? databaseBus(setting.database);
    this.#forget = this.#bus.onChange(() => this.#checked());
    this.#meter = new ProgressMeter(setting.now);
    this.#rate = new RateMeter(setting.now);
    setMaxListeners(0, this.#ending.signal);
    this.#ended = this.#run();
  }

  /** Starts watching in the background. */
  static start(setting: WatchSetting): IndexWatch {
    return new IndexWatch(setting);
  }

  /** A state of the index that differs after each change; `undefined` while notifications may be lost. */
  get current(): string | undefined {
    return this.#isThere && this.hears ? `${this.#versions.newest?.n} ${this.#edition}` : undefined;
  }

  /** Whether notifications of the database arrive, by whatever carries them. */
  get hears(): boolean {
    return !this.#check.isFailing && this.#bus.failure === undefined;
  }

  /** Notifications to itself that did not arrive in time. */
  get lostNotifications(): number {
    return this.#check.lost;
  }

  get progress(): IndexProgress {
    this.#meter.chainIsAt(this.#setting.chainSeqno());
    return this.#meter.progress;
  }

  /** Progress of the ranges with an end; `undefined` if there are none. */
  get backfill(): BackfillProgress | undefined {
    const rate = this.#rate;
    const planned = this.#planned;
    return (
      planned && {
        ...planned,
        blocksPerSec: rate.perSec,
        remainingSec: rate.remainingSec(planned.missing),
      }
    );
  }

  /** The accounts waiting for recognition; `undefined` until they are counted. */
  get queue(): QueueLength | undefined {
    return this.#queue;
  }

  /** Whether the index has ever reached the chain's head. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp;
  }

  /** The first block from which on none is missing; `undefined` while nothing is stored. */
  get first(): number | undefined {
    return this.#first;
  }

  /** States whose accounts are stored, or are being stored, without the blocks before. */
  get states(): readonly BootstrappedState[] {
    return this.#states;
  }

  /** Missing masterchain blocks between stored ones. */
  get gaps(): Gaps<PlacedGap> {
    return this.#gaps;
  }

  /** Whether the index cannot be read because the user of the database lacks a right. */
  get isForbidden(): boolean {
    return isForbidden(this.#failure);
  }

  /** The reason why the index cannot be read; `undefined` if it can. */
  unavailableReason(): string | Reason | undefined {
    if (this.#isThere) return undefined;
    if (!this.#failure) return this.#lack ?? connecting;
    const text = this.isForbidden ? missingRights : "database is not available";
    return { text, detail: failureText(this.#failure) };
  }

  /** Whether it has just begun, and knows nothing of the index yet. */
  get isConnecting(): boolean {
    return this.unavailableReason() === connecting;
  }

  /** Call after reading a block of the index that may not have been notified yet. */
  saw(): void {
    this.#edition++;
  }

  /**
   * Call when the user of the database lacks a right for an answer, which nothing that is read here may need: the index is
   * unreadable until the next look at it.
   */
  refused(error: Error): void {
    this.#refusal = error;
    this.#news.abort();
  }

  async close(): Promise<void> {
    this.#forget();
    this.#ending.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        this.#lose(error as Error);
        const pauseMs = isPassing(error as Error) ? retryMs : lookEveryMs;
        await pause(pauseMs, signal);
      }
    }
  }

  async #watch(): Promise<never> {
    const { database, onReadable, onNews } = this.#setting;
    await this.#schema();
    this.#refusal = undefined;
    const listening = await this.#bus.subscribe(
      indexChannel,
      (text) => this.#notified(text),
      this.#ending.signal,
    );
    const checking = new AbortController();
    try {
      const signal = AbortSignal.any([this.#ending.signal, listening.lost]);
      setMaxListeners(0, signal);
      // An embedded database notifies within this process.
      if (database.isConcurrent) void this.#check.run(AbortSignal.any([signal, checking.signal]));
      this.#versions.begin(await readIndexVersion(this.#database));
      this.#edition++;
      this.#seen = undefined;
      this.#isOwn = false;
      for (;;) {
        this.#news = new AbortController();
        await this.#look();
        if (!this.#isThere) onReadable(true);
        onNews?.();
        this.#isThere = true;
        this.#failure = undefined;
        this.#meter.recovered();
        await wait(leastPauseMs, undefined, { signal });
        const first = new FirstSignal(signal, this.#news.signal);
        // Streams wait for what it sees, where nothing is heard.
        await pause(this.hears ? lookEveryMs : retryMs, first.signal);
        first.clear();
        signal.throwIfAborted();
        if (this.#refusal) throw this.#refusal;
      }
    } catch (error) {
      listening.lost.throwIfAborted();
      throw error;
    } finally {
      checking.abort();
      await listening.release();
    }
  }

  /** Answers cached before the first notification was lost may be old. */
  #checked(): void {
    this.#edition++;
    this.#news.abort();
  }

  async #schema(): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      this.#lack = await schemaLack(this.#database, this.#setting.database.emptyCommand);
      if (this.#lack === undefined) return;
      await wait(schemaMs, undefined, { signal });
    }
  }

  #notified(text: string): void {
    this.#setting.relay?.(text);
    if (this.#check.heard(text)) return;
    const version = versionIn(text);
    if (version) this.#versions.saw(version);
    this.#setting.onNews?.();
    this.#news.abort();
  }

  async #look(): Promise<void> {
    this.#isOwn ||= await confirmIdentity(this.#database, this.#setting);
    this.#versions.saw(await readIndexVersion(this.#database));
    this.#take(await readPosition(this.#database));
    this.#queue = await readQueueLength(this.#database);
    this.#hasCaughtUp ||= (await readMeta(this.#database, ["caught_up_at"])).length > 0;
    this.#states = await readStates(this.#database);
    await this.#lookForGaps();
  }

  /** Invalidates cached answers that mention gaps when the gaps change. */
  async #lookForGaps(): Promise<void> {
    const gaps = await readGaps(this.#database);
    const seen = JSON.stringify(gaps);
    if (seen === this.#gapsSeen) return;
    this.#gaps = await placeGaps(this.#database, gaps);
    this.#gapsSeen = seen;
    this.#edition++;
  }

  #take({ first, last, gen_utime, blocks, missing }: IndexPosition): void {
    this.#first = first ?? undefined;
    const seen = `${last} ${gen_utime} ${missing}`;
    if (seen === this.#seen) return;
    const stored = { seqno: last ?? 0, genUtime: Number(gen_utime ?? 0n) };
    const filled = Number((blocks ?? 0n) - (missing ?? 0n));
    if (this.#seen === undefined) {
      this.#meter.begin(stored);
      this.#rate.begin(filled);
    } else {
      this.#meter.stored(stored);
      this.#rate.reached(filled);
    }
    this.#planned = blocks === null ? undefined : { blocks: Number(blocks), missing: Number(missing) };
    this.#seen = seen;
  }

  #lose(error: Error): void {
    const { onReadable, onError } = this.#setting;
    this.#isThere = false;
    this.#failure = error;
    this.#meter.failed(error);
    // Reads of an unreachable database fail anyway. Reads of a foreign index must be prevented.
    if (!isPassing(error)) onReadable(false);
    onError(error);
  }
}
