import { roleSeed } from "../role-seed.js";

/** Random seeds of blocks. They are derived from the devnet's seed, so equal chains have equal blocks. */
export class BlockSeeds {
  readonly #seed: string;
  /** The seed requested for both blocks of the next step. */
  #requested: Uint8Array | undefined;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The seed of the next step's block in a workchain. */
  of(workchain: number, seqno: number): Uint8Array {
    return this.#requested ?? roleSeed(this.#seed, `rand/${workchain}/${seqno}`);
  }

  request(seed: Uint8Array): void {
    this.#requested = seed;
  }

  /** Call after each step and each revert: drops the requested seed. */
  onBlock(): void {
    this.#requested = undefined;
  }
}
