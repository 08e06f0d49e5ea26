import { openAll } from "../../cells/merkle/proof.js";
import type {
  BlockLink,
  BlockLinkBack,
  BlockLinkForward,
  BlockProofQuery,
  PartialBlockProof,
} from "../../lite/lite-api.js";
import { type BlockIdExt, formatBlockIdExt, masterchain, sameBlock, wholeShard } from "../../tlb/block-id.js";
import type { ConfigParams } from "../../tlb/config-params.js";
import { assertKnownMasterchain, failure, findBlock, isMasterchain, loadBlock, loadState } from "./load.js";
import { openBlock, openHeader, openMcBlockExtra, openMcState } from "./open-block.js";
import { noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { proveStateHash } from "./state-proofs.js";

const maxLinks = 16;

/**
 * Links from a trusted block to another one, at most 16: back by the list of earlier blocks in its state, or back to a key
 * block and then forward from key block to key block by validator signatures.
 */
export async function getBlockProof(
  chain: ServedChain,
  request: BlockProofQuery,
): Promise<PartialBlockProof> {
  const { knownBlock: from, targetBlock } = request;
  assertMasterchainId("source", from);
  if (targetBlock) assertMasterchainId("destination", targetBlock);
  const target = targetBlock ?? chain.last;
  await assertKnownMasterchain(chain, from, "proof source");
  await assertKnownMasterchain(chain, target, "proof destination");
  const base = request.baseOnGiven ? Math.max(from.seqno, target.seqno) : chain.last.seqno;
  const steps: BlockLink[] = [];
  let at = from;
  while (steps.length < maxLinks && !sameBlock(at, target)) {
    const link = await nextLink(chain, at, target, base);
    steps.push(link);
    at = link.to;
  }
  return { complete: sameBlock(at, target), from, to: at, steps };
}

function assertMasterchainId(role: string, id: BlockIdExt): void {
  if (!isMasterchain(id))
    throw failure(`${role} block ${formatBlockIdExt(id)} is not a valid masterchain block id`);
}

async function nextLink(
  chain: ServedChain,
  at: BlockIdExt,
  target: BlockIdExt,
  base: number,
): Promise<BlockLink> {
  if (target.seqno < at.seqno) return linkBack(chain, at, target);
  const key = chain.keyBlockAtOrBefore(at.seqno);
  if (key !== at.seqno) return linkBack(chain, at, await masterchainId(chain, key));
  const next = chain.keyBlockAfter(at.seqno);
  return linkForward(
    chain,
    at,
    next === undefined || next > base ? target : await masterchainId(chain, next),
  );
}

async function masterchainId(chain: ServedChain, seqno: number): Promise<BlockIdExt> {
  if (seqno === 0) return { ...chain.zeroState, shard: wholeShard, seqno };
  return findBlock(chain, masterchain, wholeShard, { seqno });
}

async function linkBack(chain: ServedChain, from: BlockIdExt, to: BlockIdExt): Promise<BlockLinkBack> {
  const { root } = await loadBlock(chain, from);
  const state = prove(await loadState(chain, from), (shown) => {
    const { prevBlocks } = openMcState(shown).history.value;
    prevBlocks.get(to.seqno);
    // Verifiers look up the zero state first.
    prevBlocks.get(0);
  });
  const proof = proveStateHash(root).boc;
  return { type: "back", from, to, ...(await destination(chain, to)), proof, stateProof: state.boc };
}

async function linkForward(chain: ServedChain, from: BlockIdExt, to: BlockIdExt): Promise<BlockLinkForward> {
  const signed = await chain.signatures(to.seqno);
  if (!signed) throw failure(`cannot load proof for ${formatBlockIdExt(to)} : there are no signatures`);
  const { validatorListHashShort: validatorSetHash, catchainSeqno, signatures } = signed;
  return {
    type: "forward",
    from,
    to,
    ...(await destination(chain, to)),
    configProof: await validatorProof(chain, from),
    signatures: { type: "ordinary", validatorSetHash, catchainSeqno, signatures },
  };
}

/** Proves the header of a link's target. The zero state has no header and counts as a key block. */
async function destination(
  chain: ServedChain,
  to: BlockIdExt,
): Promise<{ toKeyBlock: boolean; destProof: Uint8Array }> {
  if (to.seqno === 0) return { toKeyBlock: true, destProof: noBytes() };
  const { root } = await loadBlock(chain, to);
  const { value, boc } = prove(root, (block) => openHeader(openBlock(block)));
  return { toKeyBlock: value.keyBlock, destProof: boc };
}

/** Proves the validators after a key block or the zero state. */
async function validatorProof(chain: ServedChain, from: BlockIdExt): Promise<Uint8Array> {
  if (from.seqno === 0)
    return prove(await loadState(chain, from), (state) => showValidators(openMcState(state).config)).boc;
  const { root } = await loadBlock(chain, from);
  return prove(root, (shown) => {
    const block = openBlock(shown);
    openHeader(block);
    const { config } = openMcBlockExtra(block);
    if (!config) throw failure(`block ${formatBlockIdExt(from)} is not a key block`);
    showValidators(config);
  }).boc;
}

/** Parameters 34 (or 35, which overrides it) and 28: the validators, and how their group is drawn. */
function showValidators({ config }: ConfigParams): void {
  for (const number of [35, 34, 28]) {
    const param = config.value.get(number);
    if (param) openAll(param);
  }
}
