import type { ShardAccountBlocks } from "../../../../shared/ton/tlb/account-block.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import {
  addCurrencies,
  type CurrencyCollection,
  noCurrencies,
  onlyCoins,
  subtractCurrencies,
} from "../../../../shared/ton/tlb/currency-collection.js";
import type { Message } from "../../../../shared/ton/tlb/message.js";
import type { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import { bytesEqual } from "../../../../shared/values/bytes.js";
import type { ChainSide } from "../chain-side.js";
import { type ProcessedUpto, withProcessed } from "../messages/processed-info.js";
import { injectedMessage } from "../messages/unsent-messages.js";
import type { Rules } from "../rules.js";
import { type BlockWork, creatorOf, type MadeBlock, runEnvironment, type Step } from "../step.js";
import { assembleBlock, type BlockContents } from "./assemble.js";
import { BlockDraft } from "./draft.js";
import { applyEdits, type EditedAccounts } from "./edits.js";
import { type Neighbour, runMessages, type WorkDone } from "./run-messages.js";
import { burnedOn, type Sources, valueFlowOf } from "./value-flow.js";

/** Inputs of a block that are known before anything runs. */
export type BlockContext = {
  side: ChainSide;
  neighbour: Neighbour;
  startLt: bigint;
  special: readonly Uint8Array[];
  made: readonly CellOf<Message>[];
  sources: Omit<Sources, "burned">;
};

/** A block after all its transactions have run. */
export type RunBlock = {
  draft: BlockDraft;
  done: WorkDone;
  accounts: ShardAccounts;
  accountBlocks: ShardAccountBlocks;
  edited: EditedAccounts;
  injectedValue: CurrencyCollection;
  randSeed: Uint8Array;
};

/** The parts of a block that differ between the two chains. */
type Closing = Pick<
  BlockContents,
  "libraries" | "session" | "minRefMcSeqno" | "prevKeyBlockSeqno" | "masterRef" | "master"
> & { processed: readonly ProcessedUpto[] };

/** Runs the transactions of a block. */
export async function runBlock(
  step: Step,
  context: BlockContext,
  work: BlockWork,
  rules: Rules,
): Promise<RunBlock> {
  const { side, neighbour, startLt, special, made } = context;
  const seed = step.seeds.of(side.workchain, side.tip.id.seqno + 1);
  const edited = applyEdits(side.state.accounts.value, work.edits, step.utime);
  const draft = new BlockDraft({
    workchain: side.workchain,
    startLt,
    accounts: edited.accounts,
    queue: side.queueInfo.outQueue,
    queueSize: side.queueSize,
    executor: step.executor,
    environment: runEnvironment(step.masterchain, { utime: step.utime, randSeed: seed }),
    shortDequeue: rules.has("shortDequeue"),
    imports: step.imports,
  });
  const done = await runMessages(draft, {
    workchain: side.workchain,
    neighbour,
    processed: side.processed,
    endLtAt: (mcSeqno, workchain) => endLtAt(step, mcSeqno, workchain),
    special,
    made,
    injected: work.injected.map((one, index) => injectedMessage(one, startLt + BigInt(index), step.utime)),
    externals: work.externals,
    budget: work.budget,
    timeSlice: step.timeSlice,
  });
  await step.timeSlice.yieldIfDue();
  const accounts = draft.accounts.combine();
  await step.timeSlice.yieldIfDue();
  const accountBlocks = draft.accounts.blocks();
  const injectedValue = onlyCoins(work.injected.reduce((sum, { value }) => sum + value, 0n));
  return { draft, done, accounts, accountBlocks, edited, injectedValue, randSeed: seed };
}

/** Records the imported messages of the block. `refMcSeqno` is the masterchain block whose queues it could read. */
export function processedAfter(
  step: Step,
  side: ChainSide,
  run: RunBlock,
  refMcSeqno: number,
): ProcessedUpto[] {
  const { lastDelivered } = run.draft;
  if (lastDelivered) return withProcessed(side.processed, { mcSeqno: refMcSeqno, ...lastDelivered });
  const { state, tip } = step.masterchain;
  // Zero states have no messages.
  if (!run.done.inboundEmpty || tip.id.seqno === 0) return side.processed;
  return withProcessed(side.processed, {
    mcSeqno: refMcSeqno,
    lt: state.genLt - 1n,
    hash: new Uint8Array(32).fill(0xff),
  });
}

/** Finishes a block: computes its value flow, builds the block and the state. */
export async function closeBlock(
  step: Step,
  context: BlockContext,
  run: RunBlock,
  rules: Rules,
  closing: Closing,
): Promise<MadeBlock> {
  const { side, startLt, sources } = context;
  const { draft, done, accounts, accountBlocks, edited } = run;
  const { inMsgDescr, outMsgDescr } = draft;
  await step.timeSlice.yieldIfDue();
  const before = side.state.totals.value.totalBalance;
  const flow = valueFlowOf(
    { before, accounts, accountBlocks, inMsgDescr, outMsgDescr },
    {
      ...sources,
      minted: addCurrencies(sources.minted, edited.minted),
      burned: addCurrencies(edited.burned, vanished(side, draft, rules)),
    },
  );
  const fees = addCurrencies(side.state.totals.value.totalValidatorFees, flow.feesCollected);
  const contents = {
    ...closing,
    side,
    draft,
    accounts,
    accountBlocks,
    inMsgDescr,
    outMsgDescr,
    flow,
    validatorFees: subtractCurrencies(fees, flow.recovered),
    storesQueueSize: rules.has("queueSize"),
    utime: step.utime,
    startLt,
    randSeed: run.randSeed,
    createdBy: creatorOf(rules, side),
    software: rules.has("reportVersion") ? rules.version : undefined,
  };
  const block = await assembleBlock(contents, step.timeSlice);
  return {
    block,
    flow,
    minRefMcSeqno: closing.minRefMcSeqno,
    added: addCurrencies(edited.minted, run.injectedValue),
    removed: edited.burned,
    finished: done.finished,
    deliveries: draft.deliveries,
    injected: done.injected,
  };
}

function vanished(side: ChainSide, draft: BlockDraft, { blackhole }: Rules): CurrencyCollection {
  if (!blackhole || side.workchain !== masterchain) return noCurrencies;
  return burnedOn(draft.accounts.changed.find(({ id }) => bytesEqual(id, blackhole)));
}

/** Lowest masterchain seqno that the records or the given blocks refer to. */
export function lowestMcSeqno(processed: readonly ProcessedUpto[], ...others: number[]): number {
  return Math.min(...others, ...processed.map(({ mcSeqno }) => mcSeqno));
}

function endLtAt({ endLts }: Step, mcSeqno: number, workchain: number): bigint {
  const ends = endLts(mcSeqno);
  if (!ends) throw new Error(`the end lts at masterchain block ${mcSeqno} are unknown`);
  return workchain === masterchain ? ends.masterchain : ends.basechain;
}
