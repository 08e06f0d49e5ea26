import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import {
  type LocateReads,
  type Matches,
  placeOf,
} from "../../../shared/ton/proofs/read/locate-transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { withErrorContext } from "./lite-errors.js";

type Reader = Pick<
  ChainReader,
  "last" | "lookup" | "account" | "transactions" | "accountTransactions" | "isFork"
>;

/** Transactions of an account that are searched before the first block of a fork, and those of one page. */
const [maxSearched, pageSize] = [640, 64];

/** The reads of a search for a message's transaction; errors name the read that failed. */
export function locateReads(reader: Reader, call: LiteCall): LocateReads {
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
    ...(reader.isFork && {
      beforeFork: (address, afterLt, matches) => searchHistory({ address, afterLt, matches }, reader, call),
    }),
  };
}

type Search = { address: Address; afterLt: bigint; matches: Matches };

/** A fork does not have the blocks of its network, so the account's history is searched. */
async function searchHistory({ address, afterLt, matches }: Search, reader: Reader, call: LiteCall) {
  let from = (await reader.account(reader.last, address, call)).lastTransaction;
  for (let searched = 0; from.lt > afterLt; searched += pageSize) {
    if (searched >= maxSearched)
      throw new LiteError(
        liteErrorCode.notReady,
        `none of the newest ${maxSearched} transactions is the wanted one: locate it in the forked network`,
      );
    const page = await reader.transactions({ address, from, limit: pageSize, toLt: afterLt }, call);
    const found = page.transactions.find(matches);
    if (found || page.transactions.length === 0) return found;
    from = page.previous;
  }
  return undefined;
}

function ignoreNotReady(error: unknown): undefined {
  if (error instanceof LiteError && error.code === liteErrorCode.notReady) return undefined;
  throw error;
}
