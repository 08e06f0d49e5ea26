import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { index, kept } from "../../sql/schemas.js";
import { shardSizes } from "../cluster/each-node.js";

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
  const divided = await shardSizes(queries);
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
