import { LRUCache } from "lru-cache";
import { parseBoc, parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { applyMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { HeldState, HeldStates, StateHolder } from "../../../shared/ton/proofs/read/held-states.js";
import { type BlockIdExt, masterchain, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { TimeSlice } from "../../chain/time-slice.js";
import type { Fallback } from "../../observe/fallback.js";
import { DevnetError } from "../devnet-error.js";
import type { FedStep, StateFeed, StateNews } from "../storage/state-feed.js";
import { type ChainRoots, stateUpdate } from "../storage/state-store.js";

/** Maximum distance from the newest block up to which states are copied, because those are cheap to make. */
const maxBehind = 127;
const maxStates = 256;
/** Limit on the bytes of blocks and states that copies are made from. */
const maxBytes = 32 << 20;
/** Bytes of blocks after which the copy is remade to check the size of the states. */
const maxGrowth = 16 << 20;
/** Number of blocks after which states that were too large are tried again. */
const retryAfter = 1000;

/** A copy of the devnet's newest states in the thread that serves requests. Blocks are fetched when a state is read. */
export class CopiedStates implements StateHolder {
  readonly #feed: StateFeed;
  readonly #newest: () => number;
  readonly #fallback: Fallback;
  readonly #copies = new LRUCache<number, Copy>({
    max: maxStates,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });
  #growth = 0;
  /** The first block whose states may be small enough. */
  #from = 0;
  /** Loads run one at a time, because each continues the previous one. */
  #loading: Promise<unknown> = Promise.resolve();
  readonly #loads = new Map<BlockIdExt, Promise<Copy | undefined>>();

  /** `newest` is the seqno of the newest block. */
  constructor(feed: StateFeed, newest: () => number, fallback: Fallback) {
    this.#feed = feed;
    this.#newest = newest;
    this.#fallback = fallback;
  }

  at(block: BlockIdExt): HeldStates | undefined | Promise<HeldStates | undefined> {
    const copy = this.#find(block);
    if (copy) return copy;
    if (block.seqno < Math.max(this.#from, this.#newest() - maxBehind)) return undefined;
    const running = this.#loads.get(block);
    if (running) return running;
    const load = this.#loading.then(() => this.#load(block)).finally(() => this.#loads.delete(block));
    this.#loads.set(block, load);
    this.#loading = load;
    return load;
  }

  #find(block: BlockIdExt): Copy | undefined {
    const copy = this.#copies.get(block.seqno);
    return copy && sameBlock(copy.masterchain.id, block) ? copy : undefined;
  }

  /** A failure is treated like a missing copy: the read is answered without it. */
  async #load(block: BlockIdExt): Promise<Copy | undefined> {
    const known = this.#find(block);
    if (known) return known;
    try {
      const held = this.#newestUpTo(block.seqno);
      const news = await this.#feed.until(block, held?.masterchain.id);
      if (!news) {
        this.#from = block.seqno + retryAfter;
        return undefined;
      }
      await this.#take(news, held);
      return this.#find(block);
    } catch (error) {
      this.#copies.clear();
      if (!isExpected(error)) this.#fallback("copied-states", error);
      return undefined;
    }
  }

  async #take({ base, steps }: StateNews, held: Copy | undefined): Promise<void> {
    const slice = new TimeSlice();
    let copy = base ? this.#begin(base) : held;
    for (const step of steps) {
      if (!copy) return;
      copy = copy.after(step);
      this.#growth += copy.bytes;
      this.#copies.set(step.ids.masterchain.seqno, copy);
      await slice.yieldIfDue();
    }
  }

  #begin({ ids, boc }: NonNullable<StateNews["base"]>): Copy {
    const [masterchain, basechain] = parseBoc(boc, { cells: 1 << 20, bytes: 1 << 28, verify: "later" });
    if (!masterchain || !basechain) throw new TypeError("a state is missing");
    const copy = new Copy(ids, { masterchain, basechain }, boc.length);
    this.#growth = 0;
    this.#copies.set(ids.masterchain.seqno, copy);
    return copy;
  }

  /** The states to continue; `undefined` once they have grown so much that their size must be checked. */
  #newestUpTo(seqno: number): Copy | undefined {
    if (this.#growth > maxGrowth) this.#copies.clear();
    let newest: Copy | undefined;
    for (const copy of this.#copies.values()) {
      const at = copy.masterchain.id.seqno;
      if (at <= seqno && at >= (newest?.masterchain.id.seqno ?? 0)) newest = copy;
    }
    return newest;
  }
}

/** The block was reverted, or the devnet was closed. */
function isExpected(error: unknown): boolean {
  return error instanceof DevnetError || error instanceof LiteError;
}

/** The states after a step. */
class Copy implements HeldStates {
  readonly masterchain: HeldState;
  readonly #basechain: HeldState;
  readonly #roots: ChainRoots;
  /** Size of the data it was made from. */
  readonly bytes: number;

  constructor(ids: FedStep["ids"], roots: ChainRoots, bytes: number) {
    this.#roots = roots;
    this.bytes = bytes;
    this.masterchain = { id: ids.masterchain, state: decode(ShardStateUnsplit, roots.masterchain) };
    this.#basechain = { id: ids.basechain, state: decode(ShardStateUnsplit, roots.basechain) };
  }

  shard(workchain: number): HeldState | undefined {
    if (workchain === masterchain) return this.masterchain;
    return workchain === 0 ? this.#basechain : undefined;
  }

  after({ ids, masterchain, basechain }: FedStep): Copy {
    const roots = {
      masterchain: updated(this.#roots.masterchain, masterchain),
      basechain: updated(this.#roots.basechain, basechain),
    };
    return new Copy(ids, roots, masterchain.length + basechain.length);
  }
}

function updated(state: ChainRoots["masterchain"], block: Uint8Array) {
  return applyMerkleUpdate(stateUpdate(parseBocRoot(block, { verify: "later" })), state);
}
