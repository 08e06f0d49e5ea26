import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellSet } from "../../../shared/ton/cells/cell-set.js";
import { type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { DevnetError } from "../devnet-error.js";
import type { ChainStore } from "./chain-store.js";
import { unlessReverted } from "./reverted-error.js";
import type { ChainRoots } from "./state-store.js";

/** Ids of the two blocks of a step. */
type StepIds = { masterchain: BlockIdExt; basechain: BlockIdExt };

/** A step's blocks, as BOCs. */
export type FedStep = { ids: StepIds; masterchain: Uint8Array; basechain: Uint8Array };

/** Data from which a reader builds a step's states: the blocks of the last steps, and the states they start from. */
export type StateNews = {
  /** Absent if the blocks continue the reader's states. */
  base: { ids: StepIds; boc: Uint8Array } | undefined;
  steps: FedStep[];
};

/** Provides another thread with the chain's states. */
export interface StateFeed {
  /**
   * Data for the states as of a masterchain block, possibly based on earlier states held by the reader. `undefined` if
   * the states are too large to be held twice. Rejects with a DevnetError if the block does not exist, or is reverted
   * meanwhile.
   */
  until(block: BlockIdExt, held: BlockIdExt | undefined): Promise<StateNews | undefined>;
}

/** Limits of steps and block bytes per answer. Beyond them sending the states is faster. */
const maxSteps = 128;
const maxBytes = 1 << 20;
/** Cell limit of states that are held twice. */
const maxCells = 200_000;

/** Reads the feed from the storage of this thread. */
export class StoredStates implements StateFeed {
  readonly #store: ChainStore;

  constructor(store: ChainStore) {
    this.#store = store;
  }

  async until(block: BlockIdExt, held: BlockIdExt | undefined): Promise<StateNews | undefined> {
    if (!this.#has(block))
      throw new DevnetError("not-found", `there is no block ${block.seqno} with these hashes`);
    const heldSeqno = held && this.#has(held) ? held.seqno : -1;
    const lowest = Math.max(0, heldSeqno, block.seqno - maxSteps);
    const steps: FedStep[] = [];
    let bytes = 0;
    let seqno = block.seqno;
    for (; seqno > lowest; seqno--) {
      const step = await this.#step(seqno);
      bytes += step.masterchain.length + step.basechain.length;
      if (bytes > maxBytes) break;
      steps.unshift(step);
    }
    if (seqno === heldSeqno) return { base: undefined, steps };
    const states = await this.#store.statesAt(seqno);
    if (!states) throw reverted(seqno);
    if (!hasAtMost(maxCells, states)) return undefined;
    const boc = serializeBoc([states.masterchain, states.basechain], { crc32: false });
    return { base: { ids: this.#idsOf(seqno), boc }, steps };
  }

  async #step(seqno: number): Promise<FedStep> {
    const pair = await unlessReverted(this.#store.pair(seqno));
    if (!pair) throw reverted(seqno);
    const { masterchain, basechain } = pair;
    const ids = { masterchain: masterchain.id, basechain: basechain.id };
    return { ids, masterchain: masterchain.boc, basechain: basechain.boc };
  }

  #has(block: BlockIdExt): boolean {
    if (block.seqno > this.#store.index.lastSeqno) return false;
    return sameBlock(this.#idsOf(block.seqno).masterchain, block);
  }

  #idsOf(seqno: number): StepIds {
    const { masterchain, basechain } = this.#store.index.get(seqno) ?? this.#store.genesis;
    return { masterchain: masterchain.id, basechain: basechain.id };
  }
}

function reverted(seqno: number): DevnetError {
  return new DevnetError("not-found", `block ${seqno} was reverted while it was read`);
}

/** Whether two states together have at most this many cells. */
function hasAtMost(most: number, { masterchain, basechain }: ChainRoots): boolean {
  const seen = new CellSet();
  const stack: Cell[] = [masterchain, basechain];
  let count = 0;
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (!seen.add(cell)) continue;
    if (++count > most) return false;
    stack.push(...cell.refs);
  }
  return true;
}
