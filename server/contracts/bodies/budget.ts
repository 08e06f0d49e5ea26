import { serializeBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";

/** Nesting of typed references (`^T`) within one body. */
const maxReferences = 64;
/** Limit of the wire text of a body: so many characters, and some more for each byte of its bag of cells. */
const freeCharacters = 16_384;
const charactersPerByte = 16;
/** Cost of a value besides its text: names, quotes, commas. */
const valueCost = 16;

/**
 * Bodies can share cells and so expand without bound. Deliberately no CellError: it ends the whole reading instead of
 * one alternative.
 */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * Limits what is made of one body, with all bodies that are read from its cells. Costs are characters of wire text. What
 * an alternative has spent is refunded if it does not fit, up to the limit in all, so that the budget also bounds the
 * time spent.
 */
export class Budget {
  readonly #body: Cell;
  #references = 0;
  #spent = 0;
  #refunded = 0;
  #limit = freeCharacters;
  #isLimitFinal = false;

  constructor(body: Cell) {
    this.#body = body;
  }

  /** Throws BodyTooLarge if the budget is exceeded. */
  spend(characters: number): void {
    this.#spent += characters;
    if (this.#isWithinLimits()) return;
    // Only large bodies are weighed.
    if (!this.#isLimitFinal) {
      this.#isLimitFinal = true;
      this.#limit += serializeBoc(this.#body, { crc32: false }).length * charactersPerByte;
      if (this.#isWithinLimits()) return;
    }
    throw new BodyTooLarge();
  }

  #isWithinLimits(): boolean {
    return this.#spent <= this.#limit && this.#refunded <= this.#limit;
  }

  /** Reads one of several alternatives. What it has spent is refunded if it throws. */
  attempt<T>(read: () => T): T {
    const spentBefore = this.#spent;
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
