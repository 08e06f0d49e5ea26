import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../database.js";
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
