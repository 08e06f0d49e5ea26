import { NamedError } from "../../values/named-error.js";
import { serializeBoc } from "../cells/boc/boc.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";

/** Nesting of typed references (`^T`) within one body. */
const maxReferences = 64;
/** Limit on the wire text of a body: a fixed number of characters, and more for each byte of its bag of cells. */
const freeCharacters = 16_384;
const charactersPerByte = 16;
/** Cost of a value in addition to its text: quotes, commas. */
const valueCost = 16;
/** Costs between two looks at the clock. */
const costsPerLook = 4;
/** Time that counts between two looks. Other work may have interrupted them for longer. */
const maxMsPerLook = 5;

/**
 * Bodies can share cells and so expand without bound. Deliberately no CellError: it ends the whole reading instead of
 * one alternative.
 */
export class BodyTooLarge extends NamedError {
  static override readonly name = "BodyTooLarge";
}

/**
 * Limits the output of one body with all bodies read from its cells. Costs are characters of wire text. The cost of an
 * alternative that does not fit is refunded, up to a total limit, so that the budget also bounds the time spent.
 */
export class Budget {
  readonly #body: Cell | undefined;
  #references = 0;
  #spent = 0;
  #refunded = 0;
  #limit: number;
  #isLimitFinal: boolean;
  #msLeft: number;
  #lookedAt = performance.now();
  #costs = 0;

  /** Without a body the limit is the given number of characters. `maxMs` is for types that others have made. */
  constructor(body: Cell | undefined, limit = freeCharacters, maxMs = Number.POSITIVE_INFINITY) {
    this.#body = body;
    this.#limit = limit;
    this.#isLimitFinal = body === undefined;
    this.#msLeft = maxMs;
  }

  /** Throws BodyTooLarge if the budget is exceeded. */
  spend(characters: number): void {
    this.#spent += characters;
    if (++this.#costs % costsPerLook === 0) this.#look();
    if (this.#msLeft < 0) throw new BodyTooLarge();
    if (this.#isWithinLimits()) return;
    // The size is computed only for large bodies.
    if (this.#body && !this.#isLimitFinal) {
      this.#isLimitFinal = true;
      this.#limit += serializeBoc(this.#body, { crc32: false }).length * charactersPerByte;
      if (this.#isWithinLimits()) return;
    }
    throw new BodyTooLarge();
  }

  #isWithinLimits(): boolean {
    return this.#spent <= this.#limit && this.#refunded <= this.#limit;
  }

  #look(): void {
    const now = performance.now();
    this.#msLeft -= Math.min(now - this.#lookedAt, maxMsPerLook);
    this.#lookedAt = now;
  }

  /** Whether the time or the attempts that failed have used it up, so that no other one can succeed. */
  get isExhausted(): boolean {
    return this.#msLeft < 0 || (this.#isLimitFinal && this.#refunded > this.#limit);
  }

  /** Reads one of several alternatives. Its cost is refunded if it throws. */
  attempt<T>(read: () => T): T {
    const spentBefore = this.#spent;
    // Time between attempts belongs to other work.
    this.#lookedAt = performance.now();
    try {
      return read();
    } catch (error) {
      this.#refunded += this.#spent - spentBefore;
      this.#spent = spentBefore;
      throw error;
    }
  }

  spendValue(): void {
    this.spend(valueCost);
  }

  /** Reads behind a typed reference; throws a CellError if references nest too deeply. */
  follow<T>(read: () => T): T {
    if (this.#references >= maxReferences) throw new CellError("invalid", "typed references nest too deeply");
    this.#references++;
    try {
      return read();
    } finally {
      this.#references--;
    }
  }
}

/** The result of `read`; `undefined` if it exceeds its budget. */
export function withinBudget<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}
