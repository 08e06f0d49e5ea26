import SQL from "sql-template-tag";
import { addressFromBytes } from "../../../server/store/address-bytes.js";
import { codeOf, traceStates } from "../../../server/store/codes.js";
import type { Database } from "../../../server/store/database.js";
import { type ActionRow, accountsOfAction, locatorOfAction } from "../../../server/store/tables/actions.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import { type TraceRow, traceEnds } from "../../../server/store/tables/traces.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { bytesToBase64, compareBytes } from "../../../shared/values/bytes.js";
import { queriesOf } from "./queries-of.js";
import {
  accountOf,
  actionRow,
  blockRow,
  bytesOf,
  hashOf,
  messageRow,
  type Rows,
  storeRows,
  traceRow,
  transactionRow,
  wholeShard,
} from "./rows.js";

export type Chain = Rows & Required<Pick<Rows, "transactions" | "messages" | "blocks">>;

const letters = ["a", "b", "c", "d", "e"];
export const sampleAccounts = letters.map(accountOf);
export const sampleOpcodes = [undefined, 0, 0x0f8a7ea5, 0xd53276db];
export const sampleBodies = ["one", "two", "three"].map((name) => hashOf(`body ${name}`));

/**
 * A small index in which much is equal: 180 transactions of five accounts, three at most at one logical time, in six
 * masterchain blocks, with messages between them, from outside and to the outside.
 */
export function sampleIndex(): Chain {
  const transactions = Array.from({ length: 180 }, (_, i) => {
    const lt = BigInt(Math.floor(i / 3)) + 1n;
    return transactionRow({
      account: bytesOf(accountOf(letters[(i * 7 + Math.floor(i / 3)) % 5]!)),
      lt,
      // Not in step with lt, as the clocks of shards are not.
      now: 100 + Math.floor((i * 5) % 31),
      block_workchain: i % 22 === 0 ? -1 : 0,
      block_shard: i % 2 === 0 ? wholeShard : 2n ** 62n,
      block_seqno: 1 + Math.floor(i / 30),
      mc_block_seqno: 1 + Math.floor(i / 30),
      trace_id: hashOf(`trace ${Math.floor(i / 4)}`),
    });
  });
  const messages = transactions.flatMap((transaction, i) => messagesOf(transaction, transactions[i + 3], i));
  const blocks = Array.from({ length: 6 }, (_, i) => {
    const span = { seqno: i + 1, start_lt: 10n * BigInt(i), end_lt: 10n * BigInt(i + 1) };
    const ofShard = { ...span, workchain: 0, mc_block_seqno: i + 1 };
    return [
      blockRow({ ...span, gen_utime: 100 + 5 * i }),
      blockRow({ ...ofShard, gen_utime: 100 + 5 * i }),
      blockRow({ ...ofShard, shard: 2n ** 62n, gen_utime: 99 + 5 * i }),
    ];
  }).flat();
  return { transactions, messages, blocks };
}

/** Messages that a transaction sends; another one receives some of them. */
export function messagesOf(from: TransactionRow, to: TransactionRow | undefined, i: number): MessageRow[] {
  const shared = {
    body_hash: sampleBodies[i % 3]!,
    opcode: sampleOpcodes[i % 4] === undefined ? undefined : sampleOpcodes[i % 4]! | 0,
    mc_seqno: from.mc_block_seqno,
  };
  const sent = { ...shared, created_lt: from.lt, created_at: from.now, source: from.account };
  const out = { tx_hash: from.hash, tx_lt: from.lt, direction: 1 };
  const msg_hash = hashOf(`message ${i}`);
  if (i % 13 === 0) {
    const external = { ...shared, msg_hash: hashOf(`external ${i}`), msg_hash_norm: hashOf(`norm ${i}`) };
    return [
      messageRow({
        ...external,
        ...out,
        direction: 0,
        is_first: true,
        destination: from.account,
        import_fee: 0n,
      }),
    ];
  }
  // A transaction with a message from outside has no other incoming message.
  if (i % 5 === 0 || (i + 3) % 13 === 0 || !to) return [messageRow({ ...sent, ...out, msg_hash })];
  const internal = { ...sent, msg_hash, destination: to.account, value: 5n, bounce: true };
  const received = messageRow({ ...internal, tx_hash: to.hash, tx_lt: to.lt, direction: 0 });
  // Some messages are seen on the receiver's side alone.
  return i % 7 === 0 ? [{ ...received, is_first: true }] : [messageRow({ ...internal, ...out }), received];
}

export const rawOf = (bytes: Uint8Array) => addressFromBytes(bytes).toRawUpper();

/** Of several sets of types. */
export const sampleActionTypes = [
  "call_contract",
  "jetton_burn",
  "jetton_mint",
  "multisig_execute",
  "auction_outbid",
];
/** Clients know some of them, or none. */
const ancestors = [
  [],
  [],
  ["jetton_swap"],
  [],
  ["multisig_execute"],
  ["of a later version", "auction_outbid"],
];
/** The traces of a dozen transactions: two of them have three, and up to three end at one lt. */
const tracesOfDozen = [0, 1, 2, 0, 3, 1, 4, 5, 0, 6, 7, 1];

