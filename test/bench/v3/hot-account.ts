import SQL from "sql-template-tag";
import { serializeBoc } from "../../../server/cells/boc.js";
import { beginCell } from "../../../server/cells/builder.js";
import { advance, claimHead, planHead } from "../../../server/indexer/ranges.js";
import type { Database, Sql } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate.js";
import type { LatestAccountStateRow } from "../../../server/store/tables/accounts.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { Address } from "../../../shared/values/address.js";
import {
  blockRow,
  bytesOf,
  hashOf,
  messageRow,
  type Rows,
  storeRows,
  transactionRow,
} from "../../helpers/rows.js";

/** An account whose pages can be deep. */
export const hotAccount = new Address(0, hashOf("hot"));
const hot = bytesOf(hotAccount);
const others = Array.from({ length: 1000 }, (_, i) => bytesOf(new Address(0, hashOf(`other ${i}`))));

/** Offset of the deep pages. */
export const deepOffset = 100_000;

/** So that the rows are in several partitions, like those of a busy account. */
const lts = 6_000_000_000_000n;
const transactionsPerBlock = 30;
const rowsAtOnce = 10_000;

/** Common bodies: empty, a comment, a jetton notification. */
const bodies = [
  beginCell(),
  beginCell().storeUint(0, 32).storeBytes(Buffer.from("Thanks for the fish")),
  beginCell()
    .storeUint(0x7362d09c, 32)
    .storeUint(5, 64)
    .storeCoins(10n ** 9n)
    .storeAddress(hotAccount)
    .storeBit(false),
].map((builder) => builder.endCell());
const opcodes = [undefined, 0, 0x7362d09c];

/** One in this many transactions is the hot account's, so that its rows are scattered. */
const hotEvery = 3;

/**
 * An index full of transactions of the hot account. Those that pages show, at the top and behind 100,000 others, have a
 * message received, every second one sent, and the states around them. The tables are as vacuumed as those of a database
 * that is some time old.
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

async function noteRange(store: Sql, last: number): Promise<void> {
  await planHead(store, 0);
  const claim = await claimHead(store, "bench");
  await store.transaction((transaction) => advance(transaction, claim, last));
}

const emptyTransaction = transactionRow({ account: hot, lt: 0n });
const emptyMessage = messageRow({ tx_hash: hot, tx_lt: 0n, msg_hash: hot, direction: 0 });
/** Columns of an ordinary transaction. */
const ordinary: Partial<TransactionRow> = {
  descr: 0,
  aborted: false,
  destroyed: false,
  credit_first: false,
  storage_fees_collected: 12n,
  storage_status_change: 0,
  credit: 1_000_000_000n,
  compute_skipped: false,
  compute_success: true,
  compute_msg_state_used: false,
  compute_account_activated: false,
  compute_gas_fees: 1_197_600n,
  compute_gas_used: 2994n,
  compute_gas_limit: 1_000_000n,
  compute_mode: 0,
  compute_exit_code: 0,
  compute_vm_steps: 66,
  compute_vm_init_state_hash: new Uint8Array(32),
  compute_vm_final_state_hash: new Uint8Array(32),
  action_success: true,
  action_valid: true,
  action_no_funds: false,
  action_status_change: 0,
  action_total_fwd_fees: 400_000n,
  action_total_action_fees: 133_331n,
  action_result_code: 0,
  action_tot_actions: 1,
  action_spec_actions: 0,
  action_skipped_actions: 0,
  action_msgs_created: 1,
  action_action_list_hash: hashOf("actions"),
  action_tot_msg_size_cells: 1n,
  action_tot_msg_size_bits: 705n,
};

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
      account: hot,
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
    ...emptyTransaction,
    ...ordinary,
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
  const kind = number % bodies.length;
  const peer = others[(number * 7) % others.length]!;
  const common = {
    ...emptyMessage,
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    mc_seqno: transaction.mc_block_seqno,
    trace_id: transaction.trace_id,
    value: 1_000_000_000n,
    fwd_fee: 266_669n,
    ihr_fee: 0n,
    created_at: transaction.now,
    opcode: opcodes[kind],
    ihr_disabled: true,
    bounce: true,
    bounced: false,
    body_hash: bodies[kind]!.hash(),
  };
  const received = { created_lt: transaction.lt - 1n, source: peer, destination: transaction.account };
  const sent = { created_lt: transaction.lt + 1n, source: transaction.account, destination: peer };
  return [
    { ...common, ...received, direction: 0, msg_hash: hashOf(`received ${number}`) },
    ...(number % 4 < 2 ? [{ ...common, ...sent, direction: 1, msg_hash: hashOf(`sent ${number}`) }] : []),
  ];
}

function accountRow(account: Uint8Array): LatestAccountStateRow {
  return {
    account,
    hash: hashOf("state"),
    balance: 5n,
    account_status: 3,
    timestamp: 1_600_000_000,
    code_hash: hashOf("code"),
  };
}
