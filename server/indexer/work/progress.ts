/** Progress of an index. */
import { itemAt } from "../../../shared/values/lookups.js";
export type IndexProgress = {
  /** The newest stored masterchain block; 0: none. */
  seqno: number;
  /** The newest known masterchain block of the chain. */
  chainSeqno: number;
  /**
   * How long blocks have been missing, in seconds: at most the age of the newest stored one; 0 if none is missing,
   * `undefined` if none is stored.
   */
  lagSec: number | undefined;
  /** Masterchain blocks stored per second, averaged over the window. */
  blocksPerSec: number;
  /** Estimated time until the remaining blocks are stored; `undefined` while the rate is 0. */
  remainingSec: number | undefined;
  /** The message of the current failure. */
  failure: string | undefined;
};

/** Progress of the planned ranges. */
export type BackfillProgress = {
  /** Planned masterchain blocks, and those not stored yet. */
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

/** An index is level with the chain up to so many blocks, which may be made while the last ones are stored. */
export const levelBlocks = 10;
/** Window of the rate. */
const windowMs = 30_000;

/** The rate of a growing count. `now` is the wall clock in milliseconds. */
export class RateMeter {
  readonly #now: () => number;
  #marks: { at: number; count: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Resets the rate. */
  begin(count: number): void {
    this.#marks = [{ at: this.#now(), count }];
  }

  reached(count: number): void {
    const at = this.#now();
    this.#marks.push({ at, count });
    // The first mark is the base of the rate, so keep one mark older than the window.
    while (this.#marks.length > 2 && itemAt(this.#marks, 1).at < at - windowMs) this.#marks.shift();
  }

  get perSec(): number {
    const [first] = this.#marks;
    const elapsedMs = first ? this.#now() - first.at : 0;
    return first && elapsedMs > 0 ? (1000 * (itemAt(this.#marks, -1).count - first.count)) / elapsedMs : 0;
  }

  remainingSec(missing: number): number | undefined {
    const rate = this.perSec;
    if (missing === 0) return 0;
    return rate > 0 ? Math.ceil(missing / rate) : undefined;
  }
}

/** The newest masterchain block that is stored. */
type Stored = { seqno: number; genUtime: number };

/** Tracks progress while blocks are stored. `now` is the wall clock in milliseconds. */
export class ProgressMeter {
  readonly #now: () => number;
  readonly #rate: RateMeter;
  #last: Stored = { seqno: 0, genUtime: 0 };
  #chainSeqno = 0;
  /** The last time when no block was missing. */
  #levelAt = Number.NEGATIVE_INFINITY;
  #failure: string | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#rate = new RateMeter(now);
  }

  /** Sets the starting point and resets the rate. */
  begin(last: Stored): void {
    this.#last = last;
    this.#failure = undefined;
    this.#rate.begin(last.seqno);
  }

  stored(last: Stored): void {
    this.#last = last;
    this.#failure = undefined;
    this.#rate.reached(last.seqno);
    this.#look();
  }

  chainIsAt(seqno: number): void {
    this.#look();
    this.#chainSeqno = seqno;
  }

  failed(error: Error): void {
    this.#failure = error.message;
  }

  recovered(): void {
    this.#failure = undefined;
  }

  get progress(): IndexProgress {
    this.#look();
    const { seqno, genUtime } = this.#last;
    const missing = this.#missing;
    return {
      seqno,
      chainSeqno: this.#chainSeqno,
      lagSec: seqno === 0 ? undefined : missing === 0 ? 0 : this.#secSince(genUtime),
      blocksPerSec: this.#rate.perSec,
      remainingSec: this.#rate.remainingSec(missing),
      failure: this.#failure,
    };
  }

  /** On a chain with infrequent blocks the newest one may be old although none is missing. */
  #secSince(genUtime: number): number {
    const ageSec = Math.min(this.#now() / 1000 - genUtime, (this.#now() - this.#levelAt) / 1000);
    return Math.max(0, Math.floor(ageSec));
  }

  get #missing(): number {
    return Math.max(0, this.#chainSeqno - this.#last.seqno);
  }

  #look(): void {
    const isLevel = this.#last.seqno > 0 && this.#chainSeqno > 0 && this.#missing === 0;
    if (isLevel) this.#levelAt = this.#now();
  }
}
