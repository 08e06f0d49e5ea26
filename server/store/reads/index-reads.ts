import { ServiceError } from "../../errors.js";
import type { Queries } from "../database.js";
import { readExtras } from "../queries/accounts/account-extras.js";
import { readAccounts, richestAccounts } from "../queries/accounts/accounts.js";
import { readBalanceChanges } from "../queries/accounts/balance-changes.js";
import { listMultisigOrders, listMultisigs, ordersOfMultisigs } from "../queries/accounts/multisig.js";
import { listVestings } from "../queries/accounts/vesting.js";
import { listBlocks } from "../queries/blocks/block-list.js";
import { indexedEnds, shardHeads } from "../queries/blocks/blocks.js";
import { masterchainBlockExists, newestBlockTime } from "../queries/blocks/masterchain-blocks.js";
import { unitRange, unitsAmong } from "../queries/blocks/units.js";
import { findSent } from "../queries/kept/sent-messages.js";
import {
  abortedAmong,
  failedTransactions,
  findMessage,
  sidesOf,
} from "../queries/messages/message-status.js";
import { listMessages } from "../queries/messages/messages.js";
import { receivedMessages } from "../queries/messages/pending.js";
import { listDnsRecords } from "../queries/tokens/dns.js";
import { listJettonMasters, listJettonWallets } from "../queries/tokens/jettons.js";
import { readMarketplaceNames } from "../queries/tokens/marketplaces.js";
import { listNftCollections, listNftItems, readNftItems, readNftSales } from "../queries/tokens/nfts.js";
import { listTokenEvents } from "../queries/tokens/token-events.js";
import { actionsOfTraces, listActions, readAction } from "../queries/traces/actions.js";
import { listTraces } from "../queries/traces/traces.js";
import {
  adjacentTransactions,
  listTransactions,
  transactionsOfTraces,
} from "../queries/transactions/transactions.js";

/** Reads of our layout that databases of another one can answer too. The one list of them. */
const ownReads = {
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
  readExtras,
  readMarketplaceNames,
  readNftItems,
  readNftSales,
  receivedMessages,
  richestAccounts,
  shardHeads,
  sidesOf,
  transactionsOfTraces,
  unitRange,
  unitsAmong,
};

/** The same reads, of databases of any layout. */
export type IndexReads = typeof ownReads;

/** A layout of tables that another program writes. */
export type Layout = {
  readonly reads: IndexReads;
  /** SQL for the version of the index, in the form that snapshots read. */
  readonly versionSql: string;
  /** The answer to calls for anything else. */
  readonly lack: string;
};

const noCursors = "the service reads a database of TON Center, whose lists have no cursors: use offset";

function hasCursor(parameter: unknown): boolean {
  return typeof parameter === "object" && parameter !== null && "cursor" in parameter && !!parameter.cursor;
}

/** A snapshot of a database of another layout. Statements that are written for ours are refused. */
export class ForeignQueries implements Queries {
  readonly #queries: Queries;
  readonly #layout: Layout;
  readonly trail: Queries["trail"];

  constructor(queries: Queries, layout: Layout) {
    this.trail = queries.trail;
    this.#queries = queries;
    this.#layout = layout;
  }

  query(): Promise<never> {
    return Promise.reject(new ServiceError("unknown-method", this.#layout.lack, { status: 501 }));
  }

  isDivided(): Promise<boolean> {
    return this.#queries.isDivided();
  }

  /** A read, with its parameters after the queries. Orders of other layouts need not be total: their pages have no cursors. */
  read(name: keyof IndexReads, parameters: readonly unknown[]): unknown {
    if (parameters.some(hasCursor)) throw new ServiceError("unknown-method", noCursors, { status: 501 });
    const read = this.#layout.reads[name] as (...all: readonly unknown[]) => unknown;
    return read(this.#queries, ...parameters);
  }
}

/** Each read asks the layout that its queries are for. */
function inAnyLayout(own: IndexReads): IndexReads {
  const all = Object.entries(own).map(([name, ownRead]) => {
    const read = (queries: Queries, ...parameters: readonly unknown[]) => {
      const end = queries.trail?.begin(name);
      const result =
        queries instanceof ForeignQueries
          ? queries.read(name as keyof IndexReads, parameters)
          : (ownRead as (...all: readonly unknown[]) => unknown)(queries, ...parameters);
      if (end && result instanceof Promise) result.then(end, end);
      else end?.();
      return result;
    };
    return [name, read];
  });
  // Each has the parameters and the result of its read.
  return Object.fromEntries(all) as IndexReads;
}

/** The reads that databases of any layout can answer, for handlers and presenters. */
export const reads = inAnyLayout(ownReads);
