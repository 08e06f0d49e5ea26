import { type BlockIdExt, formatBlockId } from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import type { BlockHeader, HeaderParts, LiteCall } from "../lite-api.js";
import { previousBlockIds } from "../serve/shard-links.js";
import { check } from "./failed-proof.js";
import type { Proving } from "./proving.js";
import { checkSameBlock, type Header, provenHeaderBoc } from "./trees.js";

/**
 * A header with the references to earlier blocks, and the state update where it was asked for. How much there is to
 * see of the other parts differs between servers.
 */
export function verifyHeader(
  { id, stateUpdate }: { id: BlockIdExt } & HeaderParts,
  answer: BlockHeader,
): Header {
  checkSameBlock(answer.id, id);
  const header = provenHeaderBoc(id, answer.headerProof);
  provenPrevious(id, header.info);
  if (stateUpdate) check(header.block.stateUpdate.type === "merkleUpdate", "the state update is left out");
  return header;
}

/** The ids of the blocks before: one, or after a merge two. */
export function provenPrevious(id: BlockIdExt, info: BlockInfo): BlockIdExt[] {
  const previous = previousBlockIds(id, info);
  check(
    Math.max(...previous.map(({ seqno }) => seqno)) + 1 === info.seqno,
    `${formatBlockId(id)} does not follow the blocks it names`,
  );
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
