import type { Address } from "../../../shared/values/address.js";
import { type BlockIdExt, masterchain } from "../../tlb/block-id.js";
import type { StoredBlock, StoredPair } from "./chain-records.js";

/** Metadata of a stored block. */
export type IndexedBlock = Omit<StoredBlock, "boc">;

type Blocks = Record<"masterchain" | "basechain", { id: BlockIdExt }>;

/** A step: its position in the log and its two blocks, which have the step's seqno. */
export type IndexedPair = {
  position: number;
  basechain: IndexedBlock;
  masterchain: IndexedBlock;
  keyBlock: boolean;
  edited: Address[];
};

/** In-memory index of the steps by seqno, logical time and unix time. Step n made block n of both chains. */
export class BlockIndex {
  readonly #pairs: IndexedPair[] = [];
  /** Seqnos of the key blocks, ascending. */
  #keyBlocks: number[] = [];

  /** Seqno of the newest step; 0 if there is none. */
  get lastSeqno(): number {
    return this.#pairs.length;
  }

  /** Throws unless the step is the next one. */
  assertNext({ masterchain: { id: mc }, basechain: { id: base } }: Blocks): void {
    const seqno = this.lastSeqno + 1;
    if (mc.seqno !== seqno || base.seqno !== seqno)
      throw new Error(
        `step ${seqno} has blocks ${mc.seqno} of the masterchain and ${base.seqno} of the basechain`,
      );
  }

  add(position: number, pair: StoredPair, edited: Address[]): void {
    this.assertNext(pair);
    this.#pairs.push({
      position,
      basechain: withoutBoc(pair.basechain),
      masterchain: withoutBoc(pair.masterchain),
      keyBlock: pair.keyBlock,
      edited,
    });
    if (pair.keyBlock) this.#keyBlocks.push(this.lastSeqno);
  }

  /** Removes the steps after this one. */
  truncate(seqno: number): void {
    this.#pairs.length = Math.min(this.#pairs.length, seqno);
    this.#keyBlocks = this.#keyBlocks.filter((key) => key <= seqno);
  }

  get(seqno: number): IndexedPair | undefined {
    return this.#pairs[seqno - 1];
  }

  block(workchain: number, seqno: number): IndexedBlock | undefined {
    const pair = this.get(seqno);
    return pair && chainOf(pair, workchain);
  }

  /** The first block with an end lt at or after `lt`: the one that contains the transaction, if it exists. */
  findByLt(workchain: number, lt: bigint): IndexedBlock | undefined {
    return this.#first(workchain, (block) => block.endLt >= lt);
  }

  /** The first block at this unix time or later. */
  findByUtime(workchain: number, utime: number): IndexedBlock | undefined {
    return this.#first(workchain, (block) => block.genUtime >= utime);
  }

  /** Seqno of the last key block up to and including this one; 0 for the zero state. */
  keyBlockAtOrBefore(seqno: number): number {
    return this.#keyBlocks.findLast((key) => key <= seqno) ?? 0;
  }

  keyBlockAfter(seqno: number): number | undefined {
    return this.#keyBlocks.find((key) => key > seqno);
  }

  /** Binary search: lt and unix time never decrease along a chain. */
  #first(workchain: number, reached: (block: IndexedBlock) => boolean): IndexedBlock | undefined {
    let low = 0;
    let high = this.#pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reached(chainOf(this.#pairs[middle]!, workchain))) high = middle;
      else low = middle + 1;
    }
    return this.block(workchain, low + 1);
  }
}

function chainOf(pair: IndexedPair, workchain: number): IndexedBlock {
  return workchain === masterchain ? pair.masterchain : pair.basechain;
}

function withoutBoc({ boc: _, ...block }: StoredBlock): IndexedBlock {
  return block;
}
