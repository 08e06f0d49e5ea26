import SQL, { raw } from "sql-template-tag";
import { traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { code, type Fragment } from "../../sql/where.js";

/** Masterchain blocks, both inclusive. */
export type BlockSpan = { readonly from: number; readonly to: number };
export type Lts = { first: bigint; last: bigint };

/** The logical times of the blocks of a span, of which at least one is stored. */
export function readLts(queries: Queries, { from, to }: BlockSpan): Promise<Lts> {
  return oneRow(
    queries,
    SQL`select min(start_lt) as first, max(end_lt) as last from blocks where mc_block_seqno between ${from} and ${to}`,
  );
}

const complete = code(traceStates, "complete");

/**
 * What blocks say alone, as texts by table: the rows of the shard and masterchain blocks of a span, with their transactions,
 * messages and states, and whether directories lead to them. `reference` is an index that has no other blocks around the span:
 * traces that are complete there are compared too. The accounts that divided tables have in addition are left out.
 */
export async function rowsOfBlocks(
  reference: Queries,
  queries: Queries,
  span: BlockSpan,
): Promise<Record<string, string[]>> {
  const lts = await readLts(reference, span);
  const traces = await reference.query<{ id: Uint8Array }>(SQL`
    select trace_id as id from traces
    where state = ${complete} and sort_lt between ${lts.first} and ${lts.last}
      and mc_seqno_start >= ${span.from} and mc_seqno_end <= ${span.to}`);
  const whole = traces.map(({ id }) => id);
  const found: Record<string, string[]> = {};
  for (const [table, statement] of Object.entries(statementsOf(span, lts, whole)))
    found[table] = (await queries.query<{ row: string }>(statement)).map(({ row }) => row).sort();
  return found;
}

function statementsOf(
  { from, to }: BlockSpan,
  { first, last }: Lts,
  whole: readonly Uint8Array[],
): Record<string, Fragment> {
  const within = (lt: string, seqno: string) =>
    SQL`${raw(lt)} between ${first} and ${last} and ${raw(seqno)} between ${from} and ${to}`;
  // Nodes of a divided index have these rows and directories, of which each is divided by another column.
  const withTransactions = SQL`
    with t as materialized (select * from transactions where ${within("lt", "mc_block_seqno")})`;
  const withMessages = SQL`
    with m as materialized (select * from messages where ${within("tx_lt", "mc_seqno")})`;
  const located = (directory: string, hash: string, rows: string) =>
    SQL`, d as materialized (
      select * from ${raw(directory)} where hash_prefix in (select hash_prefix(${raw(hash)}) from ${raw(rows)}))`;
  const leads = (directory: string, key: string, value: string, lt: string, rowLt: string) =>
    SQL`exists (select from ${raw(directory)} d
      where d.hash_prefix = hash_prefix(${raw(value)}) and d.${raw(key)} = ${raw(rowLt)}) as ${raw(lt)}`;
  return {
    blocks: SQL`
      with b as materialized (select * from blocks where ${within("start_lt", "mc_block_seqno")})${located(
        "block_locator",
        "hash",
        "b cross join unnest(array[root_hash, file_hash]) hash",
      )}
      select (to_jsonb(b) || to_jsonb(l))::text as row
      from b cross join lateral (
        select ${leads("d", "start_lt", "b.root_hash", "by_root_hash", "b.start_lt")},
          ${leads("d", "start_lt", "b.file_hash", "by_file_hash", "b.start_lt")}) l`,
    shard_state: SQL`
      select to_jsonb(s)::text as row from shard_state s where ${within("start_lt", "mc_seqno")}`,
    // The trace of a transaction may have begun before the span.
    transactions: SQL`
      ${withTransactions}${located("tx_locator", "hash", "t")}, a as materialized (
        select * from account_slots where account in (select account from t))
      select (to_jsonb(t) - 'trace_id' || to_jsonb(l))::text as row
      from t cross join lateral (
        select ${leads("d", "lt", "t.hash", "by_hash", "t.lt")},
          case when t.trace_id = any(${whole}) then t.trace_id end as trace_id,
          exists (select from a join slots s on s.from_lt = a.from_lt
            where a.account = t.account and t.lt >= s.from_lt and t.lt < s.to_lt) as by_account) l`,
    // Whether a message has its first row in the index depends on the blocks around it.
    messages: SQL`
      ${withMessages}${located("msg_locator", "msg_hash", "m")}
      select (to_jsonb(m) - 'is_first' - 'account' || to_jsonb(l))::text as row
      from m cross join lateral (
        select ${leads("d", "tx_lt", "m.msg_hash", "by_hash", "m.tx_lt")}) l`,
    message_contents: SQL`
      ${withMessages}
      select distinct (to_jsonb(c) - 'from_lt' - 'account')::text as row
      from m join slots s on s.from_lt <= m.tx_lt and m.tx_lt < s.to_lt
      join message_contents c on c.from_lt = s.from_lt and c.hash in (m.body_hash, m.init_state_hash)`,
    account_states: SQL`
      ${withTransactions}
      select (to_jsonb(s) - 'account')::text as row from t join account_states s
        on s.account_key = account_key(t.account) and s.lt = t.lt and s.hash = t.account_state_hash_after`,
    traces: SQL`
      select (to_jsonb(t) - 'classification_state')::text as row
      from traces t where t.sort_lt between ${first} and ${last} and t.trace_id = any(${whole})`,
  };
}
