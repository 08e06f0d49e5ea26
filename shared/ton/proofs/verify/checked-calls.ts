import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { proofError } from "./proof-error.js";
import type { ProvenChain, Proving } from "./proven-chain.js";
import { ProvenShards } from "./proven-shards.js";

export type CheckOptions = {
  /**
   * Whether the block ids of `getTransactions` are proven, at the cost of a lookup for each; true by default. Without,
   * they are unverified.
   */
  proveTransactionBlocks?: boolean;
};

/** Makes methods of LiteApi from functions that check an answer: a failed check becomes a ProofError of the method. */
export function checkedCalls(
  lite: LiteApi,
  trust: ProvenChain,
  { proveTransactionBlocks = true }: CheckOptions,
) {
  const proving: Proving = { lite, trust, shards: new ProvenShards(), proveTransactionBlocks };
  return <Q, A>(
    name: keyof LiteApi,
    answer: (proving: Proving, request: Q, call: LiteCall) => Promise<A>,
  ): ((request: Q, call?: LiteCall) => Promise<A>) =>
    async (request, call = {}) => {
      try {
        return await answer(proving, request, call);
      } catch (error) {
        throw proofError(name, error, blockOf(request, trust));
      }
    };
}

/** The block that a request names; the newest proven one if it names none. */
function blockOf(request: unknown, { head }: ProvenChain): { block?: BlockIdExt } {
  const { id } = (request ?? {}) as { id?: BlockIdExt };
  const block = id?.rootHash ? id : head;
  return block ? { block } : {};
}
