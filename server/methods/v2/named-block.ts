import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";

/** A block as identified by parameters: the shard is signed, and hashes count only if both are given. */
export type NamedBlock = {
  workchain: number;
  shard: bigint;
  seqno: number;
  root_hash?: Uint8Array | undefined;
  file_hash?: Uint8Array | undefined;
};

/** The id of the block; looked up unless both hashes are given. */
export async function blockNamed(
  { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }: NamedBlock,
  reader: Pick<ChainReader, "lookup">,
  call: LiteCall,
): Promise<BlockIdExt> {
  const id = { workchain, shard: BigInt.asUintN(64, shard), seqno };
  return rootHash && fileHash ? { ...id, rootHash, fileHash } : reader.lookup(id, call);
}
