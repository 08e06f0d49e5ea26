import type { BlockLookup, HeaderParts, LookupBlockResult } from "../../lite/lite-api.js";
import { type BlockIdExt, sameBlock, shardContainsPrefix } from "../../tlb/block-id.js";
import { searchOf } from "./headers.js";
import { failure, findBlock, isMasterchain, loadBlock, loadMasterchain } from "./load.js";
import { openBlock, openHeader, openMcState } from "./open-block.js";
import { noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { linksTo, masterchainBlockOf, previousBlockIds } from "./shard-links.js";
import { proveStateHash } from "./state-proofs.js";

/** `mcBlockId` of the request is the trusted block, of the answer the masterchain block that registered the found one. */
export async function lookupBlockWithProof(
  chain: ServedChain,
  request: BlockLookup & HeaderParts & { mcBlockId: BlockIdExt },
): Promise<LookupBlockResult> {
  const { mcBlockId: trusted } = request;
  const by = searchOf(request);
  if (!isMasterchain(trusted)) throw failure("masterchain block id must be specified");
  const id = await findBlock(chain, request.id.workchain, request.id.shard, by);
  const mcBlockId = isMasterchain(id) ? id : await masterchainBlockOf(chain, id);
  if (mcBlockId.seqno > trusted.seqno)
    throw failure("specified mc block is older than block's masterchain ref");
  const { root } = await loadBlock(chain, id);
  const header = prove(root, (block) => openHeader(openBlock(block)));
  const previous = previousBlockIds(id, header.value).find(({ shard }) =>
    shardContainsPrefix(shard, request.id.shard),
  );
  if (!previous) throw failure("failed to choose previous block");
  return {
    id,
    mcBlockId,
    ...(await proofOfEarlierBlock(chain, trusted, mcBlockId)),
    shardLinks: await linksTo(chain, mcBlockId, id),
    header: header.boc,
    // Proves that the previous block is too early for the lt or time. The first block has none.
    prevHeader: "seqno" in by || previous.seqno === 0 ? noBytes() : await headerProof(chain, previous),
  };
}

async function headerProof(chain: ServedChain, id: BlockIdExt): Promise<Uint8Array> {
  const { root } = await loadBlock(chain, id);
  return prove(root, (block) => openHeader(openBlock(block))).boc;
}

/** Proves a masterchain block by the list of earlier blocks in the state of the trusted one. */
async function proofOfEarlierBlock(
  chain: ServedChain,
  trusted: BlockIdExt,
  earlier: BlockIdExt,
): Promise<Pick<LookupBlockResult, "clientMcStateProof" | "mcBlockProof">> {
  if (sameBlock(trusted, earlier)) return { clientMcStateProof: noBytes(), mcBlockProof: noBytes() };
  const { root, state } = await loadMasterchain(chain, trusted);
  const { value, boc } = prove(state, (shown) =>
    openMcState(shown).history.value.prevBlocks.get(earlier.seqno),
  );
  if (!value || !sameBlock(earlier, { ...earlier, ...value.blkRef }))
    throw failure("client mc blkid is not in prev_blocks");
  return { clientMcStateProof: proveStateHash(root).boc, mcBlockProof: boc };
}
