import { itemAt } from "../../../values/lookups.js";
import type { Cell } from "../../cells/cell.js";
import { openAll } from "../../cells/merkle/proof.js";
import type { BlockHeader, BlockLookup, HeaderParts } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { failure, findBlock, isMasterchain, loadBlock } from "./load.js";
import { openBlock, openHeader, openMcBlockExtra } from "./open-block.js";
import { prove } from "./prove.js";
import type { BlockSearch, ServedBlock, ServedChain } from "./served-chain.js";

export async function getBlockHeader(
  chain: ServedChain,
  { id, ...parts }: { id: BlockIdExt } & HeaderParts,
): Promise<BlockHeader> {
  return headerOf(await loadBlock(chain, id), parts);
}

export async function lookupBlock(
  chain: ServedChain,
  request: BlockLookup & HeaderParts,
): Promise<BlockHeader> {
  const id = await findBlock(chain, request.id.workchain, request.id.shard, searchOf(request));
  return headerOf(await loadBlock(chain, id), request);
}

/** The search of a lookup. Throws a LiteError unless exactly one criterion is given. */
export function searchOf({ id, bySeqno, lt, utime }: BlockLookup): BlockSearch {
  const ways: BlockSearch[] = [];
  if (bySeqno) ways.push({ seqno: id.seqno });
  if (lt !== undefined) ways.push({ lt });
  if (utime !== undefined) ways.push({ utime });
  if (ways.length !== 1) throw failure("exactly one of mode.0, mode.1 and mode.2 bits must be set");
  return itemAt(ways, 0);
}

function headerOf({ id, root }: ServedBlock, parts: HeaderParts): BlockHeader {
  return { id, headerProof: prove(root, (block) => showHeader(block, isMasterchain(id), parts)).boc };
}

/** Opens the header with all its references, and the requested parts. */
function showHeader(root: Cell, ofMasterchain: boolean, parts: HeaderParts): void {
  const block = openBlock(root);
  openHeader(block);
  if (parts.stateUpdate) block.stateUpdate.parseExotic();
  if (parts.valueFlow) openAll(block.valueFlow.cell);
  if (!parts.extra) return;
  block.extra.cell.parse();
  if (!ofMasterchain) return;
  const { shardHashes, details } = openMcBlockExtra(block);
  if (parts.shardHashes && shardHashes.root) openAll(shardHashes.root);
  const signatures = details.value.prevBlkSignatures.root;
  if (parts.prevBlockSignatures && signatures) openAll(signatures);
}
