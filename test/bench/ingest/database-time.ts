import SQL from "sql-template-tag";
import type { Database, Queries, Sql } from "../../../server/store/database.js";
import { processorMicros } from "../../helpers/services/processes.js";

/** Waits for the database: reads outside of the transaction, its statements and rows, and its commit. */
export const databaseWaits = ["read", "store", "commit"] as const;

/** Microseconds that were waited for a database. */
type DatabaseTimes = Record<(typeof databaseWaits)[number], number>;

export function noTimes(): DatabaseTimes {
  return { read: 0, store: 0, commit: 0 };
}

/** A database that adds the time of its answers to `times`. */
export function timedDatabase(database: Database, times: DatabaseTimes): Database {
  return { ...database, sql: (options) => timedSql(database.sql(options), times) };
}

function timedSql(store: Sql, times: DatabaseTimes): Sql {
  return {
    query: (statement, options) => timed(times, "read", () => store.query(statement, options)),
    isDivided: () => store.isDivided(),
    async transaction(work, options) {
      let worked = 0;
      const result = await store.transaction(async (transaction) => {
        const done = await work({
          query: (statement) => timed(times, "store", () => transaction.query(statement)),
          script: (script) => timed(times, "store", () => transaction.script(script)),
          copyOut: (source) => timed(times, "read", () => transaction.copyOut(source)),
          isDivided: () => transaction.isDivided(),
          write: (steps) => timed(times, "store", () => transaction.write(steps)),
        });
        worked = performance.now();
        return done;
      }, options);
      times.commit += (performance.now() - worked) * 1000;
      return result;
    },
  };
}

async function timed<T>(times: DatabaseTimes, kind: keyof DatabaseTimes, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    times[kind] += (performance.now() - start) * 1000;
  }
}

/** Processor time of the server's processes for this database in microseconds; `undefined` if they run elsewhere. */
export async function processorMicrosOf(queries: Queries): Promise<number | undefined> {
  const rows = await queries.query<{ pid: number }>(
    SQL`select pid from pg_stat_activity where datname = current_database()`,
  );
  try {
    return rows.reduce((sum, { pid }) => sum + processorMicros(pid), 0);
  } catch {
    return undefined;
  }
}
