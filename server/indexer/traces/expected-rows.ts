import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { Message, normalizedHash } from "../../../shared/ton/tlb/message.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { ExpectedTrace, ExpectedTransaction } from "../../chain/run/trace-emulator.js";
import { type AccountStateRow, accountStateRow } from "../../store/tables/accounts.js";
import type { MessageContentRow, MessageRow } from "../../store/tables/messages.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { finalAccountState } from "../decode/account.js";
import { messageRow } from "../decode/message-row.js";
import { transactionRow } from "../decode/transaction-row.js";

/** The first message of a trace: its hash and normalized hash. */
export type FirstMessage = { readonly hash: Uint8Array; readonly hashNorm: Uint8Array };

/** Rows of transactions that are not stored, with their messages, contents and account states. */
type ExpectedRows = {
  transactions: TransactionRow[];
  messages: MessageRow[];
  messageContents: MessageContentRow[];
  accountStates: AccountStateRow[];
};

/** The transactions caused by a message, including those expected by emulation. */
export type TraceOfRows = FirstMessage & {
  rows: ExpectedRows;
  /** The first transaction; `undefined` if there is none. */
  first: CellOf<Transaction> | undefined;
  /** Base64 hashes of the transactions that are in a block. */
  happened: ReadonlySet<string>;
  /** Number of messages that were not emulated. */
  unfollowed: number;
};

export function firstMessage(cell: Cell): FirstMessage {
  return {
    hash: cell.hash(),
    hashNorm: normalizedHash(decode(Message, cell)),
  };
}

/** A trace emulated on a block, as rows. */
export async function rowsOfTrace(
  { hash, hashNorm }: FirstMessage,
  trace: ExpectedTrace,
  block: BlockIdExt,
  reader: Pick<ChainReader, "config">,
): Promise<TraceOfRows> {
  const { params } = await reader.config(block);
  const globalVersion = configParam(params, 8)?.version ?? 0;
  const happened = trace.transactions.filter((each) => each.block !== undefined);
  return {
    hash,
    hashNorm,
    rows: rowsOf(trace, { block, hashNorm, globalVersion }),
    first: trace.transactions[0]?.transaction,
    happened: new Set(happened.map(({ transaction }) => bytesToBase64(transaction.cell.hash()))),
    unfollowed: trace.unfollowed,
  };
}

/** A trace as classified if nothing more follows. */
export function classifiable({
  hash,
  hashNorm,
  rows,
}: Pick<TraceOfRows, "hash" | "hashNorm" | "rows">): TraceRows {
  const first = itemAt(rows.transactions, 0);
  const end = <K extends "lt" | "now" | "mc_block_seqno">(column: K) =>
    rows.transactions.map((row) => row[column]).reduce((a, b) => (b > a ? b : a));
  const trace = {
    trace_id: first.trace_id,
    external_hash: hash,
    external_hash_norm: hashNorm,
    start_lt: first.lt,
    start_utime: first.now,
    end_lt: end("lt"),
    end_utime: end("now"),
    mc_seqno_end: end("mc_block_seqno"),
  };
  return { trace, ...rows };
}

type EmulatedBlock = { block: BlockIdExt; hashNorm: Uint8Array; globalVersion: number };

function rowsOf({ transactions }: ExpectedTrace, place: EmulatedBlock): ExpectedRows {
  const rows: ExpectedRows = { transactions: [], messages: [], messageContents: [], accountStates: [] };
  // Shared contents and states become a single row, as in the tables.
  const contents = new Map<string, Cell>();
  const states = new Map<string, AccountStateRow>();
  for (const expected of transactions) {
    const { transaction, before, after } = expected;
    const row = addTransaction(rows, expected, place);
    for (const { message, direction } of sidesOf(transaction.value)) {
      rows.messages.push(messageRow(message, { transaction: row, direction }, place.globalVersion));
      const { body, init } = message.value;
      for (const cell of [body, ...(init ? [init.cell] : [])]) contents.set(cell.hashHex(), cell);
    }
    for (const account of [before, after])
      if (account) states.set(account.cell.hashHex(), stateRow(expected.address, account));
  }
  rows.messageContents = Array.from(contents.values(), (cell) => ({
    hash: cell.hash(),
    body: serializeBoc(cell),
  }));
  rows.accountStates = [...states.values()];
  return rows;
}

function addTransaction(
  rows: ExpectedRows,
  { address, transaction, block }: ExpectedTransaction,
  place: EmulatedBlock,
): TransactionRow {
  const [first] = rows.transactions;
  const row = {
    ...transactionRow(transaction, block ?? { ...place.block, workchain: address.workchain }, 0),
    // A trace's id is its first transaction's hash once that is in a block, and its message's hash before.
    trace_id: first?.trace_id ?? (block ? transaction.cell.hash() : place.hashNorm),
  };
  rows.transactions.push(row);
  return row;
}

function sidesOf({ messages }: Transaction) {
  const { inMsg, outMsgs } = messages.value;
  return [
    ...(inMsg ? [{ message: inMsg, direction: "in" as const }] : []),
    ...Array.from(outMsgs.values(), (message) => ({ message, direction: "out" as const })),
  ];
}

function stateRow(address: Address, { cell, value }: CellOf<Account>): AccountStateRow {
  const facts = { address, timestamp: 0, lastTransaction: undefined, hash: cell.hash() };
  return accountStateRow(finalAccountState(value, facts).state);
}
