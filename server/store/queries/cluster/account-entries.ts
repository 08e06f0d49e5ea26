import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";

/** So many entries are read at once at most. */
const mostEntries = 1000;

type Search<Entry, Row> = {
  queries: Queries;
  /** How many rows are wanted. */
  wanted: number;
  /** Key of the entry behind which the search begins. */
  after: readonly KeyValue[] | undefined;
  /** The next entries, in order, which one shard has. */
  entries(after: readonly KeyValue[] | undefined, limit: number): Fragment;
  keyOf(entry: Entry): readonly KeyValue[];
  /** The rows of entries, in their order: some entries may have none. */
  matching(entries: readonly Entry[], limit: number): Promise<Row[]>;
};

/** The first rows that entries lead to: one shard has the entries, others have their rows, so they cannot be joined. */
export async function readMatching<Entry, Row>({
  queries,
  wanted,
  entries,
  keyOf,
  matching,
  ...start
}: Search<Entry, Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let { after } = start;
  for (let limit = Math.min(wanted, mostEntries); rows.length < wanted; ) {
    const found = await queries.query<Entry>({ ...plannedOnce(entries(after, limit)), isInOrder: true });
    if (found.length > 0) rows.push(...(await matching(found, wanted - rows.length)));
    if (found.length < limit) break;
    after = keyOf(itemAt(found, -1));
    // Entries without a row may be many.
    limit = Math.min(2 * limit, mostEntries);
  }
  return rows;
}
