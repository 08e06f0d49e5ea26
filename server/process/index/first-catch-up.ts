import type { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { Devnet } from "../../devnet/devnet.js";

/**
 * Whether the index of a devnet has caught up with the chain at the start of the process, the story included. Until
 * then lists would be incomplete although the chain has the records.
 */
export class FirstCatchUp {
  readonly #head: Pick<ChainHead, "last">;
  readonly #onDone: () => void;
  /** The block to catch up with; unknown while the story is still running. */
  #target: number | undefined;
  #stored = 0;
  #isDone = false;

  /** `onDone` is called once. */
  constructor({ beginning, events }: Devnet, head: Pick<ChainHead, "last">, onDone: () => void) {
    this.#head = head;
    this.#onDone = onDone;
    beginning.end().then(
      ({ seqno }) => this.#reach(this.#stored, seqno),
      // The devnet has ended; its failure is reported elsewhere.
      () => {},
    );
    events.onReverted((seqno) => {
      const target = this.#target === undefined ? undefined : Math.min(this.#target, seqno);
      this.#reach(Math.min(this.#stored, seqno), target);
    });
  }

  /** Call when the blocks up to this one are stored. */
  stored(seqno: number): void {
    this.#reach(Math.max(this.#stored, seqno), this.#target);
  }

  /** The missing part with its progress; `undefined` once caught up. */
  get lack(): string | undefined {
    if (this.#isDone) return undefined;
    const last = this.#target ?? `${this.#head.last.seqno} so far`;
    return `The index is catching up with the devnet: block ${this.#stored} of ${last}`;
  }

  #reach(stored: number, target: number | undefined): void {
    this.#stored = stored;
    this.#target = target;
    if (this.#isDone || target === undefined || stored < target) return;
    this.#isDone = true;
    this.#onDone();
  }
}
