import { statedCells } from "../../../shared/ton/cells/boc-header.js";
import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { answerLimits } from "./answer-limits.js";

/** Parses bags of cells outside of the calling thread. */
export interface BagParser {
  /**
   * Resolves to bytes that `parseBoc` handles instantly, in the same order. Does not reject for invalid bags:
   * `parseBoc` throws for them.
   */
  parse(bags: readonly Uint8Array[]): Promise<Uint8Array[]>;
}

/** Answers with more cells are parsed by the parser: about 10 ms of work. */
const maxCellsHere = 4096;

/**
 * Keeps answers of untrusted servers from occupying the thread that serves: refuses those above the limits of their
 * method before anything is parsed, and has big bags of cells parsed and hashed elsewhere.
 */
export class AnswerGuard {
  readonly #parser: BagParser;

  constructor(parser: BagParser) {
    this.#parser = parser;
  }

  /** Call it before decoding. Throws a ProofError. */
  checkBytes(method: LiteMethod, bytes: number): void {
    const limit = answerLimits[method].bytes;
    if (bytes > limit) throw refused(method, `${bytes} bytes exceed the limit of ${limit}`);
  }

  /**
   * Replaces the bags of a decoded answer by parsed ones if they are big; undefined if they are not. Throws a
   * ProofError.
   */
  parseBags(method: LiteMethod, answer: unknown): Promise<void> | undefined {
    const places = placesOfBags(answer);
    const cells = places.reduce((sum, place) => sum + place.cells, 0);
    const limit = answerLimits[method].cells;
    if (cells > limit) throw refused(method, `${cells} cells exceed the limit of ${limit}`);
    return cells <= maxCellsHere ? undefined : this.#parse(places);
  }

  async #parse(places: readonly Place[]): Promise<void> {
    const parsed = await this.#parser.parse(places.map(({ holder, name }) => holder[name] as Uint8Array));
    for (const [index, { holder, name }] of places.entries()) holder[name] = parsed[index];
  }
}

function refused(method: LiteMethod, reason: string): ProofError {
  return new ProofError(`${method}: the answer is too large: ${reason}`, { method });
}

/** A field or item of an answer that is a bag, with its stated number of cells. */
type Place = { holder: Record<string, unknown>; name: string; cells: number };

function placesOfBags(answer: unknown): Place[] {
  const places: Place[] = [];
  const search = (holder: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value !== "object" || value === null) continue;
      const cells = value instanceof Uint8Array ? statedCells(value) : undefined;
      if (cells !== undefined) places.push({ holder, name, cells });
      // Objects and arrays of a decoded answer are plain.
      else if (!(value instanceof Uint8Array)) search(value as Record<string, unknown>);
    }
  };
  search(answer as Record<string, unknown>);
  return places;
}
