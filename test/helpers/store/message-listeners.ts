import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { queriesOf } from "./queries-of.js";

/** Processes of the database's server whose clients listen for messages that the chain has taken. */
export async function messageListeners(database: Database): Promise<number[]> {
  const rows = await queriesOf(database).query<{ pid: number }>(SQL`
    select pid from pg_stat_activity
    where datname = current_database() and query = 'listen tonwire_sent' and state = 'idle'`);
  return rows.map(({ pid }) => pid);
}
