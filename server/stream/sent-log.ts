import type { UnitName } from "../store/queries/blocks/units.js";
import type { Subscription } from "./subscription.js";

type Entry = { seqno: number; trace: string; receiver: Subscription };

const maxUnits = 1000;
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
    if (this.#units.length > 2 * maxUnits) this.#units = this.#units.slice(-maxUnits);
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
