import type { Queries } from "./database.js";
import { ForeignQueries, type IndexReads, ownReads } from "./layout.js";

// The reads that databases of any layout can answer. Handlers and presenters import them from here.

/** Each read asks the layout that its queries are for. */
function inAnyLayout(reads: IndexReads): IndexReads {
  const all = Object.entries(reads).map(([name, own]) => {
    const read = (queries: Queries, ...parameters: readonly unknown[]) =>
      queries instanceof ForeignQueries
        ? queries.read(name as keyof IndexReads, parameters)
        : (own as (...all: readonly unknown[]) => unknown)(queries, ...parameters);
    return [name, read];
  });
  // Each has the parameters and the result of its read.
  return Object.fromEntries(all) as IndexReads;
}

export const {
  abortedAmong,
  actionsOfTraces,
  adjacentTransactions,
  failedTransactions,
  findMessage,
  findSent,
  indexedEnds,
  listActions,
  listBlocks,
  listDnsRecords,
  listJettonMasters,
  listJettonWallets,
  listMessages,
  listMultisigOrders,
  listMultisigs,
  listNftCollections,
  listNftItems,
  listTokenEvents,
  listTraces,
  listTransactions,
  listVestings,
  masterchainBlockExists,
  newestBlockTime,
  ordersOfMultisigs,
  readAccounts,
  readAction,
  readBalanceChanges,
  readBook,
  readMarketplaceNames,
  readNftItems,
  readNftSales,
  readTokens,
  receivedMessages,
  richestAccounts,
  shardHeads,
  sidesOf,
  transactionsOfTraces,
  unitRange,
  unitsAmong,
} = inAnyLayout(ownReads);
