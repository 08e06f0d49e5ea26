import SQL, { join, raw } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import { fixedText } from "../../sql/fixed-text.js";
import { oneRow } from "../../sql/one-row.js";
import { all, type Fragment, given, greatest, largestBigint, least, plannedOnce } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import { besideRows } from "../cluster/beside-rows.js";
import { estimateOf } from "../cluster/each-node.js";
import { gatheredAccountSlots } from "../cluster/gathered-directories.js";

/**
 * A range of lt that is a partition of transactions and of messages, `to_lt` exclusive, with bounds of its rows: the lt
 * that messages are sorted by, the times of transactions, messages and blocks, and the masterchain blocks that blocks entered
 * with. Without rows they are null.
 */
export type Slot = {
  from_lt: bigint;
  to_lt: bigint;
  first_lt: bigint | null;
  last_lt: bigint | null;
  first_utime: bigint | null;
  last_utime: bigint | null;
  first_mc_seqno: number | null;
  last_mc_seqno: number | null;
};

/** The columns of `Slot`, of a row `s` of slots. */
export const slotColumns = SQL`s.from_lt, s.to_lt, s.first_lt, s.last_lt, s.first_utime, s.last_utime,
  s.first_mc_seqno, s.last_mc_seqno`;

/** Contents by which slots are chosen. */
type SlotFilter = {
  accounts?: readonly Uint8Array[] | undefined;
  opcode?: number | undefined;
  bodyHash?: Uint8Array | undefined;
  shards?: readonly ShardName[] | undefined;
};

export type ShardName = { workchain: number; shard: bigint };

/** Slots that may have rows of what is given, ascending; all if nothing is. By primary keys. */
export async function readSlots(
  queries: Queries,
  { accounts, opcode, bodyHash, shards }: SlotFilter = {},
): Promise<Slot[]> {
  const statement = SQL`
    select ${slotColumns} from slots s
    where ${all(
      given(
        accounts,
        (keys) => SQL`s.from_lt in (select from_lt from ${slotsOfAccounts("account_slots", keys)})`,
      ),
      given(
        opcode,
        (value) => SQL`s.from_lt in (select from_lt from opcode_slots where opcode = ${value | 0})`,
      ),
      given(
        bodyHash,
        (hash) => SQL`s.from_lt in (select from_lt from body_slots where hash_prefix = ${hashPrefix(hash)})`,
      ),
      given(
        shards,
        (names) => SQL`s.from_lt in (select from_lt from shard_slots where ${isOneOfShards(names)})`,
      ),
    )}
    order by s.from_lt`;
  const gathered = accounts ? await besideSlotsOf(queries, accounts) : queries;
  return gathered.query<Slot>(plannedOnce(statement));
}

/** The queries, of a divided index over the slots of these accounts. */
function besideSlotsOf(queries: Queries, accounts: readonly Uint8Array[]): Promise<Queries> {
  return besideRows(queries, () => [gatheredAccountSlots(accounts)]);
}

/** The rows of a directory of the slots of accounts that are of some of them. Each account is searched in its partition alone. */
export function slotsOfAccounts(
  directory: "account_slots" | "token_slots",
  accounts: readonly Uint8Array[],
  condition: Fragment = SQL`true`,
): Fragment {
  const rows = (account: Fragment) =>
    SQL`(select * from ${raw(directory)} where account = ${account} and ${condition} offset 0) of_account`;
  return accounts.length === 1
    ? rows(SQL`${accounts[0]}`)
    : SQL`unnest(${accounts}::bytea[]) wanted(address) cross join lateral ${rows(SQL`wanted.address`)}`;
}

/** The beginning of the slot that a column of lt is in: primary key. */
export function slotOf(column: string): string {
  return `coalesce((select s.from_lt from slots s where s.from_lt <= ${column} order by s.from_lt desc limit 1), ${column})`;
}

/** The first and the last lt of the slot of each lt, the bounds of these, and those of the lt. */
export type SlotBounds = {
  starts: readonly bigint[];
  ends: readonly bigint[];
  first: bigint;
  last: bigint;
  least: bigint;
  greatest: bigint;
};

