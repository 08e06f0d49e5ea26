import type { Queries } from "../database.js";

/** The row of a statement that always gives one. */
export async function oneRow<Row extends object>(
  queries: Queries,
  statement: Parameters<Queries["query"]>[0],
): Promise<Row> {
  const [row] = await queries.query<Row>(statement);
  if (row === undefined) throw new TypeError("a statement gave no row");
  return row;
}
