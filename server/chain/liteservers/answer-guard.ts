import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import {
  type BagPlace,
  bagsOfAnswer,
  checkAnswerBytes,
} from "../../../shared/ton/proofs/verify/answer-limits.js";

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
    checkAnswerBytes(method, bytes);
  }

  /**
   * Replaces the bags of a decoded answer by parsed ones if they are big; undefined if they are not. Throws a
   * ProofError.
   */
  parseBags(method: LiteMethod, answer: unknown): Promise<void> | undefined {
    const { places, cells } = bagsOfAnswer(method, answer);
    return cells <= maxCellsHere ? undefined : this.#parse(places);
  }

  async #parse(places: readonly BagPlace[]): Promise<void> {
    const parsed = await this.#parser.parse(places.map(({ holder, name }) => holder[name] as Uint8Array));
    for (const [index, { holder, name }] of places.entries()) holder[name] = parsed[index];
  }
}
