import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Sql } from "../store/database.js";
import { schemaLack } from "../store/migrate.js";
import { type IndexPosition, indexChannel, readPosition } from "../store/queries/index-ranges.js";
import { isPassing } from "./failures.js";
import { confirmIdentity, type Identity } from "./identity.js";
import { type BackfillProgress, type IndexProgress, ProgressMeter, RateMeter } from "./progress.js";

export type WatchSetting = Identity & {
  database: Database;
  /** Seqno of the chain's newest masterchain block, as far as is known. */
  chainSeqno: () => number;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Answers can be read from now on, or no longer: the schema is there, and the index is that of the chain. */
  onReadable: (readable: boolean) => void;
  onError: (error: Error) => void;
};

/** Changes are heard of; where that fails unnoticed, they are seen so much later. */
const lookEveryMs = 5000;
/** Where blocks come faster than that, where they end is not read each time. */
const leastPauseMs = 500;
const retryMs = 500;
/** Whoever writes brings the schema up to date within moments, if it is there. */
const schemaMs = 100;
/** An engine inside this process may be busy with a batch of blocks. */
const statementTimeoutMs = 10_000;

/** Where the index in a database stands, whichever process writes it; nothing is written here. */
export class IndexWatch {
  readonly #setting: WatchSetting;
  readonly #database: Sql;
  readonly #meter: ProgressMeter;
  readonly #rate: RateMeter;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #news = new AbortController();
  /** Counts changes that were heard of, or seen without; and how many there were at the last look. */
  #changes = 0;
  #changesSeen = 0;
  /** The former as text, as every call asks for it. */
  #current = "0";
  #isThere = false;
  #isOwn = false;
  #seen: string | undefined;
  #planned: Pick<BackfillProgress, "blocks" | "missing"> | undefined;
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

  /** Begins at once, in the background. */
  static start(setting: WatchSetting): IndexWatch {
    return new IndexWatch(setting);
  }

  /** Another text after every change; `undefined` while changes may not be heard of. */
  get current(): string | undefined {
    return this.#isThere ? this.#current : undefined;
  }

  get progress(): IndexProgress {
    this.#meter.chainIsAt(this.#setting.chainSeqno());
    return this.#meter.progress;
  }

  /** Of the ranges that have an end; absent when there are none. */
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

  /** Why the index cannot be read, while that is so. */
  unavailableReason(): string | undefined {
    return this.#isThere
      ? undefined
      : (this.#failure?.message ?? this.#lack ?? "The database is being connected");
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
        await wait(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #watch(): Promise<never> {
    const { database, onReadable } = this.#setting;
    await this.#schema();
    const listening = await database.listen(indexChannel, () => this.#heard(), this.#ending.signal);
    try {
      const signal = AbortSignal.any([this.#ending.signal, listening.lost]);
      setMaxListeners(0, signal);
      this.#seen = undefined;
      this.#isOwn = false;
      for (;;) {
        this.#news = new AbortController();
        await this.#look();
        if (!this.#isThere) onReadable(true);
        this.#isThere = true;
        this.#failure = undefined;
        this.#meter.recovered();
        await wait(leastPauseMs, undefined, { signal });
        const either = AbortSignal.any([signal, this.#news.signal]);
        await wait(lookEveryMs, undefined, { signal: either }).catch(() => {});
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
      this.#lack = await schemaLack(this.#database);
      if (this.#lack === undefined) return;
      await wait(schemaMs, undefined, { signal });
    }
  }

  #heard(): void {
    this.#changed();
    this.#news.abort();
  }

  #changed(): void {
    this.#current = String(++this.#changes);
  }

  async #look(): Promise<void> {
    this.#isOwn ||= await confirmIdentity(this.#database, this.#setting);
    this.#take(await readPosition(this.#database));
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
    // A database that is away says so to whoever asks; one that is not ours must not be asked.
    if (!isPassing(error)) onReadable(false);
    onError(error);
  }
}
