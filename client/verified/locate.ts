import { type LiteCall, LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";
import { readAccountBlock } from "../../shared/ton/proofs/read/block-transactions.js";
import { type LocateReads, placeOf } from "../../shared/ton/proofs/read/locate-transaction.js";
import { listBlockTransactionsExt } from "../../shared/ton/proofs/verify/block-transactions.js";
import type { Address } from "../../shared/values/address.js";
import { RpcError } from "../errors.js";
import type { ProvenReads } from "./proven-reads.js";

/**
 * The reads of a search for a message's transaction. Blocks are proven to be the ones to search, and lists of their
 * transactions to be complete, so that a transaction which is not found is in none of them.
 */
export function provenLocateReads(reads: ProvenReads, call: LiteCall): LocateReads {
  return {
    async blockAt(address, lt) {
      // Lookups begin at the newest proven block.
      await reads.head(call);
      const id = { ...placeOf(address), seqno: 0 };
      try {
        return (await reads.lite.lookupBlock({ id, lt }, call)).id;
      } catch (error) {
        if (!(error instanceof LiteError) || error.code !== liteErrorCode.notReady) throw error;
        if (await endsBefore(address, lt, reads, call)) return undefined;
        throw new RpcError("unavailable", `unproven: the service does not give the block at lt ${lt}`, {
          retryable: true,
          cause: error,
        });
      }
    },
    transactionsIn: (block, address) =>
      readAccountBlock(reads.liteOf({ listBlockTransactionsExt }), block, address, call),
  };
}

/** Whether the account's newest block is proven to end before a logical time. */
async function endsBefore(
  address: Address,
  lt: bigint,
  reads: ProvenReads,
  call: LiteCall,
): Promise<boolean> {
  const { shardBlock } = await reads.account(address, undefined, call);
  return (await reads.header(shardBlock, call)).info.endLt < lt;
}
