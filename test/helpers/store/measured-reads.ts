import SQL, { raw } from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import type { Explained, PlanNode } from "./explained-sql.js";

/**
 * Autovacuum sees to tables that have rows; to their parents it never does. As a rule slots do not change once they have
 * been seen to.
 */
export async function leaveStatistics(database: Database, { areSlotsChanged = false } = {}): Promise<void> {
  const sql = database.sql({ connections: 1 });
  const tables = await sql.query<{ name: string }>(SQL`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and (${areSlotsChanged} or reltuples < 0 or oid not in (
        select inhrelid from pg_inherits join pg_partitioned_table on partrelid = inhparent where partstrat = 'r'))`);
  for (const { name } of tables) await sql.query(SQL`vacuum (analyze) ${raw(name)}`);
}

export function buffersOf(explained: readonly Explained[]): number {
  return explained.reduce((sum, { plan }) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0);
}

/** How often an index is searched from its root. */
export function searchesOf(explained: readonly Explained[]): number {
  return explained
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => node["Node Type"].includes("Index"))
    .reduce((sum, node) => sum + node["Actual Loops"], 0);
}

export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
