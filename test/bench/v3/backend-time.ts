import { readFileSync } from "node:fs";
import type pg from "pg";

/** What the names of the service's connections begin with: the tag of their process follows. */
export const oursName = "tonwire";

/**
 * Processor time of the server's processes for connections to the same database whose names begin with this, by the kernel's
 * count.
 */
export async function backendNanos(watch: pg.Client, prefix: string): Promise<number> {
  const { rows } = await watch.query<{ pid: number }>({
    name: "processes",
    text: "select pid from pg_stat_activity where starts_with(application_name, $1) and datname = current_database()",
    values: [prefix],
  });
  return rows.reduce(
    (sum, { pid }) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]),
    0,
  );
}
