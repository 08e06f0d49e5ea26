import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { accountsOfAction, locatorOfAction } from "../../../server/store/tables/actions.js";
import { accountKey } from "../../../server/store/tables/directories.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TraceRow } from "../../../server/store/tables/traces.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Address } from "../../../shared/values/address.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { actionRow, blockRow, bytesOf, hashOf, type Rows, storeRows } from "../../helpers/store/rows.js";
import { accountRow, bodies, noteRange, ordinaryMessage, ordinaryTransaction } from "./ordinary-rows.js";

/** Its accounts take turns, so that each has as many transactions as pages of a thousand need. */
export const busyAccounts = Array.from({ length: 30 }, (_, i) => new Address(0, hashOf(`busy ${i}`)));
const keys = busyAccounts.map(bytesOf);

/** Transactions of a trace; each sends the message that the next one receives. */
export const perTrace = 4;
/** Between two transactions. */
export const ltStep = 1_000_000n;
const transactionsPerBlock = 20;
const rowsAtOnce = 4000;

/**
 * An index of traces with all their transactions, messages, states and actions, in so many slots, and of tokens of its
 * accounts, as vacuumed as one that is some time old.
 */
export async function storeBusyChain(
  database: Database,
  { transactions, slots }: { transactions: number; slots: number },
): Promise<void> {
  const store = database.sql();
  await migrate(store);
  const width = ltOf(transactions) / BigInt(slots);
  if (slots > 1) await store.query(SQL`update index_meta set value = ${String(width)} where key = 'lt_grid'`);
  await storeRows(database, { latestAccountStates: keys.map(accountRow), ...tokensOf(keys) });
  for (let first = 0; first < transactions; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, transactions - first);
    await storeRows(database, rowsOf(Array.from({ length: count }, (_, i) => first + i)));
  }
  const last = Math.floor(transactions / transactionsPerBlock);
  await storeRows(database, { blocks: [blockRow({ seqno: last })] });
  await noteRange(store, last);
  await store.query(SQL`vacuum (analyze)`);
}

/** Adds the trace that begins with the transaction of this number, the next one in turn. */
export async function storeTrace(database: Database, number: number): Promise<void> {
  await storeRows(database, rowsOf(Array.from({ length: perTrace }, (_, i) => number + i)));
}

function rowsOf(numbers: readonly number[]): Rows {
  return {
    transactions: numbers.map(transactionOf),
    messageContents: bodies.map((cell) => ({ hash: cell.hash(), body: serializeBoc(cell) })),
    messages: numbers.flatMap(messagesOf),
    accountStates: numbers.map((number) => ({
      account_key: accountKey(accountOf(number)),
      lt: ltOf(number),
      hash: stateOf(number),
      balance: BigInt(number) * 1_000_000n,
      account_status: 3,
      data_hash: hashOf(`data ${number}`),
      code_hash: hashOf("code"),
    })),
    traces: numbers.filter((number) => number % perTrace === 0).map(traceOf),
    ...actionsOf(numbers.filter((number) => number % perTrace < perTrace - 1)),
  };
}

/** Transfers to the accounts of the next transactions. */
function actionsOf(numbers: readonly number[]): Rows {
  const actions = numbers.map((number) => {
    const { hash, lt, now, trace_id, mc_block_seqno: seqno } = transactionOf(number);
    const trace = traceOf(number - (number % perTrace));
    const [source, destination] = [accountOf(number), accountOf(number + 1)];
    return actionRow(
      { lt, now, seqno },
      {
        ...{ action_id: hashOf(`action ${number}`), trace_id, tx_hashes: [hash] },
        ...{ trace_end_lt: trace.end_lt, trace_end_utime: trace.end_utime },
        ...{ trace_mc_seqno_end: trace.mc_seqno_end, trace_external_hash: trace.external_hash },
        ...{ accounts: [source, destination], source, destination, value: 1_000_000_000n },
        data: { ton_transfer_data: { encrypted: false } },
      },
    );
  });
  return {
    actions,
    actionLocator: actions.map(locatorOfAction),
    actionAccounts: actions.flatMap(accountsOfAction),
  };
}

/** How many wallets and how many items each account has. */
export const tokensOfAccount = 200;
const collectionCount = 50;

