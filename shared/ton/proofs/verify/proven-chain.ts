import type { LiteApi, LiteCall, MasterchainInfo } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { ProvenShards } from "./proven-shards.js";

/**
 * The proven masterchain against which answers are checked. `lite` is the server that is queried for missing proofs; a
 * wrong answer rejects with a ProofError.
 */
export interface ProvenChain {
  /** The newest proven block; undefined until a server has proven its own newest block. */
  readonly head: BlockIdExt | undefined;
  /** `head`, or the server's newest block if nothing is proven yet. */
  headFor(lite: LiteApi, call: LiteCall): Promise<BlockIdExt>;
  /** The server's newest block, proven. */
  newest(lite: LiteApi, call: LiteCall): Promise<MasterchainInfo>;
  /** Proves that the server's newest block is of this chain and has the stated state hash; returns its time. */
  proveInfo(lite: LiteApi, info: MasterchainInfo, call: LiteCall): Promise<{ genUtime: number }>;
  /** Proves that a masterchain block is of this chain. */
  prove(lite: LiteApi, id: BlockIdExt, call: LiteCall): Promise<void>;
}

/** Shared by the checks of one server. */
export type Proving = {
  readonly lite: LiteApi;
  readonly trust: ProvenChain;
  readonly shards: ProvenShards;
  /** Whether the blocks of an account's transactions are proven too, at the cost of a lookup for each. */
  readonly proveTransactionBlocks: boolean;
};
