import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";

/**
 * The transactions that others run in this database. Whoever began later sees what is committed now. Told by the locks that
 * transactions hold on themselves: pg_stat_activity hides the snapshots of other roles.
 */
export async function runningTransactions(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(SQL`
    select l.virtualxid as id
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()
      and a.datid = (select oid from pg_database where datname = current_database())
      -- It reads no rows for anybody, and may take hours.
      and coalesce(a.backend_type, '') <> 'autovacuum worker'`);
  return rows.map(({ id }) => id);
}

/** The transactions that still run. */
export async function stillRunning(queries: Queries, ids: readonly string[]): Promise<string[]> {
  const running = new Set(await runningTransactions(queries));
  return ids.filter((id) => running.has(id));
}