export type Span = Pick<Slot, "from_lt" | "to_lt">;

/** Spans of the slots that some lt are in, which begin at `slot`; where they end is not known. */
export function spansAt(places: readonly { lt: bigint; slot: bigint }[]): Span[] {
  const spans = places.map(({ lt, slot }) => ({ from_lt: slot, to_lt: lt + 1n }));
  return spans.sort((a, b) => (a.from_lt < b.from_lt ? -1 : 1));
}

/** The slots that some lt, at least one, are in. They are read unless each lt is in one of those that are `known`, ascending. */
export async function slotBounds(
  queries: Queries,
  lts: readonly bigint[],
  known: readonly Span[] = [],
): Promise<SlotBounds> {
  const [from, to] = [least(lts), greatest(lts)];
  const near = known.filter(({ from_lt, to_lt }) => to_lt > from && from_lt <= to);
  const isKnown = lts.every((lt) => near.some(({ from_lt, to_lt }) => from_lt <= lt && lt < to_lt));
  const spans = isKnown ? near : await queries.query<Span>(spansBetween({ from, to }));
  const found = lts.map((lt) => spans.findLast(({ from_lt }) => from_lt <= lt));
  const ends = lts.map((lt, at) => (found[at] ? found[at].to_lt - 1n : lt));
  return {
    starts: lts.map((lt, at) => found[at]?.from_lt ?? lt),
    ends,
    first: spans[0]?.from_lt ?? from,
    last: greatest(ends),
    least: from,
    greatest: to,
  };
}

const spansBetween = fixedText<{ from: bigint; to: bigint }>(
  ({ from, to }) =>
    SQL`select from_lt, to_lt from slots where to_lt > ${from} and from_lt <= ${to} order by from_lt`,
);

function isOneOfShards(names: readonly ShardName[]): Fragment {
  const each = names.map(({ workchain, shard }) => SQL`(workchain = ${workchain} and shard = ${shard})`);
  return each.length === 0 ? SQL`false` : join(each, " or ");
}

/** What came with masterchain blocks after one, which has no lesser lt than `from`. */
export type Later = { readonly seqno: number; readonly from: bigint };

/** What came after a masterchain block: blocks_by_masterchain of the slots that may have some of it. */
export async function laterThan(queries: Queries, seqno: number): Promise<Later> {
  const { from } = await oneRow<{ from: bigint }>(
    queries,
    SQL`select coalesce(min(start_lt), ${largestBigint}) as "from" from blocks
      where mc_block_seqno > ${seqno} and start_lt >= ${firstSlotAfter(seqno)}`,
  );
  return { seqno, from };
}

/** The condition that a row came later, by its column of lt, which leads to it, and that of its masterchain block. */
export function isLater(lt: string, block: string, { seqno, from }: Later): Fragment {
  return SQL`${raw(lt)} >= ${from} and ${raw(block)} > ${seqno}`;
}

/** The start of the first slot that may have something later than a masterchain block. */
export function firstSlotAfter(seqno: number): Fragment {
  return SQL`(
    select coalesce(min(from_lt), ${largestBigint}) from slots where last_mc_seqno is null or last_mc_seqno > ${seqno})`;
}

/** A slot, with the number of transactions of some accounts in it if that is known. */
export type KnownSlot = Slot & { n?: bigint };

/** A slot with the number of transactions of some accounts in it. */
export type CountedSlot = Slot & { n: bigint };

/** The slots of accounts that may have an lt of a range, with the numbers of their transactions, ascending: primary keys. */
export async function countedSlots(
  queries: Queries,
  accounts: readonly Uint8Array[],
  { from, to }: { from: bigint; to: bigint } = { from: 0n, to: largestBigint },
): Promise<CountedSlot[]> {
  const isNear = all(
    from > 0n
      ? SQL`from_lt >= coalesce((select max(s.from_lt) from slots s where s.from_lt <= ${from}), 0)`
      : undefined,
    to < largestBigint ? SQL`from_lt <= ${to}` : undefined,
  );
  const gathered = await besideSlotsOf(queries, accounts);
  return gathered.query<CountedSlot>(
    plannedOnce(SQL`
    select ${slotColumns}, a.n
    from (
      select from_lt, sum(n)::bigint as n from ${slotsOfAccounts("account_slots", accounts, isNear)} group by from_lt) a
    join slots s on s.from_lt = a.from_lt
    order by s.from_lt`),
  );
}

