import { bytesEqual } from "../../../values/bytes.js";
import { RecentMap } from "../../../values/recent-map.js";
import { type BlockIdExt, formatBlockIdExt } from "../../tlb/block-id.js";

const kept = 32;

/**
 * Cache of verified proofs of a shard's newest block. Accounts of one shard come with the same proof, and identical bytes
 * need not be verified twice.
 */
export class ProvenShards {
  readonly #proofs = new RecentMap<string, Uint8Array>(kept);

  has(masterchainId: BlockIdExt, shardBlock: BlockIdExt, proof: Uint8Array): boolean {
    const known = this.#proofs.get(keyOf(masterchainId, shardBlock));
    return known !== undefined && bytesEqual(known, proof);
  }

  add(masterchainId: BlockIdExt, shardBlock: BlockIdExt, proof: Uint8Array): void {
    this.#proofs.set(keyOf(masterchainId, shardBlock), new Uint8Array(proof));
  }
}

function keyOf(masterchainId: BlockIdExt, shardBlock: BlockIdExt): string {
  return `${formatBlockIdExt(masterchainId)} ${formatBlockIdExt(shardBlock)}`;
}
