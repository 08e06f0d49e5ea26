import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import type { Fragment } from "../../sql/where.js";

/** A value that a node has; an empty text if it has none. */
type OfNode = { node: string; result: string };

/** The value of an expression, as text, on the server or, of a divided index, on each node. Fails if one cannot be reached. */
export async function onEachNode(queries: Queries, expression: string): Promise<OfNode[]> {
  const text = `select coalesce((${expression})::text, '')`;
  const { result } = await oneRow<{ result: string }>(queries, SQL`${raw(text)} as result`);
  const own = { node: "", result };
  if (!(await queries.isDivided())) return [own];
  const others = await queries.query<OfNode & { success: boolean }>(SQL`
    select nodename || ':' || nodeport as node, success, result from run_command_on_workers(${text})`);
  const failed = others.find(({ success }) => !success);
  if (failed) throw new Error(`the node ${failed.node} of the cluster: ${failed.result}`);
  return [own, ...others];
}

/** An item of a FROM list: the rows of a relation `c`, of a divided one those of its shards, by statistics. */
export async function estimateOf(queries: Queries): Promise<Fragment> {
  if (!(await queries.isDivided())) return SQL`(select c.reltuples as n)`;
  return SQL`(
    select result::float8 as n
    from run_command_on_shards(c.oid::regclass, 'select reltuples from pg_class where oid = ''%s''::regclass')
    where success)`;
}

/** The name of a cluster's coordinator, and the bytes of shards by table and node; `undefined` if the index is not divided. */
export async function shardSizes(queries: Queries) {
  if (!(await queries.isDivided())) return undefined;
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