function tokensOf(owners: readonly Uint8Array[]): Rows {
  const names = owners.flatMap((owner, at) =>
    Array.from({ length: tokensOfAccount }, (_, i) => ({ owner, number: i, name: `${at} ${i}` })),
  );
  const masters = Array.from({ length: tokensOfAccount }, (_, i) => tokenNamed(`master ${i}`));
  const collections = Array.from({ length: collectionCount }, (_, i) => tokenNamed(`collection ${i}`));
  const content = (name: string) => ({
    name,
    description: "As most tokens have one",
    image: "https://a.example/1.png",
  });
  return {
    jettonMasters: masters.map((address, i) =>
      madeRow("jettonMasters", { address, jetton_content: { ...content(`Jetton ${i}`), symbol: `J${i}` } }),
    ),
    nftCollections: collections.map((address, i) =>
      madeRow("nftCollections", { address, collection_content: content(`Collection ${i}`) }),
    ),
    jettonWallets: names.map(({ owner, number, name }) =>
      madeRow("jettonWallets", {
        ...{ address: tokenNamed(`wallet ${name}`), owner, jetton: masters[number]! },
        ...{ balance: BigInt(number) * 1_000n, first_seen_lt: 1n, last_transaction_lt: BigInt(number) },
      }),
    ),
    nftItems: names.map(({ owner, number, name }) =>
      madeRow("nftItems", {
        ...{ address: tokenNamed(`item ${name}`), owner_address: owner, real_owner: owner, init: true },
        ...{ collection_address: collections[number % collectionCount]!, index: BigInt(number) },
        ...{ content: content(`Item ${name}`), first_seen_lt: 1n, last_transaction_lt: BigInt(number) },
      }),
    ),
  };
}

const tokenNamed = (name: string) => bytesOf(new Address(0, hashOf(`token ${name}`)));

const accountOf = (number: number) => keys[number % keys.length]!;
const ltOf = (number: number) => ltStep * BigInt(number + 1);
/** The hash of a transaction. */
export const transactionHash = (number: number) => hashOf(`transaction ${number}`);
/** The hash of the external message that begins a trace. */
export const externalOf = (number: number) => hashOf(`external ${number}`);
const stateOf = (number: number) => hashOf(`state ${number}`);

function transactionOf(number: number): TransactionRow {
  const seqno = Math.floor(number / transactionsPerBlock);
  const previous = number - keys.length;
  return {
    ...ordinaryTransaction,
    account: accountOf(number),
    hash: transactionHash(number),
    lt: ltOf(number),
    now: 1_600_000_000 + seqno,
    block_seqno: seqno,
    mc_block_seqno: seqno,
    trace_id: transactionHash(number - (number % perTrace)),
    prev_trans_hash: transactionHash(previous),
    prev_trans_lt: previous < 0 ? 0n : ltOf(previous),
    account_state_hash_before: stateOf(previous),
    account_state_hash_after: stateOf(number),
  };
}

/** The first transaction of a trace receives an external message, the last one sends nothing. */
function messagesOf(number: number): MessageRow[] {
  const transaction = transactionOf(number);
  const place = number % perTrace;
  const passed = (from: number) => ({
    msg_hash: hashOf(`message ${from}`),
    created_lt: ltOf(from) + 1n,
    source: accountOf(from),
    destination: accountOf(from + 1),
  });
  const begin = { msg_hash: externalOf(number), destination: transaction.account };
  const received =
    place === 0
      ? { ...ordinaryMessage(transaction, 0, { ...absent, ...begin, direction: 0 }), ...ofExternals }
      : ordinaryMessage(transaction, number - 1, { ...passed(number - 1), direction: 0 });
  if (place === perTrace - 1) return [received];
  return [received, ordinaryMessage(transaction, number, { ...passed(number), direction: 1 })];
}

const absent = { source: undefined, created_lt: undefined };
const ofExternals: Partial<MessageRow> = {
  value: undefined,
  fwd_fee: undefined,
  ihr_fee: undefined,
  created_at: undefined,
  ihr_disabled: undefined,
  bounce: undefined,
  bounced: undefined,
  import_fee: 0n,
};

function traceOf(number: number): TraceRow {
  const first = transactionOf(number);
  const last = transactionOf(number + perTrace - 1);
  return {
    trace_id: first.hash,
    external_hash: externalOf(number),
    external_hash_norm: undefined,
    mc_seqno_start: first.mc_block_seqno,
    mc_seqno_end: last.mc_block_seqno,
    start_lt: first.lt,
    start_utime: first.now,
    end_lt: last.lt,
    end_utime: last.now,
    state: 1,
    pending_edges_: 0,
    edges_: perTrace,
    nodes_: perTrace,
    classification_state: 2,
  };
}
