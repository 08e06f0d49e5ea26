import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { withBodies } from "../../../server/present/v3/message.js";
import { readTransaction } from "../../../server/present/v3/transaction.js";
import type { Database } from "../../../server/store/database.js";
import { listMessages } from "../../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../../server/store/queries/slots/offset-bookmarks.js";
import { listTransactions } from "../../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../../server/store/sql/row-bytes.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { isLong, sized, variants } from "../../helpers/effort.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { type MessageListFilter, naiveMessages, naiveTransactions } from "../../helpers/store/naive-lists.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storeRows } from "../../helpers/store/rows.js";
import { rawOf, sampleAccounts, sampleIndex } from "../../helpers/store/sample-index.js";

const [a, b, c] = sampleAccounts;
const sample = sampleIndex();
const limit = 4;
/** Both in the long run, and in `npm test` one of them in turn. */
const sortsOf = (place: number) => (["asc", "desc"] as const).filter((_, at) => isLong || at === place % 2);
type Filter = Omit<MessageListFilter, "sort"> & { direction?: "in" | "out" };
const bounds = { start_lt: 15n, end_lt: 55n };

describeDatabases("Pages over several slots", (fresh) => {
  test("of transactions begin at any offset with the row that is there", async () => {
    const queries = queriesOf(await inSlots(fresh, 10));
    const excluded = { account: [a!, b!], exclude_account: [b!] };
    const ofAccounts = [{ account: [a!] }, { account: [a!], ...bounds }, { account: [a!, c!] }, excluded];
    const ofAll = [{}, bounds, { start_lt: 15n }, { lt: 20n }, { end_lt: 2n ** 64n - 1n }];
    for (const [place, filter] of [...ofAccounts, ...ofAll].entries())
      for (const sort of sortsOf(place)) {
        const all = naiveTransactions(sample, { ...filter, sort });
        for (let offset = 0; offset <= all.length; offset += sized(13, 3)) {
          const page = { limit, offset, sort };
          const texts = await listTransactions(queries, filter, page, new OffsetBookmarks(), keepText);
          const found = texts.map(readTransaction).map(({ account, lt }) => `${account} ${lt}`);
          const wanted = all.slice(offset, offset + limit);
          expect(found).toEqual(wanted.map(({ account, lt }) => `${rawOf(account)} ${lt}`));
        }
      }
  });

  // Narrow slots have messages whose other side is in another slot; an account has few of them in each.
  test.each(variants([10], [3]))(
    "of messages do too, with both of their sides: slots of %i lt",
    async (width) => {
      const queries = queriesOf(await inSlots(fresh, width));
      const ofAccount = [{ source: a! }, { destination: a! }, { source: b!, ...bounds }];
      const ofSide = (["in", "out"] as const).map((direction) => ({ destination: c!, direction }));
      const filters: Filter[] = [...ofAccount, ...ofSide, {}, bounds, { direction: "in" }];
      for (const [place, filter] of filters.entries())
        for (const sort of sortsOf(place)) {
          const all = naiveMessages(sample, { ...filter, sort });
          for (let offset = 0; offset <= all.length; offset += sized(31, 7)) {
            const page = { limit, offset, sort };
            const texts = await listMessages(queries, filter, page, new OffsetBookmarks(), keepText);
            const wanted = all.slice(offset, offset + limit);
            expect(texts.map(shownSides)).toEqual(wanted.map((row) => storedSides(row, filter.direction)));
          }
        }
    },
  );
});

async function inSlots(fresh: () => Promise<Database>, width: number): Promise<Database> {
  const database = await fresh();
  const queries = queriesOf(database);
  await queries.query(SQL`update index_meta set value = ${String(width)} where key = 'lt_grid'`);
  // In parts, as the counts of slots add up.
  for (const parity of [0, 1])
    await storeRows(database, {
      transactions: sample.transactions.filter((_, i) => i % 2 === parity),
      messages: sample.messages.filter((_, i) => i % 2 === parity),
    });
  const [slots] = await queries.query<{ n: bigint }>(SQL`select count(*) as n from slots`);
  expect(slots!.n).toBeGreaterThan(5n);
  return database;
}

type Sides = { hash: string; in_msg_tx_hash?: string; out_msg_tx_hash?: string };

function shownSides({ text }: { text: Uint8Array }): (string | undefined)[] {
  const { hash, in_msg_tx_hash, out_msg_tx_hash } = JSON.parse(withBodies(text)) as Sides;
  return [hash, in_msg_tx_hash, out_msg_tx_hash];
}

function storedSides({ msg_hash }: MessageRow, direction: "in" | "out" | undefined): (string | undefined)[] {
  const hash = bytesToBase64(msg_hash);
  const [received, sent] = [0, 1].map((code) =>
    sample.messages.find((row) => bytesToBase64(row.msg_hash) === hash && row.direction === code),
  );
  return [
    hash,
    received && direction !== "out" ? bytesToBase64(received.tx_hash) : undefined,
    sent && direction !== "in" ? bytesToBase64(sent.tx_hash) : undefined,
  ];
}
