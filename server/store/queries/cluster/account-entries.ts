import type { Queries } from "../../database.js";
import type { KeysInOrder } from "../slots/offset-bookmarks.js";

/** So many entries are read at once at most. */
const mostEntries = 1000;

type Search<Entry extends object, Row> = {
  queries: Queries;
  /** How many rows are wanted. */
  wanted: number;
  /** The entries, which one shard has. */
  list: KeysInOrder<Entry>;
  /** The entry behind which the search begins. */
  after?: Entry | undefined;
  /** The rows of entries, in their order: some entries may have none. */
  matching(entries: readonly Entry[], limit: number): Promise<Row[]>;
};

/** The first rows that entries lead to: one shard has the entries, others have their rows, so they cannot be joined. */
export async function readMatching<Entry extends object, Row>({
  queries,
  wanted,
  list,
  matching,
  ...start
}: Search<Entry, Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let { after } = start;
  for (let limit = Math.min(wanted, mostEntries); rows.length < wanted; ) {
    const found = await queries.query<Entry>(list.keys({ limit, offset: 0 }, after));
    if (found.length > 0) rows.push(...(await matching(found, wanted - rows.length)));
    if (found.length < limit) break;
    after = found.at(-1);
    // Entries without a row may be many.
    limit = Math.min(2 * limit, mostEntries);
  }
  return rows;
}
