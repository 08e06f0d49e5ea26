import SQL from "sql-template-tag";
import { expect } from "vitest";
import type { Database } from "../../../server/store/database.js";
import type { Table } from "../../../server/store/declare/table.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { queriesOf } from "./queries-of.js";

/** Tables whose rows do not depend on slots. */
export const slotlessTables = Object.values<Table>(tables)
  .filter(({ slotColumn, name }) => slotColumn === undefined && name !== tables.messageContents.name)
  .map(({ name }) => name);

/** Hours and directories, with the rows they should have. Those that are exact after a revert too come first. */
const directories = [
  [
    SQL`select utime, n, tx_count, total_fees::text as total_fees from block_hours order by 1`,
    SQL`
      select gen_utime / 3600 * 3600 as utime, count(*) as n, sum(tx_count)::bigint as tx_count,
        sum(total_fees)::text as total_fees
      from blocks group by 1 order by 1`,
  ],
  [
    SQL`select account, from_lt, n from account_slots order by 1, 2`,
    SQL`
      select account, from_lt, sum(n)::integer as n
      from (
        select t.account, s.from_lt, 1 as n from transactions t join slots s on s.from_lt <= lt and s.to_lt > lt
        union all
        select found.account, s.from_lt, 0
        from messages m join slots s on s.from_lt <= tx_lt and s.to_lt > tx_lt
        cross join unnest(array[m.source, m.destination]) found(account) where found.account is not null) places
      group by 1, 2 order by 1, 2`,
  ],
  [
    SQL`select opcode, from_lt from opcode_slots order by 1, 2`,
    SQL`
      select distinct m.opcode, s.from_lt from messages m join slots s on s.from_lt <= tx_lt and s.to_lt > tx_lt
      where m.opcode is not null order by 1, 2`,
  ],
  [
    SQL`select hash_prefix, from_lt from body_slots order by 1, 2`,
    SQL`
      select distinct hash_prefix(m.body_hash) as hash_prefix, s.from_lt
      from messages m join slots s on s.from_lt <= tx_lt and s.to_lt > tx_lt order by 1, 2`,
  ],
  [
    SQL`select workchain, shard, from_lt, first_seqno, last_seqno from shard_slots order by 1, 2, 3`,
    SQL`
      select p.workchain, p.shard, s.from_lt, min(p.seqno) as first_seqno, max(p.seqno) as last_seqno
      from (
        select workchain, shard, seqno, start_lt as lt from blocks
        union all
        select block_workchain, block_shard, block_seqno, lt from transactions) p
      join slots s on s.from_lt <= p.lt and s.to_lt > p.lt
      group by 1, 2, 3 order by 1, 2, 3`,
  ],
] as const;

/**
 * Fails unless hours have the sums of their blocks, and directories name exactly the slots in which something is. After a
 * revert some may name more.
 */
export async function expectWholeDirectories(database: Database, { reverted = false } = {}): Promise<void> {
  const queries = queriesOf(database);
  for (const [noted, wanted] of reverted ? directories.slice(0, 2) : directories)
    expect(await queries.query(noted)).toEqual(await queries.query(wanted));
}

/** Fails unless each message has its body in its slot. */
export async function expectAllContents(database: Database): Promise<void> {
  const missing = await queriesOf(database).query(SQL`
    with used as materialized (
      select m.body_hash as hash, s.from_lt as slot, min(m.tx_lt) as first_lt
      from messages m join slots s on s.from_lt <= tx_lt and s.to_lt > tx_lt group by 1, 2),
    stored as materialized (
      select c.hash, s.from_lt as slot, min(c.from_lt) as from_lt
      from message_contents c join slots s on s.from_lt <= c.from_lt and s.to_lt > c.from_lt group by 1, 2)
    select hash from used left join stored using (hash, slot)
    where (stored.from_lt <= used.first_lt) is not true limit 1`);
  expect(missing).toEqual([]);
}
