import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { readTransaction } from "../../server/methods/v3/present/transaction.js";
import { OffsetBookmarks } from "../../server/store/queries/offset-bookmarks.js";
import { listTransactions } from "../../server/store/queries/transactions.js";
import { keepText } from "../../server/store/row-bytes.js";
import { describeDatabases } from "../helpers/describe-databases.js";
import { naiveTransactions } from "../helpers/naive-lists.js";
import { queriesOf } from "../helpers/queries-of.js";
import { storeRows } from "../helpers/rows.js";
import { rawOf, sampleAccounts, sampleIndex } from "../helpers/sample-index.js";

const [a, b, c] = sampleAccounts;
const excluded = { account: [a!, b!], exclude_account: [b!] };

describeDatabases("Pages of accounts over several slots", (fresh) => {
  test("begin at any offset with the row that is there", async () => {
    const database = await fresh();
    await queriesOf(database).query(SQL`update index_meta set value = '10' where key = 'lt_grid'`);
    const sample = sampleIndex();
    // In parts, as the counts of slots add up.
    for (const parity of [0, 1])
      await storeRows(database, {
        transactions: sample.transactions.filter((_, i) => i % 2 === parity),
        messages: sample.messages.filter((_, i) => i % 2 === parity),
      });
    const [slots] = await queriesOf(database).query<{ n: bigint }>(SQL`select count(*) as n from slots`);
    expect(slots!.n).toBeGreaterThan(5n);
    const bounded = { account: [a!], start_lt: 15n, end_lt: 55n };
    for (const filter of [{ account: [a!] }, bounded, { account: [a!, c!] }, excluded])
      for (const sort of ["asc", "desc"] as const) {
        const all = naiveTransactions(sample, { ...filter, sort });
        for (let offset = 0; offset <= all.length; offset += 3) {
          const page = { limit: 4, offset, sort };
          const texts = await listTransactions(
            queriesOf(database),
            filter,
            page,
            new OffsetBookmarks(),
            keepText,
          );
          const found = texts.map(readTransaction).map(({ account, lt }) => `${account} ${lt}`);
          const wanted = all.slice(offset, offset + 4).map(({ account, lt }) => `${rawOf(account)} ${lt}`);
          expect(found).toEqual(wanted);
        }
      }
  });
});
