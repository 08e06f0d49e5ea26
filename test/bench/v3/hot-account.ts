import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { accountKey } from "../../../server/store/tables/directories.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Address } from "../../../shared/values/address.js";
import { sized } from "../../helpers/effort.js";
import { blockRow, bytesOf, hashOf, type Rows, storeRows } from "../../helpers/store/rows.js";
import { accountRow, bodies, noteRange, ordinaryMessage, ordinaryTransaction } from "./ordinary-rows.js";

/** An account whose pages can be deep. */
export const hotAccount = new Address(0, hashOf("hot"));
const hot = bytesOf(hotAccount);
const others = Array.from({ length: 1000 }, (_, i) => bytesOf(new Address(0, hashOf(`other ${i}`))));

/** Offset of the deep pages. */
export const deepOffset = sized(1500, 100_000);

/** Large enough to put the rows into several partitions, as for a busy account. */
const lts = 6_000_000_000_000n;
const transactionsPerBlock = 30;
const rowsAtOnce = 10_000;

/** One in this many transactions is the hot account's, so that its rows are scattered. */
const hotEvery = 3;

/**
 * An index full of transactions of the hot account. The transactions on the pages, at the top and behind 100,000
 * others, have a received message, every second one a sent one, and the states around them. The tables are as vacuumed
 * as those of an older database.
 */
export async function storeHotAccount(database: Database, transactions: number): Promise<void> {
  const store = database.sql();
  await migrate(store);
  await storeRows(database, {
    latestAccountStates: [hot, ...others].map(accountRow),
  });
  const step = lts / BigInt(transactions + 1);
  for (let first = 0; first < transactions; first += rowsAtOnce) {
    const numbers = Array.from({ length: Math.min(rowsAtOnce, transactions - first) }, (_, i) => first + i);
    await storeRows(
      database,
      rowsOf(numbers, step, (number) => isShown(transactions - number)),
    );
  }
  const last = Math.floor(transactions / transactionsPerBlock);
  await storeRows(database, { blocks: [blockRow({ seqno: last })] });
  await noteRange(store, last);
  await store.query(
    SQL`vacuum (analyze) transactions, messages, message_contents, account_states, latest_account_states`,
  );
}

/** Near the top, or near the 100,000th of the hot account. */
function isShown(fromTop: number): boolean {
  return fromTop < hotEvery * 1100 || Math.abs(fromTop / hotEvery - deepOffset) < 1100;
}

function rowsOf(numbers: readonly number[], step: bigint, shown: (number: number) => boolean): Rows {
  const whole = numbers.filter((number) => number % hotEvery === 0 && shown(number));
  return {
    transactions: numbers.map((number) => transactionOf(number, step)),
    messageContents: bodies.map((cell) => ({ hash: cell.hash(), body: serializeBoc(cell) })),
    messages: whole.flatMap((number) => messagesOf(transactionOf(number, step), number)),
    accountStates: whole.map((number) => ({
      account_key: accountKey(hot),
      lt: step * BigInt(number + 1),
      hash: hashOf(`state ${number}`),
      balance: BigInt(number) * 1_000_000n,
      account_status: 3,
      data_hash: hashOf(`data ${number}`),
      code_hash: hashOf("code"),
    })),
  };
}

function transactionOf(number: number, step: bigint): TransactionRow {
  const seqno = Math.floor(number / transactionsPerBlock);
  return {
    ...ordinaryTransaction,
    account: number % hotEvery === 0 ? hot : others[number % others.length]!,
    hash: hashOf(`transaction ${number}`),
    lt: step * BigInt(number + 1),
    now: 1_600_000_000 + seqno,
    block_seqno: seqno,
    mc_block_seqno: seqno,
    trace_id: hashOf(`transaction ${number - (number % 4)}`),
    prev_trans_hash: hashOf(`transaction ${number - hotEvery}`),
    prev_trans_lt: step * BigInt(Math.max(0, number - hotEvery + 1)),
    account_state_hash_before: hashOf(`state ${number - hotEvery}`),
    account_state_hash_after: hashOf(`state ${number}`),
  };
}

function messagesOf(transaction: TransactionRow, number: number): MessageRow[] {
  const peer = others[(number * 7) % others.length]!;
  const received = {
    direction: 0,
    msg_hash: hashOf(`received ${number}`),
    created_lt: transaction.lt - 1n,
    source: peer,
    destination: transaction.account,
  };
  const sent = {
    direction: 1,
    msg_hash: hashOf(`sent ${number}`),
    created_lt: transaction.lt + 1n,
    source: transaction.account,
    destination: peer,
  };
  const shown = number % 4 < 2 ? [received, sent] : [received];
  return shown.map((special) => ordinaryMessage(transaction, number, special));
}
