import type { Executor } from "../../../server/chain/executor/executor.js";
import { TimeSlice } from "../../../server/chain/time-slice.js";
import { BlockDraft } from "../../../server/devnet/collate/block/draft.js";
import { ChainSide, type SideTip } from "../../../server/devnet/collate/chain-side.js";
import { collateStep, type MadeStep } from "../../../server/devnet/collate/collate-step.js";
import { Budget } from "../../../server/devnet/collate/messages/budget.js";
import { type BlockWork, runEnvironment, type Step } from "../../../server/devnet/collate/step.js";
import { ValidatorKeys } from "../../../server/devnet/elections/validator-keys.js";
import type { Genesis } from "../../../server/devnet/genesis/genesis.js";
import { BlockSeeds } from "../../../server/devnet/moment/block-seeds.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

type Runner = Pick<Executor, "runTransaction" | "runTickTock">;

/** The inputs of the first step after zero states. */
export function stepAfter(genesis: Genesis, executor: Runner): Step {
  const masterchain = new ChainSide(genesis.masterchain);
  return {
    seeds: new BlockSeeds(genesis.seed),
    utime: masterchain.state.genUtime + 1,
    signers: new ValidatorKeys(genesis.validators).signers(masterchain),
    executor,
    masterchain,
    basechain: new ChainSide(genesis.basechain),
    endLts: (seqno) => (seqno === 0 ? { masterchain: 0n, basechain: 0n } : undefined),
    timeSlice: new TimeSlice(),
  };
}

/** Work of a block; without parts there is none. */
function workOf(parts: Partial<BlockWork> = {}): BlockWork {
  const budget = Budget.of({ transactions: 100, timeMs: Number.POSITIVE_INFINITY }, () => 0);
  return { externals: [], injected: [], edits: [], noTicks: true, noPayments: true, budget, ...parts };
}

/** Makes a step with this work for its two blocks. */
export function makeStep(
  step: Step,
  { basechain, masterchain }: { basechain?: Partial<BlockWork>; masterchain?: Partial<BlockWork> } = {},
): Promise<MadeStep> {
  return collateStep(step, {
    basechain: workOf(basechain),
    masterchain: workOf(masterchain),
    previousSignatures: [],
  });
}

/** When drafts begin. */
export const startLt = 5_000_000n;

/** A draft of the block after one of these blocks. Default: with their configuration. */
export function draftAfter(
  tips: { masterchain: SideTip; basechain: SideTip },
  which: "basechain" | "masterchain",
  executor: Runner,
  config?: Cell,
): BlockDraft {
  const side = new ChainSide(tips[which]);
  const own = { utime: 1_800_000_000, randSeed: new Uint8Array(32).fill(1) };
  return new BlockDraft({
    workchain: side.workchain,
    startLt,
    accounts: side.state.accounts.value,
    queue: side.queueInfo.outQueue,
    queueSize: side.queueSize,
    executor,
    environment: {
      ...runEnvironment(new ChainSide(tips.masterchain), own),
      ...(config && { config }),
    },
    shortDequeue: true,
  });
}
