import { deleteOldest } from "../../shared/values/lookups.js";
import type { UnitName } from "../store/queries/blocks/units.js";
import { unitMark } from "./event-key.js";

const maxUnits = 10_000;

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
    while (this.#bases.size > maxUnits) deleteOldest(this.#bases);
  }

  /** The last valid block below a reverted one, if known. */
  baseOf(seqno: number, mark: string): UnitName | undefined {
    return this.#bases.get(nameOf(seqno, mark));
  }
}

function nameOf(seqno: number, mark: string): string {
  return `${seqno} ${mark}`;
}
