import { deleteOldest } from "../../shared/values/lookups.js";
import type { UnitName } from "../store/queries/blocks/units.js";
import { unitMark } from "./subscriptions/event-key.js";
import type { Subscription } from "./subscriptions/subscription.js";

const maxRevertedUnits = 10_000;

/** Reverted blocks, each with the last valid block below it. */
export class Reverts {
  readonly #bases = new Map<string, UnitName>();
  #count = 0;

  /** Number of reverts. */
  get count(): number {
    return this.#count;
  }

  /** Records a revert of the index down to `base`, which stays. */
  add(reverted: readonly UnitName[], base: UnitName): void {
    this.#count++;
    for (const [name, known] of this.#bases) if (known.seqno > base.seqno) this.#bases.set(name, base);
    for (const unit of reverted) this.#bases.set(nameOf(unit.seqno, unitMark(unit)), base);
    while (this.#bases.size > maxRevertedUnits) deleteOldest(this.#bases);
  }

  /** The last valid block below a reverted one, if known. */
  baseOf(seqno: number, mark: string): UnitName | undefined {
    return this.#bases.get(nameOf(seqno, mark));
  }
}

function nameOf(seqno: number, mark: string): string {
  return `${seqno} ${mark}`;
}

type Entry = { seqno: number; trace: string; receiver: Subscription };

const maxSentUnits = 1000;
const maxEntries = 100_000;

/** The last sent blocks, and which subscription received which trace in them: the events that a revert makes void. */
export class SentLog {
  #units: UnitName[] = [];
  #entries: Entry[] = [];

  /** Ascending. */
  get units(): readonly UnitName[] {
    return this.#units;
  }

  reached(unit: UnitName): void {
    // Copied: a short value of the database shares, and would keep alive, the 8 kB buffer it was cut from.
    this.#units.push({ ...unit, rootHash: new Uint8Array(unit.rootHash) });
    if (this.#units.length > 2 * maxSentUnits) this.#units = this.#units.slice(-maxSentUnits);
  }

  add(seqno: number, trace: string, receiver: Subscription): void {
    this.#entries.push({ seqno, trace, receiver });
    if (this.#entries.length > 2 * maxEntries) this.#entries = this.#entries.slice(-maxEntries);
  }

  /** Drops the blocks above one. Returns their traces with the receivers. */
  takeAbove(seqno: number): Pick<Entry, "trace" | "receiver">[] {
    const above = this.#entries.filter((entry) => entry.seqno > seqno);
    this.#entries = this.#entries.filter((entry) => entry.seqno <= seqno);
    this.#units = this.#units.filter((unit) => unit.seqno <= seqno);
    return above;
  }
}
