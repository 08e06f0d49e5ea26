import type { UnitName } from "../store/queries/units.js";
import { unitMark } from "./event-key.js";

const maxUnits = 10_000;

/** Blocks that were reverted, and the last block before them that was not. */
export class Reverts {
  readonly #bases = new Map<string, UnitName>();
  #count = 0;

  /** How many times blocks were taken back. */
  get count(): number {
    return this.#count;
  }

  /** The index has taken some blocks back, down to one that stays. */
  add(reverted: readonly UnitName[], base: UnitName): void {
    this.#count++;
    for (const [name, known] of this.#bases) if (known.seqno > base.seqno) this.#bases.set(name, base);
    for (const unit of reverted) this.#bases.set(nameOf(unit.seqno, unitMark(unit)), base);
    while (this.#bases.size > maxUnits) this.#bases.delete(this.#bases.keys().next().value!);
  }

  /** The last valid block below a reverted one, if that is known. */
  baseOf(seqno: number, mark: string): UnitName | undefined {
    return this.#bases.get(nameOf(seqno, mark));
  }
}

function nameOf(seqno: number, mark: string): string {
  return `${seqno} ${mark}`;
}
