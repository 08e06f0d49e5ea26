import type { LiteCall } from "../../shared/ton/lite/lite-api.js";
import type { TransactionRef } from "../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import type { TransactionsPage } from "../../shared/ton/proofs/read/transactions.js";
import type { Address } from "../../shared/values/address.js";

/** Transactions that a search in the history of an account reads, and those of one page. */
export const maxSearched = 640;
const pageSize = 64;

/** A history from its newest transaction down to a logical time, by default to its beginning. */
type History = { address: Address; newest: TransactionRef; afterLt?: bigint };

/** Pages of the newest transactions of an account, at most `maxSearched`. */
export async function* newestTransactions(
  reader: Pick<ChainReader, "transactions">,
  { address, newest, afterLt: toLt = 0n }: History,
  call: LiteCall,
): AsyncGenerator<TransactionsPage> {
  let from = newest;
  for (let read = 0; from.lt > toLt && read < maxSearched; read += pageSize) {
    const page = await reader.transactions({ address, from, limit: pageSize, toLt }, call);
    if (page.transactions.length === 0) return;
    yield page;
    from = page.previous;
  }
}
