import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { serializeBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";

/** What a body says: `@type`, then the fields of its scheme. */
export type Decoded = { "@type": string; [field: string]: unknown };

/** Bodies inside bodies that are shown by what they say; deeper ones stay bags. */
const maxBodies = 10;
/** References that typed fields follow into each other. */
const maxReferences = 64;
/** A body may be told in so many characters, and in some more for each byte it has. */
const freeCharacters = 16_384;
const charactersPerByte = 16;

/** Thrown through all alternatives: a body that shares cells can say more than anybody wants to read. */
export class TooMuchToTell extends Error {
  override readonly name = "TooMuchToTell";
}

/** The decoding of one body, with all that lies in it. */
export class Reading {
  readonly #body: Cell;
  readonly #decode: (body: Cell, reading: Reading) => Decoded | undefined;
  #bodies = 0;
  #references = 0;
  #characters = 0;
  #limit = freeCharacters;
  #isLimitFinal = false;

  constructor(body: Cell, decode: (body: Cell, reading: Reading) => Decoded | undefined) {
    this.#body = body;
    this.#decode = decode;
  }

  /** What bounds the time as well: nothing is read that is not told, and what does not fit after all counts too. */
  spend(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= this.#limit) return;
    if (!this.#isLimitFinal) {
      this.#isLimitFinal = true;
      this.#limit += serializeBoc(this.#body, { crc32: false }).length * charactersPerByte;
      if (this.#characters <= this.#limit) return;
    }
    throw new TooMuchToTell();
  }

  /** A cell by what it says, else as a bag. */
  show(cell: Cell): unknown {
    if (cell.bits === 0 && cell.refCount === 0 && !cell.exotic) return { "@type": "empty_cell" };
    if (this.#bodies < maxBodies) {
      this.#bodies++;
      const decoded = this.#decode(cell, this);
      this.#bodies--;
      if (decoded) return decoded;
    }
    return this.told(bytesToBase64(serializeBoc(cell, { crc32: false })));
  }

  told(text: string): string {
    this.spend(text.length);
    return text;
  }

  follow<T>(read: () => T): T {
    if (this.#references >= maxReferences) throw new CellError("invalid", "references go too deep");
    this.#references++;
    try {
      return read();
    } finally {
      this.#references--;
    }
  }
}
