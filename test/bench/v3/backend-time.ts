import { readFileSync } from "node:fs";
import type pg from "pg";

/** As connections of the service call themselves. */
export const oursName = "tonwire";

/** Processor time of the server's processes with this name for connections to the same database, by the kernel's count. */
export async function backendNanos(watch: pg.Client, name: string): Promise<number> {
  const { rows } = await watch.query<{ pid: number }>({
    name: "processes",
    text: "select pid from pg_stat_activity where application_name = $1 and datname = current_database()",
    values: [name],
  });
  return rows.reduce(
    (sum, { pid }) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]),
    0,
  );
}
