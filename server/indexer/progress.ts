/** How far an index is. */
export type IndexProgress = {
  /** The newest masterchain block that is stored; 0: none. */
  seqno: number;
  /** The newest one of the chain, as far as is known. */
  chainSeqno: number;
  /** For how long blocks have been missing: at most the age of the newest stored one, 0 while none is missing. */
  lagSec: number;
  /** Masterchain blocks stored per second, lately. */
  blocksPerSec: number;
  /** Time until the rest is stored, at that rate; absent while there is no rate. */
  remainingSec: number | undefined;
  /** What keeps the index from going on, while something does. */
  failure: string | undefined;
};

/** How far planned ranges are filled. */
export type BackfillProgress = {
  /** Masterchain blocks planned, and those of them not stored yet. */
  blocks: number;
  missing: number;
  blocksPerSec: number;
  remainingSec: number | undefined;
};

/** The rate is that of the last half minute. */
const windowMs = 30_000;

/** How fast a count grows, lately. `now` is the wall clock in milliseconds. */
export class RateMeter {
  readonly #now: () => number;
  #marks: { at: number; count: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The rate is counted from here. */
  begin(count: number): void {
    this.#marks = [{ at: this.#now(), count }];
  }

  reached(count: number): void {
    const at = this.#now();
    this.#marks.push({ at, count });
    // The first mark is the one the rate is counted from, so one older than the window stays.
    while (this.#marks.length > 2 && this.#marks[1]!.at < at - windowMs) this.#marks.shift();
  }

  get perSec(): number {
    const [first] = this.#marks;
    const elapsedMs = first ? this.#now() - first.at : 0;
    return first && elapsedMs > 0 ? (1000 * (this.#marks.at(-1)!.count - first.count)) / elapsedMs : 0;
  }

  remainingSec(missing: number): number | undefined {
    const rate = this.perSec;
    if (missing === 0) return 0;
    return rate > 0 ? Math.ceil(missing / rate) : undefined;
  }
}

/** The newest masterchain block that is stored. */
type Stored = { seqno: number; genUtime: number };

/** Keeps count while blocks are stored. `now` is the wall clock in milliseconds. */
export class ProgressMeter {
  readonly #now: () => number;
  readonly #rate: RateMeter;
  #last: Stored = { seqno: 0, genUtime: 0 };
  #chainSeqno = 0;
  /** When nothing was missing for the last time. */
  #levelAt = Number.NEGATIVE_INFINITY;
  #failure: string | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#rate = new RateMeter(now);
  }

  /** Where the index goes on; the rate is counted from here. */
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
    // Where blocks are rare the newest one may be old without anything being late.
    const ageSec = Math.min(this.#now() / 1000 - genUtime, (this.#now() - this.#levelAt) / 1000);
    return {
      seqno,
      chainSeqno: this.#chainSeqno,
      lagSec: missing === 0 ? 0 : Math.max(0, Math.floor(ageSec)),
      blocksPerSec: this.#rate.perSec,
      remainingSec: this.#rate.remainingSec(missing),
      failure: this.#failure,
    };
  }

  get #missing(): number {
    return Math.max(0, this.#chainSeqno - this.#last.seqno);
  }

  #look(): void {
    const isLevel = this.#last.seqno > 0 && this.#chainSeqno > 0 && this.#missing === 0;
    if (isLevel) this.#levelAt = this.#now();
  }
}
