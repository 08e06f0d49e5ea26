import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { failureText } from "../errors.js";
import type { Reason } from "../observe/health.js";
import { Either } from "../os/either.js";
import { pause } from "../os/pause.js";
import type { Database, Sql } from "../store/database.js";
import { schemaLack } from "../store/migrate.js";
import {
  type Gaps,
  noGaps,
  type PlacedGap,
  placeGaps,
  readGaps,
} from "../store/queries/upkeep/index-gaps.js";
import { readMeta } from "../store/queries/upkeep/index-meta.js";
import { type IndexPosition, indexChannel, readPosition } from "../store/queries/upkeep/index-ranges.js";
import { type QueueLength, readQueueLength } from "../store/queries/upkeep/recognition-queue.js";
import { isPassing } from "./failures.js";
import { confirmIdentity, type Identity } from "./identity.js";
import { type BackfillProgress, type IndexProgress, ProgressMeter, RateMeter } from "./progress.js";

export type WatchSetting = Identity & {
  database: Database;
  /** Seqno of the newest known masterchain block of the chain. */
  chainSeqno: () => number;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Called when the index becomes readable (its schema is current and it belongs to the chain) or unreadable. */
  onReadable: (readable: boolean) => void;
  /** Called when the index has changed or may have. */
  onNews?: () => void;
  onError: (error: Error) => void;
};

/** Maximum interval between reads of the index head, in case a notification is lost. */
const lookEveryMs = 5000;
/** Minimum interval between reads of the index head. */
const leastPauseMs = 500;
const retryMs = 500;
/** Interval of schema checks while it is outdated: a running indexer migrates it immediately. */
const schemaMs = 100;
/** Long enough for PGlite to store a batch of blocks first. */
const statementTimeoutMs = 10_000;

/** Watches the state of the index in a database, whichever process writes it. Read-only. */
export class IndexWatch {
  readonly #setting: WatchSetting;
  readonly #database: Sql;
  readonly #meter: ProgressMeter;
  readonly #rate: RateMeter;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #news = new AbortController();
  /** Counts notified and detected changes; `#changesSeen` is the count at the last read of the head. */
  #changes = 0;
  #changesSeen = 0;
  /** `#changes` as text, since every call reads it. */
  #current = "0";
  #isThere = false;
  #isOwn = false;
  #seen: string | undefined;
  #planned: Pick<BackfillProgress, "blocks" | "missing"> | undefined;
  #queue: QueueLength | undefined;
  #hasCaughtUp = false;
  #gaps: Gaps<PlacedGap> = noGaps;
  #gapsSeen = JSON.stringify(noGaps);
  #lack: string | undefined;
  #failure: Error | undefined;

  private constructor(setting: WatchSetting) {
    this.#setting = setting;
    this.#database = setting.database.sql({ connections: 1, statementTimeoutMs });
    this.#meter = new ProgressMeter(setting.now);
    this.#rate = new RateMeter(setting.now);
    setMaxListeners(0, this.#ending.signal);
    this.#ended = this.#run();
  }

  /** Starts watching in the background. */
  static start(setting: WatchSetting): IndexWatch {
    return new IndexWatch(setting);
  }

  /** A version of the index that differs after each change; `undefined` while notifications may be lost. */
  get current(): string | undefined {
    return this.#isThere ? this.#current : undefined;
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

  /** Missing masterchain blocks between stored ones. */
  get gaps(): Gaps<PlacedGap> {
    return this.#gaps;
  }

  /** The reason why the index cannot be read; `undefined` if it can. */
  unavailableReason(): string | Reason | undefined {
    if (this.#isThere) return undefined;
    if (this.#failure) return { text: "database is not available", detail: failureText(this.#failure) };
    return this.#lack ?? "The database is being connected";
  }

  /** Call after reading a block of the index that may not have been notified yet. */
  saw(): void {
    this.#changed();
  }

  async close(): Promise<void> {
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
    const listening = await database.listen(indexChannel, () => this.#notified(), this.#ending.signal);
    try {
      const signal = AbortSignal.any([this.#ending.signal, listening.lost]);
      setMaxListeners(0, signal);
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
        const either = new Either(signal, this.#news.signal);
        await pause(lookEveryMs, either.signal);
        either.clear();
        signal.throwIfAborted();
      }
    } catch (error) {
      listening.lost.throwIfAborted();
      throw error;
    } finally {
      await listening.release();
    }
  }

  async #schema(): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      this.#lack = await schemaLack(this.#database, this.#setting.database.emptyCommand);
      if (this.#lack === undefined) return;
      await wait(schemaMs, undefined, { signal });
    }
  }

  #notified(): void {
    this.#changed();
    this.#setting.onNews?.();
    this.#news.abort();
  }

  #changed(): void {
    this.#current = String(++this.#changes);
  }

  async #look(): Promise<void> {
    this.#isOwn ||= await confirmIdentity(this.#database, this.#setting);
    this.#take(await readPosition(this.#database));
    this.#queue = await readQueueLength(this.#database);
    this.#hasCaughtUp ||= (await readMeta(this.#database, ["caught_up_at"])).length > 0;
    await this.#lookForGaps();
  }

  /** Invalidates cached answers that mention gaps when the gaps change. */
  async #lookForGaps(): Promise<void> {
    const gaps = await readGaps(this.#database);
    const seen = JSON.stringify(gaps);
    if (seen === this.#gapsSeen) return;
    this.#gaps = await placeGaps(this.#database, gaps);
    this.#gapsSeen = seen;
    this.#changed();
    this.#changesSeen = this.#changes;
  }

  #take({ last, gen_utime, blocks, missing }: IndexPosition): void {
    const seen = `${last} ${gen_utime} ${missing}`;
    const wasHeard = this.#changes !== this.#changesSeen;
    if (seen !== this.#seen && !wasHeard) this.#changed();
    this.#changesSeen = this.#changes;
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
