import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { applyMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { RevertedError } from "./reverted-error.js";

/** Roots of the masterchain's and the basechain's tree: the states or the blocks of one step. */
export type ChainRoots = { masterchain: Cell; basechain: Cell };

export type StateLimits = {
  /** Number of newest states kept in memory. Adjacent states share nearly all their cells. */
  recent: number;
  /** Interval of the older states kept as starting points of rebuilds. */
  interval: number;
};

/** Number of cached rebuilt states, and the interval at which intermediate states are cached for later reads. */
const maxRebuiltStates = 256;
const rebuiltInterval = 50;
/** A rebuild yields to the event loop after this time. */
const sliceMs = 8;

/**
 * States by seqno. The newest are in memory; older ones are rebuilt from a stored state by applying the state updates
 * of the blocks in between.
 */
export class StateStore {
  readonly #recent = new Map<number, ChainRoots>();
  readonly #bases = new Map<number, ChainRoots>();
  readonly #rebuilt = new LRUCache<number, ChainRoots>({ max: maxRebuiltStates });
  /** Concurrent reads of an old state share a rebuild. A revert aborts rebuilds of removed states. */
  readonly #rebuilding = new Map<number, { states: Promise<ChainRoots>; abort: AbortController }>();
  #newest = 0;
  readonly #limits: StateLimits;
  readonly #blockRoots: (seqno: number) => Promise<ChainRoots>;

  /** `blockRoots` reads the blocks of a step. */
  constructor(zero: ChainRoots, limits: StateLimits, blockRoots: (seqno: number) => Promise<ChainRoots>) {
    this.#bases.set(0, zero);
    this.#limits = limits;
    this.#blockRoots = blockRoots;
  }

  add(seqno: number, states: ChainRoots): void {
    this.#newest = seqno;
    if (seqno % this.#limits.interval === 0) this.#bases.set(seqno, states);
    this.#recent.set(seqno, states);
    this.#recent.delete(seqno - this.#limits.recent);
  }

  /** Continues a chain of this length, optionally from a snapshot. */
  async resume(newest: number, base: { seqno: number; states: ChainRoots } | undefined): Promise<void> {
    this.#newest = newest;
    if (base) this.#bases.set(base.seqno, base.states);
    await this.get(newest);
  }

  truncate(seqno: number): void {
    this.#newest = Math.min(this.#newest, seqno);
    for (const [wanted, { abort }] of [...this.#rebuilding]) {
      if (wanted <= seqno) continue;
      this.#rebuilding.delete(wanted);
      abort.abort(new RevertedError(wanted));
    }
    for (const states of [this.#recent, this.#bases, this.#rebuilt])
      for (const key of [...states.keys()]) if (key > seqno) states.delete(key);
  }

  /** Returns the states after a step, which must exist. */
  async get(seqno: number): Promise<ChainRoots> {
    return this.#cached(seqno) ?? this.#rebuilding.get(seqno)?.states ?? this.#startRebuild(seqno);
  }

  #cached(seqno: number): ChainRoots | undefined {
    return this.#recent.get(seqno) ?? this.#bases.get(seqno) ?? this.#rebuilt.get(seqno);
  }

  #startRebuild(seqno: number): Promise<ChainRoots> {
    const abort = new AbortController();
    const states = this.#rebuild(seqno, abort.signal).finally(() => {
      if (this.#rebuilding.get(seqno)?.abort === abort) this.#rebuilding.delete(seqno);
      abort.signal.throwIfAborted();
    });
    this.#rebuilding.set(seqno, { states, abort });
    return states;
  }

  async #rebuild(wanted: number, signal: AbortSignal): Promise<ChainRoots> {
    let { seqno, states } = await this.#start(wanted);
    let sliceStart = performance.now();
    while (seqno < wanted) {
      const blocks = await this.#blockRoots(++seqno);
      signal.throwIfAborted();
      states = applyUpdates(states, blocks);
      this.#cache(seqno, states);
      if (performance.now() - sliceStart < sliceMs) continue;
      await setImmediate();
      sliceStart = performance.now();
    }
    signal.throwIfAborted();
    this.#rebuilt.set(wanted, states);
    return states;
  }

  /**
   * Starting point of a rebuild: the nearest cached state, or the last multiple of the interval, from which later rebuilds
   * start as well.
   */
  async #start(wanted: number): Promise<{ seqno: number; states: ChainRoots }> {
    const shared = Math.floor((wanted - 1) / rebuiltInterval) * rebuiltInterval;
    for (let seqno = wanted - 1; seqno > shared; seqno--) {
      const states = this.#cached(seqno);
      if (states) return { seqno, states };
    }
    // Yields first, because recursion over the intervals of a long chain would overflow the call stack.
    await setImmediate();
    return { seqno: shared, states: await this.get(shared) };
  }

  #cache(seqno: number, states: ChainRoots): void {
    if (seqno > this.#newest - this.#limits.recent) this.#recent.set(seqno, states);
    else if (seqno % this.#limits.interval === 0) this.#bases.set(seqno, states);
    else if (seqno % rebuiltInterval === 0) this.#rebuilt.set(seqno, states);
  }
}

/** Applies the updates of a step's blocks. Throws `CellError` if they do not match the states. */
function applyUpdates(states: ChainRoots, blocks: ChainRoots): ChainRoots {
  return {
    masterchain: applyMerkleUpdate(stateUpdate(blocks.masterchain), states.masterchain),
    basechain: applyMerkleUpdate(stateUpdate(blocks.basechain), states.basechain),
  };
}

/** `block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState) …` */
export function stateUpdate(blockRoot: Cell): Cell {
  return blockRoot.ref(2);
}
