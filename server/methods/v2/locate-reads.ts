import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { type LocateReads, placeOf } from "../../../shared/ton/proofs/read/locate-transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { withErrorContext } from "./lite-errors.js";

/** The reads of a search for a message's transaction; errors name the read that failed. */
export function locateReads(
  reader: Pick<ChainReader, "lookup" | "accountTransactions">,
  call: LiteCall,
): LocateReads {
  return {
    blockAt: (address, lt) =>
      withErrorContext(
        "failed to lookup block by given lt: ",
        reader.lookup({ ...placeOf(address), lt }, call).catch(ignoreNotReady),
      ),
    transactionsIn: (block, address) =>
      withErrorContext(
        "failed to get transactions for block: ",
        reader.accountTransactions(block, address, call),
      ),
  };
}

function ignoreNotReady(error: unknown): undefined {
  if (error instanceof LiteError && error.code === liteErrorCode.notReady) return undefined;
  throw error;
}
