import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import type { BlockPair, BlockSignature } from "./block/block-pair.js";
import type { Delivery } from "./block/draft.js";
import { signBlock } from "./block/sign-block.js";
import { collateBasechain } from "./collate-basechain.js";
import { collateMasterchain } from "./masterchain/collate-masterchain.js";
import type { BlockWork, Step } from "./step.js";

/** The work of a step, for each of its blocks. */
type StepWork = {
  basechain: BlockWork;
  masterchain: BlockWork;
  /** Signatures of the newest masterchain block. The next one contains them. */
  previousSignatures: readonly BlockSignature[];
};

/** Both blocks of a step, not stored yet, and the messages that they delivered. */
export type MadeStep = {
  pair: BlockPair;
  deliveries: Delivery[];
  /** In the order of the requests, basechain first. */
  injected: Delivery[];
};

/** Makes a basechain block and the masterchain block that registers it. */
export async function collateStep(step: Step, work: StepWork): Promise<MadeStep> {
  const base = await collateBasechain(step, work.basechain);
  await step.timeSlice.yieldIfDue();
  const master = await collateMasterchain(step, base, work.previousSignatures, work.masterchain);
  const { genCatchainSeqno, genValidatorListHashShort } = decode(Block, master.block.root).info.value;
  return {
    pair: {
      basechain: base.block,
      masterchain: master.block,
      keyBlock: master.keyBlock,
      signatures: {
        validatorListHashShort: genValidatorListHashShort,
        catchainSeqno: genCatchainSeqno,
        signatures: step.signers.map((key) => signBlock(key, master.block.id)),
      },
      edited: [...work.basechain.edits, ...work.masterchain.edits].map(({ address }) => address),
      finished: [...base.finished, ...master.finished],
    },
    deliveries: [...base.deliveries, ...master.deliveries],
    injected: [...base.injected, ...master.injected],
  };
}
