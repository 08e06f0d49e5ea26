import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { RunEnvironment } from "../../../shared/ton/run/method-request.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { CurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import type { ValueFlow } from "../../../shared/ton/tlb/value-flow.js";
import type { SigningKey } from "../../chain/ed25519.js";
import type { Executor } from "../../chain/executor/executor.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import type { ExternalMessage } from "../mempool/mempool.js";
import type { BlockPair, CollatedBlock, FinishedMessage } from "./block/block-pair.js";
import type { Delivery } from "./block/draft.js";
import type { StateEdit } from "./block/edits.js";
import type { ChainSide } from "./chain-side.js";
import type { Budget } from "./messages/budget.js";
import type { ImportGate } from "./messages/import-gate.js";
import type { Injection } from "./messages/unsent-messages.js";
import { Rules } from "./rules.js";

/** End lts of both chains at a masterchain block. */
export type EndLts = { masterchain: bigint; basechain: bigint };

/** Requested work for one block of a step. */
export type BlockWork = {
  externals: Iterable<ExternalMessage>;
  injected: readonly Injection[];
  edits: readonly StateEdit[];
  /** Libraries that a masterchain block publishes, besides those of its accounts. */
  libraries?: readonly Cell[];
  /** Omits ticks and tocks of special accounts. */
  noTicks?: boolean;
  /** Leaves collected fees and money to be minted for the next block. */
  noPayments?: boolean;
  budget: Budget;
};

/** Inputs shared by both blocks of a step. */
export type Step = {
  /** Random seeds of blocks. */
  seeds: { of(workchain: number, seqno: number): Uint8Array };
  utime: number;
  /** This process's keys of the masterchain's validators. */
  signers: readonly SigningKey[];
  executor: Pick<Executor, "runTransaction" | "runTickTock">;
  masterchain: ChainSide;
  basechain: ChainSide;
  endLts: (mcSeqno: number) => EndLts | undefined;
  timeSlice: TimeSlice;
  /** Logical time before that of its blocks: accounts of a fork come with that of their network. Default: 0. */
  afterLt?: bigint | undefined;
  /** Only on a fork. */
  imports?: ImportGate | undefined;
};

/** One block of a step, with the results that the other block and the chain need. */
export type MadeBlock = {
  block: CollatedBlock;
  flow: ValueFlow;
  minRefMcSeqno: number;
  /** Money added by edits and injected messages, and removed by edits. Rewards not included. */
  added: CurrencyCollection;
  removed: CurrencyCollection;
  finished: FinishedMessage[];
  deliveries: Delivery[];
  injected: Delivery[];
};

/** End lts of a chain whose newest step is not stored yet. */
export function endLtsWith(
  { masterchain, basechain }: Pick<BlockPair, "masterchain" | "basechain">,
  earlier: Step["endLts"],
): Step["endLts"] {
  const ends = { masterchain: masterchain.endLt, basechain: basechain.endLt };
  return (mcSeqno) => (mcSeqno === masterchain.id.seqno ? ends : earlier(mcSeqno));
}

/** Creator of a block without validators. */
const nobody = new Uint8Array(32);

/** The rules of the configuration in the newest masterchain state. */
export function rulesOf({ masterchain }: Pick<Step, "masterchain">): Rules {
  const { config, configAddr } = masterchain.master.config;
  return new Rules(config.value, configAddr);
}

/** Public key of the validator who makes the chain's next block. The group's members take turns. */
export function creatorOf(rules: Rules, { workchain, tip }: ChainSide): Uint8Array {
  const group = workchain === masterchain ? rules.masterchainValidators : rules.basechainValidators;
  return group[(tip.id.seqno + 1) % group.length]?.publicKey ?? nobody;
}

/** Execution environment of transactions: the newest masterchain block, with the time and seed of their own block. */
export function runEnvironment(
  masterchain: ChainSide,
  own: { utime: number; randSeed: Uint8Array },
): RunEnvironment & { config: Cell } {
  const { master, state } = masterchain;
  return {
    config: master.config.config.cell,
    libraries: state.totals.value.libraries.root,
    previousBlocks: masterchain.previousBlocks(),
    now: own.utime,
    randSeed: own.randSeed,
  };
}
