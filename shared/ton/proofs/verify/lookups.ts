import { parseBocRoot } from "../../cells/boc/boc.js";
import {
  type BlockHeader,
  type BlockLookup,
  type HeaderParts,
  type LiteCall,
  LiteError,
  type LookupBlockResult,
} from "../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId, sameBlock, shardContainsPrefix } from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { searchOf } from "../make/headers.js";
import { isMasterchain } from "../make/load.js";
import { noBytes } from "../make/prove.js";
import type { BlockSearch } from "../make/served-chain.js";
import { getBlockHeader, provenPrevious } from "./headers.js";
import { check, checkSameBlock } from "./proof-error.js";
import { masterchainExtra, provenHeaderBoc, stateTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";
import { verifyShardLinks } from "./shard-links.js";

type ProvenLookup = BlockLookup & { mcBlockId: BlockIdExt };

/** Verifies that the block found is of the trusted chain and is the first one that matches the lookup. */
export function verifyLookup(request: ProvenLookup, answer: LookupBlockResult): void {
  const { id } = answer;
  check(
    id.workchain === request.id.workchain && shardContainsPrefix(id.shard, request.id.shard),
    `${formatBlockId(id)} is not of the shard asked for`,
  );
  verifyEarlierBlock(request.mcBlockId, answer.mcBlockId, {
    header: answer.clientMcStateProof,
    state: answer.mcBlockProof,
  });
  if (isMasterchain(id)) checkSameBlock(answer.mcBlockId, id);
  verifyShardLinks(answer.mcBlockId, id, answer.shardLinks);
  const { info } = provenHeaderBoc(id, answer.header);
  checkFound(searchOf(request), info, () => previousInfo(request.id.shard, answer, info));
}

/** Verifies that a masterchain block is in the list of earlier blocks in the state of a trusted block. */
export function verifyEarlierBlock(
  trusted: BlockIdExt,
  earlier: BlockIdExt,
  proof: { header: Uint8Array; state: Uint8Array },
): void {
  if (sameBlock(trusted, earlier)) return;
  const { history } = masterchainExtra(
    stateTree(trusted, parseBocRoot(proof.header), parseBocRoot(proof.state)),
  );
  const listed = history.value.prevBlocks.get(earlier.seqno)?.blkRef;
  check(listed !== undefined, `${formatBlockId(trusted)} does not list ${formatBlockId(earlier)}`);
  const { seqno, rootHash, fileHash } = listed;
  checkSameBlock(earlier, { ...trusted, seqno, rootHash, fileHash });
}

function checkFound(by: BlockSearch, info: BlockInfo, previous: () => BlockInfo | undefined): void {
  if ("seqno" in by) {
    check(info.seqno === by.seqno, `block ${info.seqno} instead of ${by.seqno}`);
    return;
  }
  const before = previous();
  if ("lt" in by)
    check(
      info.endLt >= by.lt && (!before || before.endLt < by.lt),
      `lt ${by.lt} is not in block ${info.seqno}`,
    );
  // If several blocks were made in one second, servers may find any of them.
  else
    check(
      info.genUtime >= by.utime && (!before || before.genUtime <= by.utime),
      `utime ${by.utime} is not in block ${info.seqno}`,
    );
}

/** Header of the previous block; undefined for the first block. */
function previousInfo(prefix: bigint, answer: LookupBlockResult, info: BlockInfo): BlockInfo | undefined {
  const previous = provenPrevious(answer.id, info).find(({ shard }) => shardContainsPrefix(shard, prefix));
  check(previous !== undefined, "no previous block is of the shard asked for");
  return previous.seqno > 0 ? provenHeaderBoc(previous, answer.prevHeader).info : undefined;
}

export async function lookupBlockWithProof(
  { lite }: Proving,
  request: ProvenLookup & HeaderParts,
  call: LiteCall,
): Promise<LookupBlockResult> {
  const answer = await lite.lookupBlockWithProof(request, call);
  verifyLookup(request, answer);
  return usefulProofs(request, answer);
}

/** Drops useless proofs: from a block to itself, and the previous block in a lookup by seqno. */
function usefulProofs({ mcBlockId, bySeqno }: ProvenLookup, answer: LookupBlockResult): LookupBlockResult {
  const isTrusted = sameBlock(answer.mcBlockId, mcBlockId);
  return {
    ...answer,
    ...(isTrusted && { clientMcStateProof: noBytes(), mcBlockProof: noBytes() }),
    ...((bySeqno || answer.id.seqno === 1) && { prevHeader: noBytes() }),
  };
}

/** Uses the lookup with proof: the plain one does not prove that the right block was found. */
export async function lookupBlock(
  proving: Proving,
  { id, bySeqno, lt, utime, ...parts }: BlockLookup & HeaderParts,
  call: LiteCall,
): Promise<BlockHeader> {
  const way = {
    ...(bySeqno && { bySeqno }),
    ...(lt !== undefined && { lt }),
    ...(utime !== undefined && { utime }),
  };
  const found = await lookupFromHead(proving, { id, ...way }, call);
  const isBare = !Object.values(parts).some((part) => part);
  if (isBare) return { id: found.id, headerProof: found.header };
  return getBlockHeader(proving, { id: found.id, ...parts }, call);
}

/** Looks up from the newest proven block. If the server's newest block differs, retries from that one on an error. */
async function lookupFromHead(
  proving: Proving,
  request: BlockLookup,
  call: LiteCall,
): Promise<LookupBlockResult> {
  const { lite, trust } = proving;
  const head = await trust.headFor(lite, call);
  try {
    return await lookupBlockWithProof(proving, { ...request, mcBlockId: head }, call);
  } catch (error) {
    if (!(error instanceof LiteError)) throw error;
    const { last } = await lite.getMasterchainInfo({}, call);
    if (sameBlock(last, head)) throw error;
    await trust.prove(lite, last, call).catch((refusal) => {
      // The server's error about its own head does not answer the lookup: keep the first error.
      throw refusal instanceof LiteError ? error : refusal;
    });
    return lookupBlockWithProof(proving, { ...request, mcBlockId: last }, call);
  }
}
