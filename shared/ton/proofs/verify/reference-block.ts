import type { LiteCall } from "../../lite/lite-api.js";
import { type BlockIdExt, latestSeqno } from "../../tlb/block-id.js";
import { isMasterchain } from "../make/load.js";
import type { Proving } from "./proven-chain.js";

/** The block that a request names; the server's newest one, proven, if its seqno is `latestSeqno`. */
export async function referenceBlock(
  { lite, trust }: Proving,
  id: BlockIdExt,
  call: LiteCall,
): Promise<BlockIdExt> {
  if (!isMasterchain(id) || id.seqno !== latestSeqno) return id;
  const { last } = await lite.getMasterchainInfo({}, call);
  await trust.prove(lite, last, call);
  return last;
}