export async function insertSlot(transaction: Transaction, from: bigint, to: bigint): Promise<void> {
  await transaction.query(SQL`insert into slots (from_lt, to_lt) values (${from}, ${to})`);
}

/** The slots that have no partition of transactions, and so none of any table. */
export function slotsWithoutPartitions(queries: Queries): Promise<Pick<Slot, "from_lt" | "to_lt">[]> {
  return queries.query(SQL`
    select from_lt, to_lt from slots where to_regclass('transactions_' || from_lt) is null order by from_lt`);
}

/** Whether nothing has been stored in the index. */
export async function isNewIndex(queries: Queries): Promise<boolean> {
  const { isNew } = await oneRow<{ isNew: boolean }>(
    queries,
    SQL`
      select not exists (select from slots) and not exists (select from index_ranges) as "isNew"`,
  );
  // By itself: nodes may have these.
  return isNew && (await queries.query(SQL`select account from latest_account_states limit 1`)).length === 0;
}

/** The transactions of a slot by the statistics of its partitions; 0 while there are none. */
export async function estimatedRows(queries: Queries, from: bigint, to: bigint): Promise<number> {
  const row = await oneRow<{ rows: number }>(
    queries,
    SQL`
    select coalesce(sum(greatest(n, 0)), 0)::float8 as rows
    from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral (
      select regexp_match(pg_get_expr(c.relpartbound, c.oid), ${boundsPattern})::bigint[] as bounds) b
      cross join lateral ${await estimateOf(queries)} r
    where i.inhparent = 'transactions'::regclass and b.bounds[1] >= ${from} and b.bounds[2] <= ${to}`,
  );
  return row.rows;
}

/** Bounds of a partition of lt, as PostgreSQL shows them. */
export const boundsPattern = "FROM \\('(-?\\d+)'\\) TO \\('(\\d+)'\\)";

/**
 * The slots that have lt in `from ..= to`. They are not merged before the end of the transaction, which itself can then
 * name their starts.
 */
export function holdSlots(
  transaction: Transaction,
  from: bigint,
  to: bigint,
): Promise<Pick<Slot, "from_lt" | "to_lt">[]> {
  return transaction.query(SQL`
    select from_lt, to_lt from slots where from_lt <= ${to} and to_lt > ${from} order by from_lt for key share`);
}

/** Span of a set of rows: the lt of its transactions, and the bounds that slots note. */
export type Extent = {
  from: bigint;
  to: bigint;
  firstLt: bigint;
  lastLt: bigint;
  firstUtime: number;
  lastUtime: number;
  /** Masterchain blocks; without blocks there are none. */
  firstSeqno?: number;
  lastSeqno?: number;
};

/** Widens the bounds of the slots that the rows are in. Rows are locked in key order, so that concurrent writers cannot deadlock. */
export async function widenSlots(queries: Queries, extent: Extent): Promise<void> {
  const { from, to, firstLt, lastLt, firstUtime, lastUtime, firstSeqno = null, lastSeqno = null } = extent;
  await queries.query(SQL`
    update slots
    set first_lt = least(first_lt, ${firstLt}), last_lt = greatest(last_lt, ${lastLt}),
      first_utime = least(first_utime, ${firstUtime}), last_utime = greatest(last_utime, ${lastUtime}),
      first_mc_seqno = least(first_mc_seqno, ${firstSeqno}::integer),
      last_mc_seqno = greatest(last_mc_seqno, ${lastSeqno}::integer)
    where from_lt = any(array(
        select from_lt from slots where from_lt <= ${to} and to_lt > ${from} order by from_lt for no key update))
      and (first_lt is null or first_lt > ${firstLt} or last_lt < ${lastLt}
        or first_utime > ${firstUtime} or last_utime < ${lastUtime}
        or first_mc_seqno is null or first_mc_seqno > ${firstSeqno}::integer or last_mc_seqno < ${lastSeqno}::integer)`);
}
