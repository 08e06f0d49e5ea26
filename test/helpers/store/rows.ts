import { hash as digestOf } from "node:crypto";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import { codeOf, directions, traceStates } from "../../../server/store/codes.js";
import { ChainRows } from "../../../server/store/copy/chain-rows.js";
import { RowSet } from "../../../server/store/copy/row-set.js";
import { TokenEventRows } from "../../../server/store/copy/token-event-rows.js";
import type { Database } from "../../../server/store/database.js";
import type { Columns, RowOf, Table } from "../../../server/store/declare/table.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import type { ActionRow } from "../../../server/store/tables/actions.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import type { BlockRow } from "../../../server/store/tables/blocks.js";
import type {
  MessageContentRow,
  MessageRow,
  StoredContentRow,
} from "../../../server/store/tables/messages.js";
import { placedTrace, type StoredTraceRow, type TraceRow } from "../../../server/store/tables/traces.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { Address } from "../../../shared/values/address.js";
import { madeRow, type Special } from "./made-row.js";
import { queriesOf } from "./queries-of.js";

/** 32 bytes that stand for a name. */
export const hashOf = (name: string): Uint8Array => digestOf("sha256", name, "buffer");

/** Defaults of rows. */
const someHashes = { state: hashOf("state"), body: hashOf("body") };

/** Accounts `a`, `b`, … sort as their letters. */
export const accountOf = (letter: string): Address =>
  new Address(0, new Uint8Array(32).fill(letter.charCodeAt(0)));

export const wholeShard = -(2n ** 63n);

export function blockRow(special: Special<"blocks", "seqno">): BlockRow {
  const { workchain = -1, shard = wholeShard, seqno } = special;
  const name = `${workchain} ${shard} ${seqno}`;
  return madeRow("blocks", {
    workchain,
    shard,
    root_hash: hashOf(`root ${name}`),
    file_hash: hashOf(`file ${name}`),
    mc_block_seqno: seqno,
    global_id: -777,
    gen_utime: 100,
    start_lt: BigInt(seqno) * 10n,
    end_lt: BigInt(seqno) * 10n + 5n,
    rand_seed: hashOf(`seed ${name}`),
    total_fees: 0n,
    prev_shards: [shard],
    prev_seqnos: [seqno - 1],
    ...special,
  });
}

export function transactionRow(special: Special<"transactions", "account" | "lt">): TransactionRow {
  const { account, lt, hash = hashOf(`transaction ${Buffer.from(account).toString("hex")} ${lt}`) } = special;
  return madeRow("transactions", {
    hash,
    block_workchain: 0,
    block_shard: wholeShard,
    trace_id: hash,
    prev_trans_hash: new Uint8Array(32),
    prev_trans_lt: 0n,
    now: 100,
    orig_status: 3,
    end_status: 3,
    total_fees: 7n,
    account_state_hash_before: someHashes.state,
    account_state_hash_after: someHashes.state,
    ...special,
  });
}

export function messageRow(
  special: Special<"messages", "tx_hash" | "tx_lt" | "msg_hash" | "direction">,
): MessageRow {
  const is_first = special.direction === codeOf(directions, "out");
  return madeRow("messages", { is_first, body_hash: someHashes.body, ...special });
}

/** A complete trace of one block, and of one lt unless its end is given. */
export function traceRow(special: Partial<TraceRow> & Pick<TraceRow, "trace_id">): TraceRow {
  const { mc_seqno_start = 1, start_lt = 1n, start_utime = 100 } = special;
  return {
    ...{ mc_seqno_start, start_lt, start_utime, mc_seqno_end: mc_seqno_start },
    ...{ end_lt: start_lt, end_utime: start_utime, state: codeOf(traceStates, "complete") },
    ...{ pending_edges_: 0, edges_: 1, nodes_: 1, classification_state: 0 },
    ...special,
  };
}

type ActionPlace = { lt: bigint; now: number; seqno: number };

/** An action at an lt of a block, with which its trace ends. */
export function actionRow({ lt, now, seqno }: ActionPlace, special: Special<"actions">): ActionRow {
  return madeRow("actions", {
    ...{ type: "ton_transfer", start_lt: lt, end_lt: lt, start_utime: now, end_utime: now },
    ...{ mc_seqno_end: seqno, trace_end_lt: lt, trace_end_utime: now, trace_mc_seqno_end: seqno },
    success: true,
    ...special,
  });
}

type Tables = typeof tables;

/** Rows by the names that the list of tables has for their tables. */
export type Rows = {
  [Name in Exclude<keyof Tables, "messageContents" | "traces">]?: RowOf<Tables[Name]["columns"]>[];
} & {
  traces?: (TraceRow | StoredTraceRow)[];
  /** Rows without a slot are stored in the slots of their messages. */
  messageContents?: (MessageContentRow | StoredContentRow)[];
};

const eventNames = ["jettonTransfers", "jettonBurns", "nftTransfers"] as const;
/** Their rows come with rows of directories. */
const ofDirectories: readonly string[] = [
  "blocks",
  "transactions",
  "messages",
  "messageContents",
  "traces",
  ...eventNames,
];

/** Writes rows into the tables as the index does. */
export async function storeRows(database: Pick<Database, "sql">, rows: Rows): Promise<void> {
  const sql = queriesOf(database);
  const set = await RowSet.for(sql);
  const chain = new ChainRows(set);
  for (const row of rows.blocks ?? []) chain.addBlock(row);
  for (const row of rows.transactions ?? []) chain.addTransaction(row);
  for (const row of rows.messages ?? []) chain.addMessage(row);
  for (const row of rows.messageContents ?? [])
    if ("from_lt" in row) set.of(tables.messageContents).add(row);
    else chain.addContent(row);
  for (const row of rows.traces ?? [])
    if ("sort_lt" in row) {
      set.of(tables.traces).add(row);
    } else {
      chain.spanTraces([row]);
      set.of(tables.traces).add(placedTrace(row));
    }
  const partitions = new Partitions(sql);
  const { extent } = chain;
  const events = eventNames.flatMap((name): { tx_lt: bigint }[] => rows[name] ?? []);
  const last = events.reduce((lt, { tx_lt }) => (tx_lt > lt ? tx_lt : lt), extent?.to ?? 0n);
  await partitions.cover(0n, last);
  const eventRows = new TokenEventRows(set, (lt) => partitions.slotOf(lt));
  for (const name of eventNames)
    for (const row of rows[name] ?? []) eventRows.add(tables[name], row as never);
  for (const [name, added] of Object.entries(rows)) {
    if (ofDirectories.includes(name)) continue;
    // Each list has the rows of the table of its name.
    const sink = set.of<Columns>(tables[name as keyof Rows] as Table);
    for (const row of added) sink.add(row as never);
  }
  if (extent) await partitions.widen(extent);
  const slotOf = (lt: bigint) => partitions.slotOf(lt);
  for (const row of chain.blockHours()) set.of(tables.blockHours).add(row);
  for (const row of chain.accountSlots(slotOf)) set.of(tables.accountSlots).add(row);
  for (const row of chain.opcodeSlots(slotOf)) set.of(tables.opcodeSlots).add(row);
  for (const row of chain.bodySlots(slotOf)) set.of(tables.bodySlots).add(row);
  for (const row of chain.shardSlots(slotOf)) set.of(tables.shardSlots).add(row);
  for (const row of chain.messageContents(slotOf)) set.of(tables.messageContents).add(row);
  for (const row of chain.accountTraces(rows.traces ?? [])) set.of(tables.accountTraces).add(row);
  await sql.transaction((transaction) => transaction.write(set.finish()));
}

export const bytesOf = addressToBytes;
