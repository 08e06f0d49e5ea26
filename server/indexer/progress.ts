import type { Stored } from "./range-indexer.js";

/** How far an index is. */
export type IndexProgress = {
  /** The newest masterchain block that is stored; 0: none. */
  seqno: number;
  /** The newest one of the chain, as far as is known. */
  chainSeqno: number;
  /** Age of the newest stored block compared with the clock, 0 while nothing of the chain is missing. */
  lagSec: number;
  /** Masterchain blocks stored per second, lately. */
  blocksPerSec: number;
  /** Time until the rest is stored, at that rate; absent while there is no rate. */
  remainingSec: number | undefined;
  /** What keeps the index from going on, while something does. */
  failure: string | undefined;
};

/** The rate is that of the last half minute. */
const windowMs = 30_000;

/** Keeps count while blocks are stored. `now` is the wall clock in milliseconds. */
export class ProgressMeter {
  readonly #now: () => number;
  #last: Stored = { seqno: 0, genUtime: 0 };
  #chainSeqno = 0;
  #failure: string | undefined;
  #marks: { at: number; seqno: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Where the index goes on; the rate is counted from here. */
  begin(last: Stored): void {
    this.#last = last;
    this.#marks = [{ at: this.#now(), seqno: last.seqno }];
  }

  stored(last: Stored): void {
    const now = this.#now();
    this.#last = last;
    this.#failure = undefined;
    this.#marks.push({ at: now, seqno: last.seqno });
    // The first mark is the one the rate is counted from, so one older than the window stays.
    while (this.#marks.length > 2 && this.#marks[1]!.at < now - windowMs) this.#marks.shift();
  }

  chainIsAt(seqno: number): void {
    this.#chainSeqno = seqno;
  }

  failed(error: Error): void {
    this.#failure = error.message;
  }

  get progress(): IndexProgress {
    const { seqno, genUtime } = this.#last;
    const missing = Math.max(0, this.#chainSeqno - seqno);
    const rate = this.#rate();
    return {
      seqno,
      chainSeqno: this.#chainSeqno,
      lagSec: missing === 0 ? 0 : Math.max(0, Math.floor(this.#now() / 1000) - genUtime),
      blocksPerSec: rate,
      remainingSec: missing === 0 ? 0 : rate > 0 ? Math.ceil(missing / rate) : undefined,
      failure: this.#failure,
    };
  }

  #rate(): number {
    const [first] = this.#marks;
    const elapsedMs = first ? this.#now() - first.at : 0;
    return first && elapsedMs > 0 ? (1000 * (this.#last.seqno - first.seqno)) / elapsedMs : 0;
  }
}
