import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";

/** Notifies a channel once per text; listeners receive the texts in this order. */
export async function notifyEach(queries: Queries, channel: string, texts: readonly string[]): Promise<void> {
  await queries.query(SQL`select pg_notify(${channel}, piece) from unnest(${texts}::text[]) as said(piece)`);
}
