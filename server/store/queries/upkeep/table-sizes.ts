import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { index, kept } from "../../migrate/schemas.js";

/** A table with its partitions and indexes. */
type TableSize = { table: string; bytes: number; rows: number; deadRows: number };

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
  const ofShards = (await queries.isDivided?.()) ? await bytesOfShards(queries) : new Map<string, bigint>();
  return rows.map(({ name, bytes, rows: count, dead }) => ({
    table: name,
    bytes: Number(bytes + (ofShards.get(name) ?? 0n)),
    rows: Number(count),
    deadRows: Number(dead),
  }));
}

/** By the table: the shards of its partitions, on all nodes. */
async function bytesOfShards(queries: Queries): Promise<ReadonlyMap<string, bigint>> {
  const rows = await queries.query<{ name: string; bytes: bigint }>(SQL`
    select coalesce(pg_partition_root(table_name), table_name)::text as name, sum(shard_size)::bigint as bytes
    from citus_shards group by 1`);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
