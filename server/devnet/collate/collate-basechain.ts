import { validatorListHash } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { startLtAfter } from "../../../shared/ton/tlb/block-lt.js";
import { shardAt } from "../../../shared/ton/tlb/shard-hashes.js";
import { closeBlock, lowestMcSeqno, processedAfter, runBlock } from "./block/make-block.js";
import { noSources } from "./block/value-flow.js";
import { lastKeyBlock } from "./chain-side.js";
import { type BlockWork, type MadeBlock, rulesOf, type Step } from "./step.js";

/** Makes the next basechain block, based on the newest masterchain block. */
export async function collateBasechain(step: Step, work: BlockWork): Promise<MadeBlock> {
  const { masterchain, basechain: side } = step;
  const rules = rulesOf(step);
  const context = {
    side,
    neighbour: {
      workchain: masterchain.workchain,
      queue: masterchain.queueInfo.outQueue,
      processed: masterchain.processed,
      endLt: masterchain.state.genLt,
    },
    startLt: startLtAfter(masterchain.state.genLt, side.state.genLt, step.afterLt ?? 0n),
    special: [],
    made: [],
    sources: { ...noSources, created: rules.reward(side.workchain) },
  };
  const run = await runBlock(step, context, work, rules);
  const mcSeqno = masterchain.tip.id.seqno;
  const processed = processedAfter(step, side, run, mcSeqno);
  const catchainSeqno = shardAt(masterchain.master.shardHashes, side.workchain, 0n)!.descr.nextCatchainSeqno;
  return closeBlock(step, context, run, rules, {
    libraries: side.state.totals.value.libraries,
    processed,
    session: {
      catchainSeqno,
      validatorListHashShort: validatorListHash(catchainSeqno, rules.basechainValidators),
    },
    minRefMcSeqno: lowestMcSeqno(processed, mcSeqno),
    prevKeyBlockSeqno: lastKeyBlock(masterchain)?.seqno ?? 0,
    masterRef: masterchain.ref,
  });
}
