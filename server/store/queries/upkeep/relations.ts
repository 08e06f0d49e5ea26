import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { boundsPattern } from "../slots/slots.js";

/** A table without partitions, or a partition, with the state of its file. */
export type Relation = {
  readonly table: string;
  readonly name: string;
  /** Start of the slot that a partition belongs to, which may have been made of several; null for other relations. */
  readonly slot: bigint | null;
  /** Changes when the rows are moved to another file. */
  readonly fileNode: number;
  readonly pages: number;
  /** With the values that are stored outside of the pages. */
  readonly bytes: bigint;
};

/** The relations that make up these tables, by slot and then in the order of the tables. */
export function readRelations(queries: Queries, tables: readonly string[]): Promise<Relation[]> {
  return queries.query(SQL`
    with roots as (
      select distinct coalesce(pg_partition_root(c.oid), c.oid)::regclass as root
      from pg_class c where c.relname = any(${tables}) and c.relnamespace = current_schema()::regnamespace
    ), leaves as (
      select root, inhrelid as leaf from roots join pg_inherits on inhparent = root
      union all select root, root from roots join pg_class c on c.oid = root and c.relkind = 'r'
    )
    select root::text as table, c.relname as name, s.from_lt as slot, pg_relation_filenode(c.oid)::bigint::float8 as "fileNode",
      (pg_relation_size(c.oid) / current_setting('block_size')::bigint)::integer as pages,
      pg_table_size(c.oid)::bigint as bytes
    from leaves join pg_class c on c.oid = leaf cross join lateral (
      select regexp_match(pg_get_expr(c.relpartbound, c.oid), ${boundsPattern})::bigint[] as bounds) b
    left join slots s on s.from_lt <= b.bounds[1] and b.bounds[2] <= s.to_lt
    order by slot nulls first, array_position(${tables}::text[], root::text), c.relname`);
}

/** The columns of tables, in their order. */
export async function readColumns(
  queries: Queries,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  const rows = await queries.query<{ table: string; columns: string[] }>(SQL`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relname = any(${tables}) and c.relnamespace = current_schema()::regnamespace
    group by c.relname`);
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

/** Pages of a relation: the first one, and the one behind the last. */
export type Pages = { readonly from: number; readonly to: number };

/** The rows of pages, and the sum of the transactions that wrote them. */
type PageState = { readonly rows: number; readonly writers: string };

/**
 * Later transactions have greater numbers, so pages of which both are the same have the same rows: if rows were replaced, the
 * sum has grown. Reads no values that are stored outside of the pages.
 */
export async function readPageState(queries: Queries, relation: string, pages: Pages): Promise<PageState> {
  return oneRow(
    queries,
    SQL`
      select count(*)::float8 as rows, coalesce(sum(xmin::text::bigint), 0)::text as writers
      from ${raw(relation)} where ctid >= ${`(${pages.from},0)`}::tid and ctid < ${`(${pages.to},0)`}::tid`,
  );
}

/** The source of a COPY of the rows in pages. */
export function rowsInPages(relation: string, columns: readonly string[], { from, to }: Pages): string {
  return `(select ${columns.join(", ")} from ${relation} where ctid >= '(${from},0)' and ctid < '(${to},0)')`;
}
