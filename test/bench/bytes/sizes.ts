import SQL from "sql-template-tag";
import type { Queries } from "../../../server/store/database.js";
import type { TableSize } from "../../../server/store/queries/upkeep/table-sizes.js";

/** The bytes of a part of a table: its rows (`heap`), what is stored beside them (`toast`), or an index, by its columns. */
type Size = { table: string; part: string; bytes: number; from: bigint | undefined };

/**
 * The sizes of all tables of the index with their partitions; `from` begins the slot of a partition. A merged slot's indexes differ in
 * their fillfactor, which is not part of the name.
 */
export async function readSizes(queries: Queries): Promise<Size[]> {
  const rows = await queries.query<{ name: string; file: string; part: string; bytes: bigint }>(SQL`
    with files as (
      select c.oid, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, c.relname as file, c.reltoastrelid as toast
      from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace)
    select name, file, 'heap' as part, pg_relation_size(oid) as bytes from files
    union all
    select name, file, 'toast', pg_total_relation_size(toast) from files where toast <> 0
    union all
    select name, file, regexp_replace(regexp_replace(regexp_replace(pg_get_indexdef(i.indexrelid),
      '\\s+', ' ', 'g'), '^.* USING \\w+ ', ''), ' WITH \\([^)]*\\)', ''),
      pg_relation_size(i.indexrelid)
    from files join pg_index i on i.indrelid = files.oid`);
  return rows.map(({ name, file, part, bytes }) => {
    const from = /_(\d+)$/.exec(file)?.[1];
    const isOfSlot = from !== undefined && from.length > 2;
    return { table: name, part, bytes: Number(bytes), from: isOfSlot ? BigInt(from) : undefined };
  });
}

/** Bytes per transaction, hot and cold, by table and part; the largest tables first. */
export function sizeLines(sizes: readonly Size[], transactions: SizeCounts): string[][] {
  const names = [...new Set(sizes.map(({ table }) => table))];
  const found = names
    .map((table) => linesOf(table, sizes, transactions))
    .filter(({ hot }) => hot >= leastShown);
  found.sort((a, b) => b.hot - a.hot);
  const sums = (select: (size: Size) => boolean) => {
    const own = sizes.filter(select);
    return kinds.map((kind) => shown(perTransaction(own, transactions, kind)));
  };
  return [
    ["", "hot", "cold"],
    ...found.flatMap(({ lines }) => lines),
    ["all rows", ...sums(({ part }) => part === "heap" || part === "toast")],
    ["all indexes", ...sums(({ part }) => part !== "heap" && part !== "toast")],
    ["all", ...sums(() => true)],
  ];
}

/** Bytes per transaction of a cluster by table and node; the largest tables of the coordinator, which is the first node, come first. */
export function nodeLines(
  sizes: readonly Pick<TableSize, "table" | "nodes">[],
  transactions: number,
): string[][] {
  const nodes = [...new Set(sizes.flatMap((size) => size.nodes.map(({ node }) => node)))];
  const lines = sizes.map(({ table, nodes: own }) => ({
    table,
    each: nodes.map((name) => (own.find(({ node }) => node === name)?.bytes ?? 0) / transactions),
  }));
  const sums = nodes.map((_, at) => lines.reduce((sum, { each }) => sum + each[at]!, 0));
  const all = sums.reduce((sum, bytes) => sum + bytes, 0);
  const shares = sums.map((sum) => `${((100 * sum) / all).toFixed(0)} %`);
  return [
    ["", ...nodes],
    ...lines
      .filter(({ each }) => each.some((bytes) => bytes >= leastShown))
      .sort((a, b) => b.each[0]! - a.each[0]!)
      .map(({ table, each }) => [table, ...each.map(shown)]),
    ["all", ...sums.map(shown)],
    ["of all nodes", ...shares],
  ];
}

/** Bytes per transaction of all tables: as they are written, and merged. */
export function bytesPerTransaction(sizes: readonly Size[], transactions: SizeCounts) {
  const [hot, cold] = kinds.map((kind) => perTransaction(sizes, transactions, kind));
  return { hot: hot!, cold: cold! };
}

/** `cold` slots were merged and are before `hotFrom`. */
export type SizeCounts = { hot: number; cold: number; hotFrom: bigint };

const kinds = ["hot", "cold"] as const;
/** Smaller parts of a table, in bytes per transaction, have no line; the sum includes them. */
const leastShown = 3;

/** Without cold slots there is no number. */
function shown(bytes: number): string {
  return Number.isFinite(bytes) ? bytes.toFixed(0) : "";
}

function linesOf(table: string, sizes: readonly Size[], counts: SizeCounts) {
  const own = sizes.filter((size) => size.table === table);
  const bytesOf = (files: readonly Size[]) => kinds.map((kind) => perTransaction(files, counts, kind));
  const [hot, cold] = bytesOf(own);
  const parts = [...new Set(own.map(({ part }) => part))]
    .map((part) => ({ part, bytes: bytesOf(own.filter((size) => size.part === part)) }))
    .filter(({ bytes }) => bytes[0]! >= leastShown)
    .sort((a, b) => b.bytes[0]! - a.bytes[0]!);
  const lines = [
    [table, shown(hot!), shown(cold!)],
    ...parts.map(({ part, bytes }) => [`  ${part}`, ...bytes.map(shown)]),
  ];
  return { hot: hot!, lines };
}

/** Tables that are not partitioned by slots are the same for both. */
function perTransaction(
  sizes: readonly Size[],
  { hot, cold, hotFrom }: SizeCounts,
  kind: (typeof kinds)[number],
): number {
  const sum = (select: (size: Size) => boolean) =>
    sizes.filter(select).reduce((bytes, size) => bytes + size.bytes, 0);
  const everywhere = sum(({ from }) => from === undefined) / (hot + cold);
  return kind === "hot"
    ? everywhere + sum(({ from }) => from !== undefined && from >= hotFrom) / hot
    : everywhere + sum(({ from }) => from !== undefined && from < hotFrom) / cold;
}
