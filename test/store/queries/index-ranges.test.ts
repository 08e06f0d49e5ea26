import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { indexedEnds } from "../../../server/store/queries/blocks/blocks.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { ExplainedSql } from "../../helpers/store/explained-sql.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { blockRow, storeRows } from "../../helpers/store/rows.js";

const planned = 50_000;
const head = 1000 * planned + 1;

describePostgres("The ends of an index", (fresh) => {
  test("are found without a look at each of the ranges that are planned", async () => {
    const database = await fresh();
    await storeRows(database, { blocks: [head, head + 5].map((seqno) => blockRow({ seqno })) });
    const queries = queriesOf(database);
    await queries.query(SQL`
      insert into index_ranges (from_seqno, to_seqno, done_to, state)
      select n, n + 999, n - 1, 0 from generate_series(1, ${head - 1}::integer, 1000) n
      union all select ${head}, 2147483647, ${head + 5}, 1`);
    await queries.query(SQL`vacuum (analyze) index_ranges`);
    const sql = new ExplainedSql(queries);
    const explained = await sql.explain(() =>
      sql.transaction(
        async (snapshot) => {
          const ends = await indexedEnds(snapshot);
          expect([ends?.first.seqno, ends?.last.seqno]).toEqual([head, head + 5]);
        },
        { snapshot: true },
      ),
    );
    expect(explained.length).toBeGreaterThan(0);
    const buffers = explained.map(({ plan }) => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
    expect(Math.max(...buffers)).toBeLessThan(30);
  });
});
