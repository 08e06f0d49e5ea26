import type { LiteApi } from "../lite-api.js";
import type { ProvenShards } from "./proven-shards.js";
import type { TrustChain } from "./trust-chain.js";

/** What answering with proofs takes: who is asked, and what is known to be true. */
export type Proving = {
  readonly lite: LiteApi;
  readonly trust: TrustChain;
  readonly shards: ProvenShards;
  /** Whether the blocks named beside an account's transactions are proven too, at the cost of a lookup for each. */
  readonly proveTransactionBlocks: boolean;
};
