import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Queries } from "../../server/store/database.js";
import { listMessages } from "../../server/store/queries/messages.js";
import { OffsetBookmarks } from "../../server/store/queries/offset-bookmarks.js";
import { listTransactions } from "../../server/store/queries/transactions.js";
import { describePostgres } from "../helpers/describe-databases.js";
import { storeRows } from "../helpers/rows.js";
import { sampleIndex } from "../helpers/sample-index.js";

/** After so many plans for given values the server may choose one for all. */
const trials = 5;
const page = { limit: 1, offset: 0, sort: "desc" } as const;

const lists: [string, (queries: Queries) => Promise<unknown>][] = [
  ["transactions", (queries) => listTransactions(queries, {}, page, new OffsetBookmarks())],
  ["messages", (queries) => listMessages(queries, {}, page, new OffsetBookmarks())],
];

describePostgres("What the keys of a page name", (fresh) => {
  test.each(lists)("is read by a plan that serves every page: %s", async (_, list) => {
    const database = await fresh();
    await storeRows(database, sampleIndex());
    const queries = database.sql({ connections: 1 });
    for (let i = 0; i <= trials; i++) expect(await list(queries)).toHaveLength(1);
    const plans = await queries.query(SQL`
      select custom_plans, generic_plans from pg_prepared_statements where statement like '%with ordinality%'
        and statement not like '%pg_prepared_statements%'`);
    expect(plans).toEqual([{ custom_plans: BigInt(trials), generic_plans: 1n }]);
  });
});
