import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { index, kept } from "../../migrate/schemas.js";
import { oneRow } from "../../sql/one-row.js";

/** A table with its partitions and indexes. `nodes`: of a divided index, the bytes of each node. */
export type TableSize = {
  table: string;
  bytes: number;
  rows: number;
  deadRows: number;
  nodes: readonly { node: string; bytes: number }[];
};

/**
 * Sizes of the tables of the index and of those that outlive it. Reads the size of each file. Of a divided index bytes are
 * those of all nodes, rows those of the coordinator.
 */
export async function readTableSizes(queries: Queries): Promise<TableSize[]> {
  const schemas = [index.ledger, kept.ledger];
  const rows = await queries.query<{ name: string; bytes: bigint; rows: bigint; dead: bigint }>(SQL`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
      sum(pg_total_relation_size(c.oid))::bigint as bytes,
      coalesce(sum(s.n_live_tup), 0)::bigint as rows, coalesce(sum(s.n_dead_tup), 0)::bigint as dead
    from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relnamespace in (
      select relnamespace from pg_class where oid = any(${schemas}::text[]::regclass[]))
    group by 1 order by 1`);
  const divided = (await queries.isDivided()) ? await readNodes(queries) : undefined;
  return rows.map(({ name, bytes, rows: count, dead }) => {
    const nodes = new Map(divided && [[divided.coordinator, Number(bytes)]]);
    for (const shards of divided?.shards ?? [])
      if (shards.table === name) nodes.set(shards.node, (nodes.get(shards.node) ?? 0) + Number(shards.bytes));
    return {
      table: name,
      bytes: divided ? [...nodes.values()].reduce((sum, each) => sum + each, 0) : Number(bytes),
      rows: Number(count),
      deadRows: Number(dead),
      nodes: [...nodes].map(([node, each]) => ({ node, bytes: each })),
    };
  });
}

/** The name of the coordinator, and the bytes of shards by table and node. */
async function readNodes(queries: Queries) {
  const { node } = await oneRow<{ node: string }>(
    queries,
    SQL`select nodename || ':' || nodeport as node from pg_dist_node where groupid = 0`,
  );
  const shards = await queries.query<{ table: string; node: string; bytes: bigint }>(SQL`
    select coalesce(pg_partition_root(table_name), table_name)::text as table, nodename || ':' || nodeport as node,
      sum(shard_size)::bigint as bytes
    from citus_shards group by 1, 2 order by 1, 2`);
  return { coordinator: node, shards };
}
