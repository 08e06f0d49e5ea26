import { type BlockIdExt, formatBlockId } from "../block-id.js";
import { previousBlockIds } from "../lite/shard-links.js";
import type { BlockHeader, HeaderParts, LiteCall } from "../lite-api.js";
import type { BlockInfo } from "../tlb/block-info.js";
import { check } from "./failed-proof.js";
import type { Proving } from "./proving.js";
import { checkSameBlock, checkShown, type Header, provenHeaderBoc } from "./trees.js";

/** A header with the references to earlier blocks and the parts that were asked for. */
export function verifyHeader(
  { id, ...parts }: { id: BlockIdExt } & HeaderParts,
  answer: BlockHeader,
): Header {
  checkSameBlock(answer.id, id);
  const header = provenHeaderBoc(id, answer.headerProof);
  provenPrevious(id, header.info);
  checkParts(header, parts);
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

function checkParts({ block }: Header, parts: HeaderParts): void {
  if (parts.stateUpdate) check(block.stateUpdate.type === "merkleUpdate", "the state update is left out");
  if (parts.valueFlow) checkShown(block.valueFlow.cell, "the value flow");
  if (!parts.extra) return;
  const masterchainPart = block.extra.value.custom?.value;
  if (parts.shardHashes) checkShown(masterchainPart?.shardHashes.root, "the shards");
  if (parts.prevBlockSignatures)
    checkShown(masterchainPart?.details.value.prevBlkSignatures.root, "the signatures");
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
