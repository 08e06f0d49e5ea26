import { bytesToHex } from "../../../values/bytes.js";
import { Listeners, type Unsubscribe } from "../../../values/listeners.js";
import { type BlockIdExt, sameBlock, type ZeroStateIdExt } from "../../tlb/block-id.js";

/**
 * The masterchain block that the whole service treats as the last one, so that concurrent answers agree and caches have
 * one key. The pool or devnet moves it.
 */
export class ChainHead {
  readonly zeroState: ZeroStateIdExt;
  #last: BlockIdExt;
  #current: string;
  #seenAt: number;
  readonly #now: () => number;
  readonly #moved = new Listeners<BlockIdExt>();

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

  /** Cache key of `last`; differs for two blocks with the same seqno, as after a revert. */
  get current(): string {
    return this.#current;
  }

  /** Unix time in milliseconds at which `last` became known. */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** Sets the last block; an older one is accepted, as after a revert of a devnet. */
  move(last: BlockIdExt): void {
    if (sameBlock(last, this.#last)) return;
    this.#last = last;
    this.#current = keyOf(last);
    this.#seenAt = this.#now();
    this.#moved.notify(last);
  }

  onMoved(listener: (last: BlockIdExt) => void): Unsubscribe {
    return this.#moved.add(listener);
  }
}

function keyOf({ seqno, rootHash }: BlockIdExt): string {
  return `${seqno}:${bytesToHex(rootHash)}`;
}
