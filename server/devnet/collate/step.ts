import type { Cell } from "../../cells/cell.js";
import type { SigningKey } from "../../chain/ed25519.js";
import type { Executor } from "../../chain/executor/executor.js";
import type { RunEnvironment } from "../../chain/executor/requests.js";
import { previousBlocks } from "../../chain/serve/previous-blocks.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import type { CurrencyCollection } from "../../tlb/currency-collection.js";
import type { ValueFlow } from "../../tlb/value-flow.js";
import type { CollatedBlock, FinishedMessage } from "../blocks/block-pair.js";
import type { ExternalMessage } from "../mempool/mempool.js";
import { roleSeed } from "../role-seed.js";
import type { Budget } from "./budget.js";
import type { ChainSide } from "./chain-side.js";
import type { Delivery } from "./draft.js";
import type { StateEdit } from "./edits.js";
import type { Injection } from "./injection.js";
import { Rules } from "./rules.js";

/** Where both chains had come to when a masterchain block was made. */
export type EndLts = { masterchain: bigint; basechain: bigint };

/** What is asked of a step, for one of its two blocks. */
export type BlockWork = {
  externals: Iterable<ExternalMessage>;
  injected: readonly Injection[];
  edits: readonly StateEdit[];
  budget: Budget;
};

/** What both blocks of a step are made from. */
export type Step = {
  seed: string;
  utime: number;
  validator: SigningKey;
  executor: Pick<Executor, "runTransaction" | "runTickTock">;
  masterchain: ChainSide;
  basechain: ChainSide;
  endLts: ReadonlyMap<number, EndLts>;
  timeSlice: TimeSlice;
};

/** One of a step's two blocks, and what the other one and the chain need to know of it. */
export type MadeBlock = {
  block: CollatedBlock;
  flow: ValueFlow;
  minRefMcSeqno: number;
  /** Money that came out of nowhere or vanished, apart from rewards. */
  added: CurrencyCollection;
  removed: CurrencyCollection;
  finished: FinishedMessage[];
  deliveries: Delivery[];
  injected: Delivery[];
};

/** Logical times of blocks are counted from multiples of this. */
const ltAlignment = 1_000_000n;

/** Where a block starts that comes after both lts. */
export function startLtAfter(a: bigint, b: bigint): bigint {
  const last = a > b ? a : b;
  return (last / ltAlignment + 1n) * ltAlignment;
}

export function rulesOf({ masterchain }: Pick<Step, "masterchain">): Rules {
  const { config, configAddr } = masterchain.master.config;
  return new Rules(config.value, configAddr);
}

export function randSeed(seed: string, workchain: number, seqno: number): Uint8Array {
  return roleSeed(seed, `rand/${workchain}/${seqno}`);
}

/** What transactions see of the chain: that of the newest masterchain block, in the time of their own. */
export function surroundingsOf(
  masterchain: ChainSide,
  own: { utime: number; randSeed: Uint8Array },
): RunEnvironment & { config: Cell } {
  const { master, state, tip } = masterchain;
  return {
    config: master.config.config.cell,
    libraries: state.totals.value.libraries.root,
    previousBlocks: previousBlocks(tip.id, master.history.value),
    now: own.utime,
    randSeed: own.randSeed,
  };
}
