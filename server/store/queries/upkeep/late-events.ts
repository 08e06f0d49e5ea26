import SQL, { raw } from "sql-template-tag";
import { classificationStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { code, type Fragment, keyLists } from "../../sql/where.js";
import { type StoredTraceRow, type TraceRow, traces } from "../../tables/traces.js";
import { besideRows, type GatheredRows } from "../cluster/beside-rows.js";
import { gatheredEntries, gatheredTraces } from "../cluster/gathered-directories.js";
import { gatheredActions, gatheredByKey } from "../cluster/gathered-rows.js";
import { selectRows } from "../rows.js";
import { noEnd } from "./index-ranges.js";

/** The range at the head: its first block, and the block after the last one that is stored. */
export type Head = { from: number; next: number };

/** Keeps the next block from being stored before the end of the transaction, which must lock nothing before. */
export async function holdHead(transaction: Transaction): Promise<Head | undefined> {
  const [head] = await transaction.query<Head>(SQL`
    select from_seqno as "from", done_to + 1 as next from index_ranges where to_seqno = ${noEnd} for update`);
  return head;
}

/** Leaves the events of traces that wait for accounts to a later block. */
export async function delayTraces(
  transaction: Transaction,
  rows: readonly Pick<TraceRow, "trace_id" | "end_lt" | "mc_seqno_end">[],
): Promise<void> {
  const lists = keyLists(rows, { trace_id: "bytea", end_lt: "bigint", mc_seqno_end: "integer" });
  await transaction.query(SQL`
    insert into late_traces (trace_id, end_lt, mc_seqno_end)
    select * from ${lists} given (trace_id, end_lt, mc_seqno_end) order by trace_id
    on conflict (trace_id) do update set
      end_lt = excluded.end_lt, mc_seqno_end = excluded.mc_seqno_end, told_seqno = null`);
}

/** Whether the events of one of the traces wait. */
export async function areDelayed(queries: Queries, ids: readonly Uint8Array[]): Promise<boolean> {
  const rows = await queries.query(SQL`
    select trace_id from late_traces where trace_id = any(${ids}::bytea[]) and told_seqno is null limit 1`);
  return rows.length > 0;
}

/** Assigns a block to the delayed events of those traces that wait for no account any more. */
export async function tellTraces(
  transaction: Transaction,
  ids: readonly Uint8Array[],
  seqno: number,
): Promise<void> {
  const wait = SQL`l.trace_id = any(${ids}::bytea[]) and l.told_seqno is null`;
  const gathered = await besideRows(transaction, () => tracesOfLate(transaction, wait));
  await gathered.query(SQL`
    update late_traces l set told_seqno = ${seqno}
    where ${wait}
      and not exists (select from awaited_contracts a where a.trace_id = l.trace_id)
      and exists (
        select from traces t where t.trace_id = l.trace_id and t.sort_lt = l.end_lt
          and t.classification_state <> ${code(classificationStates, "unclassified")})`);
}

export type LateWallet = { account: Uint8Array; lt: bigint; mc_seqno: number };

/** Assigns a block to delayed changes of jetton wallets. */
export async function tellWallets(
  transaction: Transaction,
  rows: readonly LateWallet[],
  seqno: number,
): Promise<void> {
  if (rows.length === 0) return;
  const lists = keyLists(rows, { account: "bytea", lt: "bigint", mc_seqno: "integer" });
  await transaction.query(SQL`
    insert into late_wallets (account, lt, mc_seqno, told_seqno)
    select account, lt, mc_seqno, ${seqno} from ${lists} given (account, lt, mc_seqno) order by account, lt
    on conflict do nothing`);
}

/** Assigns the next block to the jetton wallets that have their state of before again, after a revert to a block. */
export async function tellRestoredWallets(
  transaction: Transaction,
  accounts: readonly Uint8Array[],
  seqno: number,
): Promise<void> {
  await transaction.query(SQL`delete from late_wallets where account = any(${accounts}::bytea[])`);
  await transaction.query(SQL`
    insert into late_wallets (account, lt, mc_seqno, told_seqno)
    select w.address, t.lt, t.mc_block_seqno, ${seqno} + 1
    from jetton_wallets w join transactions t on t.account = w.address and t.lt = w.last_transaction_lt
    where w.address = any(${accounts}::bytea[]) order by w.address`);
}

/** Removes delayed events of blocks above a masterchain block. Those that were sent above it are sent again. */
export function revertLateEvents(seqno: number): Fragment[] {
  return [
    SQL`delete from late_traces where mc_seqno_end > ${seqno}`,
    SQL`delete from late_wallets where mc_seqno > ${seqno}`,
    SQL`update late_traces set told_seqno = ${seqno} + 1 where told_seqno > ${seqno}`,
    SQL`update late_wallets set told_seqno = ${seqno} + 1 where told_seqno > ${seqno}`,
  ];
}

/** Traces of other blocks that are told with a masterchain block: late_traces_by_block. */
export async function lateTraces(queries: Queries, seqno: number): Promise<StoredTraceRow[]> {
  const isTold = SQL`l.told_seqno = ${seqno}`;
  return selectRows(
    await besideRows(queries, () => tracesOfLate(queries, isTold)),
    traces,
    "t",
    SQL`late_traces l join traces t on t.trace_id = l.trace_id and t.sort_lt = l.end_lt
      where ${isTold} order by t.sort_lt, t.trace_id`,
  );
}

/** The traces that ended in a masterchain block and are not told with it: late_traces_by_end. */
export async function tracesDelayedIn(queries: Queries, seqno: number): Promise<Uint8Array[]> {
  const rows = await queries.query<{ trace_id: Uint8Array }>(SQL`
    select trace_id from late_traces where mc_seqno_end = ${seqno}`);
  return rows.map(({ trace_id }) => trace_id);
}

type WalletState = { account: Uint8Array; lt: bigint };

/** Jetton wallets as transactions of other blocks left them that are told with a block: late_wallets_by_block. */
export function lateWallets(queries: Queries, seqno: number): Promise<WalletState[]> {
  return queries.query(
    SQL`select account, lt from late_wallets where told_seqno = ${seqno} order by lt, account`,
  );
}

/** The states of jetton wallets that are sent with a later block than their own: primary key. */
export function walletsDelayed(queries: Queries, states: readonly WalletState[]): Promise<WalletState[]> {
  return queries.query(SQL`
    select l.account, l.lt from ${keyLists(states, { account: "bytea", lt: "bigint" })} given (account, lt)
    join late_wallets l using (account, lt)`);
}

/** The block with which a delayed trace is sent; null while it waits, `undefined` if it was not delayed. */
export async function blockOfLateTrace(queries: Queries, id: Uint8Array): Promise<number | null | undefined> {
  const [row] = await queries.query<{ told_seqno: number | null }>(SQL`
    select told_seqno from late_traces where trace_id = ${id}`);
  return row?.told_seqno;
}

/** Kinds of delayed events of an account: traces and actions that it takes part in, and jetton wallets. */
type LateConcern = "traces" | "actions" | "jettonWallets";

/** The blocks of a span with which delayed events of accounts are sent. */
export async function blocksOfLateEvents(
  queries: Queries,
  accounts: readonly Uint8Array[],
  concern: LateConcern,
  { first, last }: { first: number; last: number },
): Promise<number[]> {
  const within = SQL`l.told_seqno between ${first} and ${last}`;
  const isOneOf = (column: Fragment) => SQL`${column} = any(${accounts}::bytea[])`;
  const sources: Record<LateConcern, Fragment> = {
    traces: SQL`late_traces l where ${within} and exists (
      select from account_traces a where ${isHash("a.trace_id", raw("l.trace_id"))} and ${isOneOf(SQL`a.account`)})`,
    actions: SQL`late_traces l where ${within} and exists (
      select from actions a
      where ${isHash("a.trace_id", raw("l.trace_id"))} and a.trace_end_lt = l.end_lt and a.accounts && ${accounts}::bytea[])`,
    jettonWallets: SQL`late_wallets l where ${within} and exists (
      select from jetton_wallets w
      where w.address = l.account and (${isOneOf(SQL`w.address`)} or ${isOneOf(SQL`w.owner`)}))`,
  };
  const gathered = await besideRows(queries, async () => {
    if (concern === "jettonWallets") return walletsOfLate(queries, within);
    return concern === "actions" ? actionsOfLate(queries, within) : entriesOfLate(queries, within, accounts);
  });
  const rows = await gathered.query<{ seqno: number }>(
    SQL`select distinct l.told_seqno as seqno from ${sources[concern]} order by 1`,
  );
  return rows.map(({ seqno }) => seqno);
}

/** Delayed traces, which a divided index has on other nodes, as what leads to them, and their actions. */
async function tracesOfLate(queries: Queries, within: Fragment): Promise<GatheredRows[]> {
  return [
    gatheredTraces(
      await queries.query(SQL`select l.trace_id, l.end_lt as sort_lt from late_traces l where ${within}`),
    ),
  ];
}

async function walletsOfLate(queries: Queries, within: Fragment): Promise<GatheredRows[]> {
  const rows = await queries.query<{ account: Uint8Array }>(
    SQL`select l.account from late_wallets l where ${within}`,
  );
  return [
    gatheredByKey(
      "w",
      rows.map(({ account }) => account),
      ["owner"],
    ),
  ];
}

async function entriesOfLate(
  queries: Queries,
  within: Fragment,
  accounts: readonly Uint8Array[],
): Promise<GatheredRows[]> {
  const rows = await queries.query<{ trace_id: Uint8Array }>(
    SQL`select l.trace_id from late_traces l where ${within}`,
  );
  return [
    gatheredEntries(
      rows.map(({ trace_id }) => trace_id),
      accounts,
    ),
  ];
}

async function actionsOfLate(queries: Queries, within: Fragment): Promise<GatheredRows[]> {
  const traces = await queries.query<{ trace_key: bigint; trace_end_lt: bigint }>(SQL`
    select hash_prefix(l.trace_id) as trace_key, l.end_lt as trace_end_lt from late_traces l where ${within}`);
  return [gatheredActions(traces)];
}
