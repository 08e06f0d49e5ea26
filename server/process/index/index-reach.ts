import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { deleteOldest } from "../../../shared/values/lookups.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import type { IndexReach } from "../../methods/devnet/settlement.js";
import { waitUntil } from "../../os/wait-until.js";
import type { Hub } from "../../stream/hub.js";
import type { IndexPart } from "./index-part.js";

/** Newest blocks of the chain that are remembered. */
const maxHeads = 4096;

type Parts = {
  events: Pick<ChainEvents, "onHead" | "onReverted">;
  /** The newest block. */
  head: BlockIdExt;
  indexing: Pick<IndexPart, "onCaughtUp">;
  streams: Pick<Hub, "head" | "onReached">;
};

/** Compares the last block sent to the streams with the blocks of a devnet, which may have been reverted meanwhile. */
export class StreamReach implements IndexReach {
  readonly #streams: Parts["streams"];
  readonly #events: Parts["events"];
  readonly #changes = new Listeners<void>();
  /** Root hashes of the chain's newest masterchain blocks by seqno, ascending. */
  readonly #heads = new Map<number, Uint8Array>();
  #newest: number;
  /** Whether this process writes the index, so that it knows when a revert has been followed. */
  #isWriter = false;
  /** Whether the index may have blocks of the chain before a revert. */
  #isBehindRevert = false;

  constructor({ events, head, indexing, streams }: Parts) {
    this.#streams = streams;
    this.#events = events;
    this.#newest = head.seqno;
    this.#heads.set(head.seqno, head.rootHash);
    events.onHead((next) => this.#add(next));
    events.onReverted((seqno) => {
      for (const known of this.#heads.keys()) if (known > seqno) this.#heads.delete(known);
      this.#isBehindRevert = this.#isWriter;
    });
    indexing.onCaughtUp((last) => {
      this.#isWriter = true;
      if (!this.#has(last)) return;
      this.#isBehindRevert = false;
      this.#changes.notify();
    });
    streams.onReached(() => this.#changes.notify());
  }

  get behind(): number {
    return Math.max(0, this.#newest - this.#streamed);
  }

  async reaches(block: BlockIdExt, maxMs: number): Promise<boolean> {
    const holds = () => this.#has(block) && this.#streamed >= block.seqno;
    if (!this.#has(block)) return false;
    await waitUntil(
      {
        holds,
        onChange: (listener) => this.#changes.add(listener),
        onVoid: (listener) => this.#events.onReverted(listener),
      },
      maxMs,
    );
    return holds();
  }

  /**
   * Seqno of the last block of this chain sent to streams; 0 if there is none, or if the index may have blocks of
   * another chain.
   */
  get #streamed(): number {
    const { head } = this.#streams;
    // Both chains may have that block, and others behind it.
    return head && this.#has(head) && !this.#isBehindRevert ? head.seqno : 0;
  }

  #has({ seqno, rootHash }: Pick<BlockIdExt, "seqno" | "rootHash">): boolean {
    const known = this.#heads.get(seqno);
    return known !== undefined && bytesEqual(known, rootHash);
  }

  #add({ seqno, rootHash }: BlockIdExt): void {
    this.#newest = seqno;
    // Blocks of a chain that was reverted come last again.
    this.#heads.delete(seqno);
    this.#heads.set(seqno, rootHash);
    if (this.#heads.size > maxHeads) deleteOldest(this.#heads);
  }
}

/** The process has no index, or it is in another one: nothing is waited for. */
export const noReach: IndexReach = { reaches: async () => true, behind: 0 };
