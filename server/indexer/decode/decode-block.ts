import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, formatBlockId } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import type { BlockRow } from "../../store/tables/blocks.js";
import type { MessageRow } from "../../store/tables/messages.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import { blockRow } from "./block-row.js";
import { type MessageContext, messageRow, sameMessageRow } from "./message-row.js";
import { type TouchedAccounts, touchedAccounts } from "./touched-accounts.js";
import { transactionRow } from "./transaction-row.js";

/** A transaction with the rows of its messages; they have the same trace id. */
export type DecodedTransaction = {
  row: TransactionRow;
  inMessage: MessageRow | undefined;
  /** The body of the received message. */
  inBody: Cell | undefined;
  outMessages: MessageRow[];
  /** The bodies of the sent messages, in the same order. */
  outBodies: Cell[];
};

export type DecodedBlock = {
  row: BlockRow;
  transactions: DecodedTransaction[];
  /** Bodies and state inits of its messages. */
  contents: Cell[];
  accounts: TouchedAccounts;
};

export type BlockContext = {
  id: BlockIdExt;
  mcSeqno: number;
  /** Version of the network's configuration (parameter 8). */
  globalVersion: number;
  timeSlice: TimeSlice;
};

/** Far above any network's limits; a larger tree has shared branches. */
const maxTransactions = 100_000;

/** Opens a serialized block. Cheap, because cells are decoded on use. */
export function openBlock(bytes: Uint8Array): Block {
  return decode(Block, parseBocRoot(bytes, { verify: "later" }));
}

/** Decodes a block into rows with message contents and touched accounts. Yields to the event loop. */
export async function decodeBlock(block: Block, context: BlockContext): Promise<DecodedBlock> {
  const { id, mcSeqno, timeSlice } = context;
  const decoder = new BlockDecoder(context);
  const transactions: DecodedTransaction[] = [];
  for (const transaction of transactionsOf(block.extra.value.accountBlocks.value)) {
    if (transactions.length === maxTransactions)
      throw new Error(`block ${formatBlockId(id)} has more than ${maxTransactions} transactions`);
    transactions.push(decoder.transaction(transaction));
    await timeSlice.yieldIfDue();
  }
  return {
    row: blockRow(id, block, mcSeqno, {
      tx_count: transactions.length,
      total_fees: transactions.reduce((sum, { row }) => sum + row.total_fees, 0n),
    }),
    transactions,
    contents: decoder.contents,
    accounts: await touchedAccounts(
      block,
      transactions.map(({ row }) => row),
      timeSlice,
    ),
  };
}

class BlockDecoder {
  /** Bodies and state inits of the messages. */
  readonly contents: Cell[] = [];
  readonly #context: BlockContext;
  /** A message sent and received in the same block is a single cell of it. */
  readonly #rows = new Map<Cell, MessageRow>();

  constructor(context: BlockContext) {
    this.#context = context;
  }

  transaction(transaction: CellOf<Transaction>): DecodedTransaction {
    const { id, mcSeqno } = this.#context;
    const row = transactionRow(transaction, id, mcSeqno);
    const { inMsg, outMsgs } = transaction.value.messages.value;
    const outMessages: MessageRow[] = [];
    const outBodies: Cell[] = [];
    const inMessage = inMsg && this.#message(inMsg, { transaction: row, direction: "in" });
    for (const message of outMsgs.values()) {
      outMessages.push(this.#message(message, { transaction: row, direction: "out" }));
      outBodies.push(message.value.body);
    }
    return { row, inMessage, inBody: inMsg?.value.body, outMessages, outBodies };
  }

  #message(message: CellOf<Message>, place: MessageContext): MessageRow {
    const known = this.#rows.get(message.cell);
    if (known) return sameMessageRow(known, place);
    const row = messageRow(message, place, this.#context.globalVersion);
    this.#rows.set(message.cell, row);
    const { body, init } = message.value;
    this.contents.push(body);
    if (init) this.contents.push(init.cell);
    return row;
  }
}
