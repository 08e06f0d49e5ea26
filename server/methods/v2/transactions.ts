import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { transactionMethods } from "../../../shared/methods/v2/transactions.js";
import { type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import {
  presentBlockTransaction,
  presentPlainTransaction,
  presentStandardTransaction,
} from "../../../shared/ton/present/transaction.js";
import {
  presentBlockTransactions,
  presentBlockTransactionsExt,
  presentTransactionPage,
} from "../../../shared/ton/present/transaction-list.js";
import { noTransaction, type TransactionRef } from "../../../shared/ton/proofs/read/account.js";
import { isBetween, locateResult, locateSource } from "../../../shared/ton/proofs/read/locate-transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { ServiceError } from "../../errors.js";
import { presentInSlices } from "../../present/present-in-slices.js";
import { locateReads } from "./locate-reads.js";
import { blockNamed, type NamedBlock } from "./named-block.js";
import { readAccount } from "./read-account.js";

export type TransactionDeps = {
  reader: Pick<
    ChainReader,
    | "last"
    | "lookup"
    | "account"
    | "transactions"
    | "listBlock"
    | "blockTransactions"
    | "accountTransactions"
    | "isFork"
  >;
  /** Whether the chain's whole history is available, as on a devnet; then no other server has more. Default: no. */
  hasFullHistory?: boolean;
};
type Reader = TransactionDeps["reader"];

export const transactionHandlers: Handlers<typeof transactionMethods, TransactionDeps> = {
  async getBlockTransactions(params, { reader }, call) {
    const query = await blockListQuery(params, reader, call);
    const { transactions, incomplete } = await reader.listBlock(query, call);
    return presentBlockTransactions({ ...query, incomplete }, transactions);
  },

  async getBlockTransactionsExt(params, { reader }, call) {
    const query = await blockListQuery(params, reader, call);
    const { transactions, incomplete } = await reader.blockTransactions(query, call);
    const presented = await presentInSlices(transactions, presentBlockTransaction, call.signal);
    return presentBlockTransactionsExt({ ...query, incomplete }, presented);
  },

  async getTransactions(params, deps, call) {
    const { transactions } = await page(params, deps, call);
    return presentInSlices(transactions, presentPlainTransaction, call.signal);
  },

  async getTransactionsStd(params, deps, call) {
    const { transactions, previous } = await page(params, deps, call);
    const presented = await presentInSlices(transactions, presentStandardTransaction, call.signal);
    return presentTransactionPage(presented, previous);
  },

  tryLocateTx: locateTheResult,
  tryLocateResultTx: locateTheResult,

  async tryLocateSourceTx(params, { reader }, call) {
    return presentPlainTransaction(assertFound(await locate(locateSource, params, reader, call)));
  },
};

type PageParams = {
  address: Address;
  limit: number;
  lt?: bigint | undefined;
  hash?: Uint8Array | undefined;
  to_lt: bigint;
  archival?: boolean | undefined;
};

async function page(
  { address, limit, lt, hash, to_lt, archival }: PageParams,
  { reader, hasFullHistory = false }: TransactionDeps,
  call: Call,
) {
  const toLt = to_lt > 0n ? to_lt : 0n;
  const from =
    lt !== undefined && hash
      ? startAt(lt, hash)
      : (await readAccount(reader, reader.last, address, call)).lastTransaction;
  try {
    const found = await reader.transactions({ address, from, limit, toLt, archival }, call);
    const endsEarly = found.transactions.length < limit && found.previous.lt > toLt;
    // An archive server connected later may have the rest, so this page is not cached permanently.
    if (lt !== undefined && endsEarly) call.provisional = true;
    return found;
  } catch (error) {
    if (archival || hasFullHistory || !isNotFound(error)) throw error;
    throw new LiteError(error.code, `${error.message} (archival=true asks for it where history is longest)`);
  }
}

/** Logical time 0 precedes the first transaction, so the hash is ignored. */
function startAt(lt: bigint, hash: Uint8Array): TransactionRef {
  return lt === 0n ? noTransaction() : { lt, hash };
}

type BlockListParams = NamedBlock & {
  after_lt?: bigint | undefined;
  after_hash?: Uint8Array | undefined;
  count: number;
};

async function blockListQuery(
  { after_lt: lt, after_hash: account, count, ...named }: BlockListParams,
  reader: Reader,
  call: LiteCall,
) {
  const block = await blockNamed(named, reader, call);
  return { block, count, after: lt !== undefined && account ? { account, lt } : undefined };
}

type LocateParams = { source: Address; destination: Address; created_lt: bigint };

async function locateTheResult(params: LocateParams, { reader }: TransactionDeps, call: LiteCall) {
  return presentPlainTransaction(assertFound(await locate(locateResult, params, reader, call)));
}

function locate(
  search: typeof locateResult | typeof locateSource,
  { source, destination, created_lt: createdLt }: LocateParams,
  reader: Reader,
  call: LiteCall,
) {
  const ends = { source, destination, createdLt };
  return search(ends, locateReads(reader, call), isBetween(ends));
}

function assertFound<T>(found: T | undefined): T {
  if (!found) throw new ServiceError("absent");
  return found;
}
