import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import {
  type LocateReads,
  type Matches,
  placeOf,
} from "../../../shared/ton/proofs/read/locate-transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { maxSearched, newestTransactions } from "../../chain/account-history.js";
import { withErrorContext } from "./lite-errors.js";

type Reader = Pick<
  ChainReader,
  "last" | "lookup" | "account" | "transactions" | "accountTransactions" | "isFork"
>;

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
  const { lastTransaction: newest } = await reader.account(reader.last, address, call);
  let searched = 0;
  let earlier = newest;
  for await (const page of newestTransactions(reader, { address, newest, afterLt }, call)) {
    const found = page.transactions.find(matches);
    if (found) return found;
    searched += page.transactions.length;
    earlier = page.previous;
  }
  if (searched < maxSearched || earlier.lt <= afterLt) return undefined;
  throw new LiteError(
    liteErrorCode.notReady,
    `none of the newest ${maxSearched} transactions is the wanted one: locate it in the forked network`,
  );
}

function ignoreNotReady(error: unknown): undefined {
  if (error instanceof LiteError && error.code === liteErrorCode.notReady) return undefined;
  throw error;
}
