import { bytesToHex } from "../../../shared/values/bytes.js";
import { type BlockIdExt, sameBlock, type ZeroStateIdExt } from "../../tlb/block-id.js";

/**
 * The masterchain block that counts as the last one throughout the service. Answers are read and cached by this one
 * place, so none of them contradicts another; whoever learns of blocks moves it on.
 */
export class ChainHead {
  readonly zeroState: ZeroStateIdExt;
  #last: BlockIdExt;
  #current: string;
  #seenAt: number;
  readonly #now: () => number;

  /** `now` is the wall clock in milliseconds. */
  constructor({ last, init }: { last: BlockIdExt; init: ZeroStateIdExt }, now: () => number) {
    this.zeroState = init;
    this.#now = now;
    this.#last = last;
    this.#current = keyOf(last);
    this.#seenAt = now();
  }

  get last(): BlockIdExt {
    return this.#last;
  }

  /** Another text for every block, also for two of the same seqno when a chain went back in between. */
  get current(): string {
    return this.#current;
  }

  /** Unix time in milliseconds at which `last` became known. */
  get seenAt(): number {
    return this.#seenAt;
  }

  move(last: BlockIdExt): void {
    if (sameBlock(last, this.#last)) return;
    this.#last = last;
    this.#current = keyOf(last);
    this.#seenAt = this.#now();
  }
}

function keyOf({ seqno, rootHash }: BlockIdExt): string {
  return `${seqno}:${bytesToHex(rootHash)}`;
}
