import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Queries } from "../../server/store/database.js";
import { listMessages } from "../../server/store/queries/messages.js";
import { OffsetBookmarks } from "../../server/store/queries/offset-bookmarks.js";
import { listTransactions } from "../../server/store/queries/transactions.js";
import { keepText } from "../../server/store/row-bytes.js";
import { describePostgres } from "../helpers/describe-databases.js";
import { storeRows } from "../helpers/rows.js";
import { sampleIndex } from "../helpers/sample-index.js";

/** After so many plans for given values a server may choose one for all by itself. */
const trials = 6;
const page = { limit: 1, offset: 0, sort: "desc" } as const;

const lists: [string, (queries: Queries) => Promise<unknown>][] = [
  ["transactions", (queries) => listTransactions(queries, {}, page, new OffsetBookmarks(), keepText)],
  ["messages", (queries) => listMessages(queries, {}, page, new OffsetBookmarks(), keepText)],
];

describePostgres("Answers", (fresh) => {
  test.each(lists)(
    "are searched by plans for their values, and read by one that serves all: %s",
    async (_, list) => {
      const database = await fresh();
      await storeRows(database, sampleIndex());
      const queries = database.sql({ connections: 1 });
      for (let i = 0; i < trials; i++)
        expect(await queries.transaction((snapshot) => list(snapshot), { snapshot: true })).toHaveLength(1);
      const plans = await queries.query<{ isSearch: boolean; custom: bigint; generic: bigint }>(SQL`
      select statement not like '%with ordinality%' as "isSearch", custom_plans as custom, generic_plans as generic
      from pg_prepared_statements where statement not like '%pg_prepared_statements%'`);
      const all = BigInt(trials);
      // Statements without values have no other plan than a generic one.
      for (const { isSearch, custom, generic } of plans)
        expect(isSearch && custom === 0n ? all : isSearch ? custom : generic).toBe(all);
      expect(plans.some(({ isSearch, custom }) => isSearch && custom === all)).toBe(true);
      expect(plans.some(({ isSearch }) => !isSearch)).toBe(true);
    },
  );
});
