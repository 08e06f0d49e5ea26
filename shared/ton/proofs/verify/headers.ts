import type { BlockHeader, HeaderParts, LiteCall } from "../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId } from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { previousBlockIds } from "../make/shard-links.js";
import { check, checkSameBlock } from "./proof-error.js";
import { type Header, provenHeaderBoc } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

/**
 * Verifies a header with its references to earlier blocks, and the state update and the extra part if requested. Other parts are not
 * checked for completeness, because servers include different ones.
 */
export function verifyHeader(
  { id, stateUpdate, extra }: { id: BlockIdExt } & HeaderParts,
  answer: BlockHeader,
): Header {
  checkSameBlock(answer.id, id);
  const header = provenHeaderBoc(id, answer.headerProof);
  provenPrevious(id, header.info);
  if (stateUpdate) check(header.block.stateUpdate.type === "merkleUpdate", "the proof has no state update");
  // Throws if the part with the random seed is pruned.
  if (extra) header.block.extra.value;
  return header;
}

/** Ids of the previous blocks: one, or two after a merge. */
export function provenPrevious(id: BlockIdExt, info: BlockInfo): BlockIdExt[] {
  const previous = previousBlockIds(id, info);
  check(
    Math.max(...previous.map(({ seqno }) => seqno)) + 1 === info.seqno,
    `${formatBlockId(id)} does not follow the blocks it names`,
  );
  // Throws if the reference to the masterchain is pruned.
  info.masterRef?.value;
  return previous;
}

export async function getBlockHeader(
  { lite }: Proving,
  request: { id: BlockIdExt } & HeaderParts,
  call: LiteCall,
): Promise<BlockHeader> {
  const answer = await lite.getBlockHeader(request, call);
  verifyHeader(request, answer);
  return answer;
}