export type TracedIndex = ReturnType<typeof withTraces>;

/** The index with its transactions in traces. Some of these are pending or broken, the others have up to five actions. */
export function withTraces(index: Chain) {
  const groups: TransactionRow[][] = [];
  for (const [i, row] of index.transactions.entries()) {
    const number = Math.floor(i / 12) * 8 + tracesOfDozen[i % 12]!;
    const own = groups[number] ?? [];
    groups[number] = [...own, { ...row, trace_id: own[0]?.hash ?? row.hash }];
  }
  // Lists rely on times of traces and actions being those of blocks.
  const timeOf = ({ block_workchain, block_shard, block_seqno }: TransactionRow) =>
    index.blocks.find(
      ({ workchain, shard, seqno }) =>
        workchain === block_workchain && shard === block_shard && seqno === block_seqno,
    )!.gen_utime;
  const traces = groups.map((own, i) => traceOf(own, i, timeOf));
  const actions = groups.flatMap((own, i) => actionsOf(traces[i]!, own, i, timeOf));
  return { ...index, transactions: groups.flat(), traces, actions };
}

type Times = (row: TransactionRow) => number;

function traceOf(own: readonly TransactionRow[], i: number, timeOf: Times): TraceRow {
  const first = own[0]!;
  const state = i % 7 === 3 ? "pending" : i % 11 === 5 ? "broken" : "complete";
  return traceRow({
    ...{ trace_id: first.hash, state: codeOf(traceStates, state), nodes_: own.length },
    ...{ mc_seqno_start: first.mc_block_seqno, start_lt: first.lt, start_utime: timeOf(first) },
    // Each can be that of another transaction, as shards lag.
    mc_seqno_end: Math.max(...own.map(({ mc_block_seqno }) => mc_block_seqno)),
    end_utime: Math.max(...own.map(timeOf)),
    end_lt: own.at(-1)!.lt,
  });
}

function actionsOf(trace: TraceRow, own: readonly TransactionRow[], i: number, timeOf: Times): ActionRow[] {
  const { trace_id, end_lt, end_utime, mc_seqno_end } = trace;
  const isComplete = trace.state === codeOf(traceStates, "complete");
  return Array.from({ length: isComplete ? own.length + (i % 3) : 0 }, (_, n) => {
    const last = own[(i + n) % own.length]!;
    const accounts = [last.account, bytesOf(sampleAccounts[i % sampleAccounts.length]!)];
    const initiator = accounts.findIndex((account) => compareBytes(account, own[0]!.account) === 0) + 1;
    return actionRow(
      { lt: last.lt, now: timeOf(last), seqno: last.mc_block_seqno },
      {
        ...{ trace_id, action_id: hashOf(`action ${i} ${n}`), tx_hashes: [last.hash] },
        ...{ trace_end_lt: end_lt, trace_end_utime: end_utime, trace_mc_seqno_end: mc_seqno_end },
        type: sampleActionTypes[(i + n * 3) % sampleActionTypes.length]!,
        ancestor_type: ancestors[(i + n) % ancestors.length]!,
        accounts,
        ...(initiator > 0 && { initiator }),
      },
    );
  });
}

/** Stores the index in narrow slots, by masterchain blocks as they come, so that each slot has bounds of its own. */
export async function storeInSlots(
  database: Database,
  index: TracedIndex,
  { width = 6 } = {},
): Promise<void> {
  await queriesOf(database).query(SQL`update index_meta set value = ${String(width)} where key = 'lt_grid'`);
  const traces = new Map(index.traces.map((row) => [bytesToBase64(row.trace_id), row]));
  const accountTraces = index.transactions.map(({ account, trace_id }) => {
    const trace = traces.get(bytesToBase64(trace_id))!;
    return { mc_seqno: trace.mc_seqno_end, row: { account, trace_id, ...traceEnds(trace) } };
  });
  const last = Math.max(...index.blocks.map(({ mc_block_seqno }) => mc_block_seqno));
  for (let seqno = 1; seqno <= last; seqno++) {
    const actions = index.actions.filter((row) => row.trace_mc_seqno_end === seqno);
    await storeRows(database, {
      blocks: index.blocks.filter((row) => row.mc_block_seqno === seqno),
      shardState: index.shardState?.filter((row) => row.mc_seqno === seqno) ?? [],
      transactions: index.transactions.filter((row) => row.mc_block_seqno === seqno),
      messages: index.messages.filter((row) => row.mc_seqno === seqno),
      traces: index.traces.filter((row) => row.mc_seqno_end === seqno),
      accountTraces: accountTraces.filter(({ mc_seqno }) => mc_seqno === seqno).map(({ row }) => row),
      actions,
      actionAccounts: actions.flatMap(accountsOfAction),
      actionLocator: actions.map(locatorOfAction),
    });
  }
}
