import { parseBocRoot } from "../../cells/boc.js";
import { openMerkleProof } from "../../cells/proof.js";
import { type BlockIdExt, formatBlockId, sameBlock } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import type {
  BlockLinkBack,
  BlockLinkForward,
  BlockProofQuery,
  LiteCall,
  PartialBlockProof,
} from "../lite-api.js";
import { isMasterchain } from "../serve/load.js";
import { noBytes } from "../serve/prove.js";
import { check, checkHash } from "./failed-proof.js";
import { verifyEarlierBlock } from "./lookups.js";
import type { Proving } from "./proving.js";
import { masterchainPart } from "./shards.js";
import { verifySignatures } from "./signatures.js";
import { checkSameBlock, masterchainExtra, provenHeader, provenHeaderBoc } from "./trees.js";
import { MasterchainValidators } from "./validators.js";

/** A masterchain block that a link proved. */
export type ProvenBlock = {
  id: BlockIdExt;
  isKeyBlock: boolean;
  /** Absent for the zero state, which has no header. */
  genUtime: number | undefined;
};

/** A key block (or the zero state) whose signers are known, so that they need not be read again. */
export type KnownSigners = { id: BlockIdExt; genUtime: number; validators: MasterchainValidators };

export type ProvenStep = ProvenBlock & {
  /** Of links forward: where they began. */
  signers?: KnownSigners;
};

/**
 * Goes link by link from a trusted block to where the answer leads, and gives every block on the way. Each is proven
 * when it is given, whatever comes of the links behind it.
 */
export async function* provenSteps(
  { knownBlock, targetBlock }: BlockProofQuery,
  answer: PartialBlockProof,
  known?: KnownSigners,
): AsyncGenerator<ProvenStep> {
  checkSameBlock(answer.from, knownBlock);
  check(answer.complete || answer.steps.length > 0, "a proof that is not complete leads nowhere");
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
  if (targetBlock)
    check(answer.complete === sameBlock(at, targetBlock), "the proof ends elsewhere than told");
}

/** To an earlier block, which the state of the later one lists. */
function stepBack(link: BlockLinkBack): ProvenStep {
  const { from, to, toKeyBlock } = link;
  check(to.seqno < from.seqno, "a link back leads forward");
  verifyEarlierBlock(from, to, { header: link.proof, state: link.stateProof });
  if (to.seqno === 0) return { id: to, isKeyBlock: true, genUtime: undefined };
  return destination(to, link.destProof, toKeyBlock).block;
}

/** To a later block, which the validators named by a key block signed. */
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
  check(info.keyBlock === isKeyBlock, `whether ${formatBlockId(id)} is a key block is told wrongly`);
  return { info, block: { id, isKeyBlock, genUtime: info.genUtime } };
}

/** Who signs after a key block or the zero state, by its own proof. */
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

/** A whole answer, for callers that want nothing but to know that it holds. */
export async function verifyBlockProof(request: BlockProofQuery, answer: PartialBlockProof): Promise<void> {
  for await (const _ of provenSteps(request, answer));
}

/** How far behind the newest block an answer may end that says there is nothing newer. */
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
    check(answer.to.seqno + maxLag >= trust.head.seqno, "the proof ends long before the newest block");
  return withoutDoubt(answer);
}

/**
 * That the answer leads to the block asked for, or at least nearer to it: what holds can still be the proof of another
 * block. The way to a later one ends in signatures, and to an earlier one it is one link.
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

/** The zero state has no header; it counts as a key block. */
function withoutDoubt(answer: PartialBlockProof): PartialBlockProof {
  const steps = answer.steps.map((link) =>
    link.to.seqno === 0 ? { ...link, toKeyBlock: true, destProof: noBytes() } : link,
  );
  return { ...answer, steps };
}
