import SQL, { raw } from "sql-template-tag";
import type { IndexVersion, Queries } from "../database.js";
import { readIndexVersion } from "../queries/upkeep/index-version.js";
import { oneRow } from "../sql/one-row.js";
import { dividedTogether } from "./divided-tables.js";

/** The version that all nodes of a divided index have: each shard is asked for the copy beside it. */
export async function leastVersion(queries: Queries): Promise<number> {
  // Citus would send results of subqueries to all nodes.
  const found = await Promise.all(
    dividedTogether.map(({ marks }) =>
      oneRow<{ n: number }>(
        queries,
        SQL`select min(v.n)::float8 as n from ${raw(marks)} cross join index_version v`,
      ),
    ),
  );
  return Math.min(...found.map(({ n }) => n));
}

/** The version that readers see: of a divided index that of all nodes, each of which answers, and of this server if it is a standby of one. */
export async function readSeenVersion(queries: Queries): Promise<IndexVersion & { id: string }> {
  if (!(await queries.isDivided())) return readIndexVersion(queries);
  const [version, n] = await Promise.all([readIndexVersion(queries), leastVersion(queries)]);
  return { ...version, n: Math.min(version.n, n) };
}
