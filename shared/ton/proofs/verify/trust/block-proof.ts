import { parseBocRoot } from "../../../cells/boc/boc.js";
import { openMerkleProof } from "../../../cells/merkle/proof.js";
import type {
  BlockLinkBack,
  BlockLinkForward,
  BlockProofQuery,
  LiteCall,
  PartialBlockProof,
} from "../../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId, sameBlock } from "../../../tlb/block-id.js";
import { decode } from "../../../tlb/codec.js";
import { ShardStateUnsplit } from "../../../tlb/shard-state.js";
import { isMasterchain } from "../../make/load.js";
import { noBytes } from "../../make/prove.js";
import { verifyEarlierBlock } from "../lookups.js";
import { check, checkHash, checkSameBlock } from "../proof-error.js";
import { masterchainExtra, provenHeader, provenHeaderBoc } from "../proof-trees.js";
import type { Proving } from "../proven-chain.js";
import { masterchainPart } from "../shards.js";
import { verifySignatures } from "./signatures.js";
import { MasterchainValidators } from "./validators.js";

/** A masterchain block proven by a link. */
type ProvenBlock = {
  id: BlockIdExt;
  isKeyBlock: boolean;
  /** Absent for the zero state, which has no header. */
  genUtime: number | undefined;
};

/** A key block or the zero state with its validators, kept so that they are parsed once. */
export type KnownSigners = { id: BlockIdExt; genUtime: number; validators: MasterchainValidators };

export type ProvenStep = ProvenBlock & {
  /** For links forward: the key block they start from. */
  signers?: KnownSigners;
};

/**
 * Verifies an answer link by link, starting from a trusted block. Yields every block on the way as soon as it is
 * proven, even if a later link turns out to be wrong, which throws a ProofError.
 */
export async function* provenSteps(
  { knownBlock, targetBlock }: BlockProofQuery,
  answer: PartialBlockProof,
  known?: KnownSigners,
): AsyncGenerator<ProvenStep> {
  checkSameBlock(answer.from, knownBlock);
  check(answer.complete || answer.steps.length > 0, "an incomplete proof has no links");
  let at = knownBlock;
  let signers = known;
  for (const link of answer.steps) {
    checkSameBlock(link.from, at);
    check(isMasterchain(link.to), `${formatBlockId(link.to)} is not of the masterchain`);
    const step: ProvenStep = link.type === "back" ? stepBack(link) : await stepForward(link, signers);
    signers = step.signers;
    at = link.to;
    yield step;
  }
  checkSameBlock(answer.to, at);
  if (targetBlock) check(answer.complete === sameBlock(at, targetBlock), "`complete` of the proof is wrong");
}

/** A link to an earlier block, which is listed in the state of the later one. */
function stepBack(link: BlockLinkBack): ProvenStep {
  const { from, to, toKeyBlock } = link;
  check(to.seqno < from.seqno, "a link back leads forward");
  verifyEarlierBlock(from, to, { header: link.proof, state: link.stateProof });
  if (to.seqno === 0) return { id: to, isKeyBlock: true, genUtime: undefined };
  return destination(to, link.destProof, toKeyBlock).block;
}

/** A link to a later block, signed by the validators that a key block names. */
async function stepForward(link: BlockLinkForward, known: KnownSigners | undefined): Promise<ProvenStep> {
  const { from, to, toKeyBlock, configProof } = link;
  check(from.seqno < to.seqno, "a link forward leads back");
  const { info, block } = destination(to, link.destProof, toKeyBlock);
  const isKnown = known !== undefined && sameBlock(known.id, from);
  const signers = isKnown ? known : readSigners(from, configProof);
  await verifySignatures(to, info, link.signatures, signers.validators);
  return { ...block, signers };
}

function destination(id: BlockIdExt, proof: Uint8Array, isKeyBlock: boolean) {
  const { info } = provenHeaderBoc(id, proof);
  check(info.keyBlock === isKeyBlock, `the key block flag of ${formatBlockId(id)} is wrong`);
  return { info, block: { id, isKeyBlock, genUtime: info.genUtime } };
}

/** The validators after a key block or the zero state, from its proof. */
export function readSigners(id: BlockIdExt, proof: Uint8Array): KnownSigners {
  const root = parseBocRoot(proof);
  if (id.seqno === 0) {
    const state = openMerkleProof(root);
    checkHash(state.hash(), id.rootHash, "the proof is not of the zero state");
    const { genUtime } = decode(ShardStateUnsplit, state);
    return { id, genUtime, validators: new MasterchainValidators(masterchainExtra(state).config) };
  }
  const { block, info } = provenHeader(id, root);
  const { config } = masterchainPart(block);
  check(config !== undefined, `${formatBlockId(id)} is not a key block`);
  return { id, genUtime: info.genUtime, validators: new MasterchainValidators(config) };
}

/** Verifies a complete answer. Throws a ProofError. */
export async function verifyBlockProof(request: BlockProofQuery, answer: PartialBlockProof): Promise<void> {
  for await (const _ of provenSteps(request, answer));
}

/** An answer that claims to end at the newest block may lag this many blocks behind the head. */
const maxLag = 100;

export async function getBlockProof(
  { lite, trust }: Proving,
  request: BlockProofQuery,
  call: LiteCall,
): Promise<PartialBlockProof> {
  const answer = await lite.getBlockProof(request, call);
  await verifyBlockProof(request, answer);
  checkDirection(request, answer);
  if (!request.targetBlock && answer.complete && trust.head)
    check(answer.to.seqno + maxLag >= trust.head.seqno, "the proof ends too far behind the newest block");
  return withoutDoubt(answer);
}

/**
 * Checks that the answer leads to the requested block, or closer to it, because a valid proof may lead elsewhere. A
 * proof of a later block must end with signatures; a proof of an earlier one must be a single link.
 */
function checkDirection(
  { knownBlock, targetBlock }: BlockProofQuery,
  { complete, to, steps }: PartialBlockProof,
): void {
  if (!targetBlock) return;
  const isForward = targetBlock.seqno > knownBlock.seqno;
  const leadsThere = isForward
    ? steps.at(-1)?.type === "forward" && to.seqno > knownBlock.seqno && to.seqno <= targetBlock.seqno
    : complete && steps.length <= 1;
  check(leadsThere, `the proof leads to ${formatBlockId(to)} instead of ${formatBlockId(targetBlock)}`);
}

/** Normalises links to the zero state, which has no header and counts as a key block. */
function withoutDoubt(answer: PartialBlockProof): PartialBlockProof {
  const steps = answer.steps.map((link) =>
    link.to.seqno === 0 ? { ...link, toKeyBlock: true, destProof: noBytes() } : link,
  );
  return { ...answer, steps };
}
