import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { createMerkleUpdate, settle } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { sha256 } from "../../../../shared/ton/cells/sha256.js";
import { ShardAccountBlocks } from "../../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { BlockExtra } from "../../../../shared/ton/tlb/block-extra.js";
import { masterchain, wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { BlockInfo } from "../../../../shared/ton/tlb/block-info.js";
import { BlkMasterInfo, blkPrevInfo, type ExtBlkRef } from "../../../../shared/ton/tlb/block-ref.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../shared/ton/tlb/codec.js";
import type { CurrencyCollection } from "../../../../shared/ton/tlb/currency-collection.js";
import type { GlobalVersion } from "../../../../shared/ton/tlb/global-version.js";
import { InMsgDescr } from "../../../../shared/ton/tlb/in-msg-descr.js";
import { McBlockExtra } from "../../../../shared/ton/tlb/mc-block-extra.js";
import { McStateExtra } from "../../../../shared/ton/tlb/mc-state-extra.js";
import { OutMsgDescr } from "../../../../shared/ton/tlb/out-msg-descr.js";
import { DispatchQueue, OutMsgQueueInfo, ProcessedInfo } from "../../../../shared/ton/tlb/out-msg-queue.js";
import { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import {
  type Libraries,
  ShardStateTotals,
  ShardStateUnsplit,
} from "../../../../shared/ton/tlb/shard-state.js";
import { isBalanced, ValueFlow } from "../../../../shared/ton/tlb/value-flow.js";
import type { TimeSlice } from "../../../chain/time-slice.js";
import type { ChainSide } from "../chain-side.js";
import type { ProcessedUpto } from "../messages/processed-info.js";
import type { CollatedBlock } from "./block-pair.js";
import type { BlockDraft } from "./draft.js";

/** Everything needed to build a block and the state after it. */
export type BlockContents = {
  side: ChainSide;
  draft: BlockDraft;
  accounts: ShardAccounts;
  accountBlocks: ShardAccountBlocks;
  inMsgDescr: InMsgDescr;
  outMsgDescr: OutMsgDescr;
  flow: ValueFlow;
  validatorFees: CurrencyCollection;
  libraries: Libraries;
  processed: readonly ProcessedUpto[];
  storesQueueSize: boolean;
  utime: number;
  startLt: bigint;
  randSeed: Uint8Array;
  createdBy: Uint8Array;
  /** The validator session of the block. */
  session: { validatorListHashShort: number; catchainSeqno: number };
  minRefMcSeqno: number;
  prevKeyBlockSeqno: number;
  software: GlobalVersion | undefined;
  /** The masterchain block that a basechain block refers to. */
  masterRef?: ExtBlkRef;
  /** Only in masterchain blocks. */
  master?: { state: McStateExtra; block: McBlockExtra };
};

/** Top levels kept on the old side of state updates, because some readers decode them eagerly. */
const unprunedLevels = 3;

/** Builds the block and the state after it. Throws if the value flow does not balance. */
export async function assembleBlock(contents: BlockContents, timeSlice: TimeSlice): Promise<CollatedBlock> {
  const { side, draft, flow, utime, startLt, randSeed, createdBy, master } = contents;
  if (!isBalanced(flow)) throw new Error(`the value flow of a block does not balance: ${show(flow)}`);
  const seqno = side.tip.id.seqno + 1;
  const state = encode(ShardStateUnsplit, newState(contents, seqno));
  // Hashing, the state update and serialization are the slowest parts for a big block, so yield between them.
  state.hash();
  await timeSlice.yieldIfDue();
  const stateUpdate = updateOf(side.tip.state, state);
  await timeSlice.yieldIfDue();
  const root = encode(Block, {
    globalId: side.state.globalId,
    info: CellOf.of(BlockInfo, header(contents, seqno)),
    valueFlow: CellOf.of(ValueFlow, flow),
    stateUpdate,
    extra: CellOf.of(BlockExtra, {
      inMsgDescr: CellOf.of(InMsgDescr, contents.inMsgDescr),
      outMsgDescr: CellOf.of(OutMsgDescr, contents.outMsgDescr),
      accountBlocks: CellOf.of(ShardAccountBlocks, contents.accountBlocks),
      randSeed,
      createdBy,
      custom: master && CellOf.of(McBlockExtra, master.block),
    }),
  });
  root.hash();
  await timeSlice.yieldIfDue();
  const boc = serializeBoc(root);
  const fileHash = sha256(boc);
  const id = { workchain: side.workchain, shard: wholeShard, seqno, rootHash: root.hash(), fileHash };
  const { transactionCount, maxLt: endLt } = draft;
  return { id, boc, root, state, genUtime: utime, startLt, endLt, transactionCount };
}

/** Settles the old state, so that the update visits only changed cells. */
function updateOf(before: Cell, after: Cell): Cell {
  settle(before);
  return createMerkleUpdate(before, after, { keepOldLevels: unprunedLevels });
}

function newState(contents: BlockContents, seqno: number): ShardStateUnsplit {
  const { side, draft, accounts, processed, utime, minRefMcSeqno, masterRef, master } = contents;
  const ownProcessed = ProcessedInfo.empty.update(
    processed.map(({ mcSeqno, lt, hash }) => [
      { shard: wholeShard, mcSeqno },
      { lastMsgLt: lt, lastMsgHash: hash },
    ]),
  );
  return {
    globalId: side.state.globalId,
    shardId: { workchain: side.workchain, shard: wholeShard },
    seqno,
    vertSeqno: 0,
    genUtime: utime,
    genLt: draft.maxLt,
    minRefMcSeqno,
    outMsgQueueInfo: CellOf.of(OutMsgQueueInfo, {
      outQueue: draft.queue,
      procInfo: ownProcessed,
      extra: contents.storesQueueSize
        ? { dispatchQueue: DispatchQueue.empty, outQueueSize: draft.queueSize }
        : undefined,
    }),
    beforeSplit: false,
    accounts: CellOf.of(ShardAccounts, accounts),
    totals: CellOf.of(ShardStateTotals, {
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: accounts.extra.balance,
      totalValidatorFees: contents.validatorFees,
      libraries: contents.libraries,
      masterRef: masterRef && { master: masterRef },
    }),
    custom: master && CellOf.of(McStateExtra, master.state),
  };
}

function header(contents: BlockContents, seqno: number): BlockInfo {
  const { side, draft, utime, startLt, session, masterRef, master, software } = contents;
  return {
    version: 0,
    notMaster: side.workchain !== masterchain,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: master?.block.config !== undefined,
    vertSeqnoIncr: false,
    flags: software ? 1 : 0,
    seqno,
    vertSeqno: 0,
    shardId: { workchain: side.workchain, shard: wholeShard },
    genUtime: utime,
    startLt,
    endLt: draft.maxLt,
    genValidatorListHashShort: session.validatorListHashShort,
    genCatchainSeqno: session.catchainSeqno,
    minRefMcSeqno: contents.minRefMcSeqno,
    prevKeyBlockSeqno: contents.prevKeyBlockSeqno,
    genSoftware: software,
    masterRef: masterRef && CellOf.of(BlkMasterInfo, { master: masterRef }),
    prevRef: CellOf.of(blkPrevInfo(false), [side.ref]),
    prevVertRef: undefined,
  };
}

function show(flow: ValueFlow): string {
  const amounts = Object.entries(flow).map(([name, amount]) => `${name} ${amount?.coins ?? 0n}`);
  return amounts.join(", ");
}
