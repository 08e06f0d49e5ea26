import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Queries } from "../../../server/store/database.js";
import { listMessages } from "../../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../../server/store/queries/slots/offset-bookmarks.js";
import { listTransactions } from "../../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../../server/store/row-bytes.js";
import type { TimeBounds } from "../../../server/store/where.js";
import type { Content } from "../../helpers/store/databases.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { storeRows } from "../../helpers/store/rows.js";
import { sampleIndex } from "../../helpers/store/sample-index.js";

/** After so many plans for given values a server may choose one for all by itself. */
const trials = 6;
const page = { limit: 1, offset: 0, sort: "desc" } as const;

const bookmarks = new OffsetBookmarks();
type List = [name: string, byTime: boolean, read: (queries: Queries, filter: TimeBounds) => Promise<unknown>];

const lists: List[] = [false, true].flatMap((byTime): List[] => [
  ["transactions", byTime, (queries, filter) => listTransactions(queries, filter, page, bookmarks, keepText)],
  ["messages", byTime, (queries, filter) => listMessages(queries, filter, page, bookmarks, keepText)],
]);

const sample: Content = {
  name: "sample-index",
  fill: (database) => storeRows(database, sampleIndex()),
};

describePostgres("Answers", (fresh) => {
  test.each(lists)(
    "are read by plans that serve all values, after a search by plans for its values if by time: %s, %s",
    async (_, byTime, list) => {
      const database = await fresh(sample);
      const queries = database.sql({ connections: 1 });
      for (let i = 0; i < trials; i++)
        expect(
          await queries.transaction((snapshot) => list(snapshot, byTime ? { start_utime: 1 } : {}), {
            snapshot: true,
          }),
        ).toHaveLength(1);
      const plans = await queries.query<{ isRead: boolean; custom: bigint; generic: bigint }>(SQL`
        select statement like '%with ordinality%' or statement like '%is_found%' as "isRead", custom_plans as custom, generic_plans as generic
        from pg_prepared_statements
        where (statement like '%limit $%' or statement like '%with ordinality%')
          and statement not like '%pg_prepared_statements%'`);
      const all = BigInt(trials);
      const once = { custom: 0n, generic: all };
      expect(plans.find(({ isRead }) => isRead)).toMatchObject(once);
      expect(plans.filter(({ isRead }) => !isRead)).toMatchObject(
        byTime ? [{ custom: all, generic: 0n }] : [],
      );
    },
  );
});
