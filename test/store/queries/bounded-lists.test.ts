import SQL from "sql-template-tag";
import { describe, expect, test } from "vitest";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { pagesByCursor } from "../../helpers/http/by-cursor.js";
import { indexOfSuite } from "../../helpers/http/index-of-suite.js";
import { databaseKinds } from "../../helpers/store/databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import {
  accountOf,
  bytesOf,
  hashOf,
  messageRow,
  storeRows,
  transactionRow,
} from "../../helpers/store/rows.js";

const [busy, other, idle] = [accountOf("a"), accountOf("b"), accountOf("c")];
const total = 1000;
const rare = hashOf("rare body");
/** Three of the thousand transactions of the busy account sent the rare body; the idle one has one after each of them. */
const withRare = [3, 500, 998];

const rows = Array.from({ length: total }, (_, i) => {
  const hash = hashOf(`transaction ${i}`);
  const lt = BigInt(10 * i + 10);
  const body_hash = withRare.includes(i) ? rare : hashOf("common body");
  const message = {
    source: bytesOf(busy),
    destination: bytesOf(other),
    created_lt: lt + 1n,
    created_at: 100 + i,
  };
  return {
    transaction: transactionRow({ account: bytesOf(busy), lt, hash, now: 100 + i }),
    message: messageRow({
      ...{ tx_hash: hash, tx_lt: lt, msg_hash: hashOf(`message ${i}`), direction: 1, is_first: true },
      ...{ ...message, body_hash, opcode: 7 },
    }),
  };
});

const idleOnes = withRare.map((i) =>
  transactionRow({
    ...{ account: bytesOf(idle), lt: BigInt(10 * i + 15), now: 100 + i },
    hash: hashOf(`idle transaction ${i}`),
  }),
);
const transactions = rows.flatMap(({ transaction }, i) => [
  transaction,
  ...idleOnes.filter((_, at) => withRare[at] === i),
]);
const messages = rows.map(({ message }) => message);

/** Whether an lt is one of so many rows of the busy account, or between them. */
const isWithin = (lt: bigint, from: number, count: number) =>
  lt >= 10 * from + 10 && lt < 10 * (from + count) + 10;

const body = encodeURIComponent(bytesToBase64(rare));
/** Lists of the three, and where their lt are in those of the busy account. */
const ofBody = [
  ["transactions", `account=${busy.toRaw()}&body_hash=${body}`, 10],
  ["transactions", `account=${busy.toRaw()}&body_hash=${body}&start_utime=1`, 10],
  ["messages", `source=${busy.toRaw()}&body_hash=${body}`, 11],
  ["messages", `source=${busy.toRaw()}&body_hash=${body}&sort=asc`, 11],
] as const;
const ofIdle = ["", "&sort=asc", "&start_utime=1", "&start_utime=1&sort=asc"].map(
  (more) => ["transactions", `exclude_account=${busy.toRaw()}${more}`, 15] as const,
);

/**
 * In one slot, in three of which none has all that is looked at, and in more than are searched for a page. Those that are
 * written at once have the same bounds of times.
 */
const layouts = [
  ["one slot", 20_000, total],
  ["three slots", 4_000, total],
  ["a hundred slots", 100, 50],
  ["a hundred slots of the same times", 100, total],
] as const;
const kinds = databaseKinds.flatMap(([name, open]) =>
  layouts.map((layout) => [name, ...layout, open] as const),
);

describe.each(kinds)(
  "a list by filters that no index has together, on %s in %s",
  (_, name, width, atOnce, open) => {
    const suite = indexOfSuite(open, async (database) => {
      await queriesOf(database).query(
        SQL`update index_meta set value = ${String(width)} where key = 'lt_grid'`,
      );
      for (let from = 0; from < total; from += atOnce)
        await storeRows(database, {
          transactions: transactions.filter(({ lt }) => isWithin(lt, from, atOnce)),
          messages: messages.filter(({ tx_lt }) => isWithin(tx_lt, from, atOnce)),
        });
    });
    /** Whether a list by times has all slots at once. */
    const isOfOneTime = (filters: string) => name.endsWith("same times") && filters.includes("utime");
    // Directories of slots leave out those without the body, of which narrow ones are enough.
    const lists = width < 1000 ? ofIdle : [...ofBody, ...ofIdle];

    test("has all rows if most match, by cursor and by offset", async () => {
      const filters = `exclude_account=${other.toRaw()}&sort=asc&limit=310`;
      const byCursor: string[] = [];
      const pages = pagesByCursor<{ transactions: { lt: string }[] }>(
        suite.app,
        "transactions",
        new URLSearchParams(filters),
      );
      for await (const page of pages) byCursor.push(...page.transactions.map(({ lt }) => lt));
      const all = transactions.map(({ lt }) => String(lt));
      expect(byCursor).toEqual(all);
      const path = `transactions?${filters}&offset=310`;
      const second = await suite.app.result<{ transactions: { lt: string }[] }>(path);
      expect(second.transactions.map(({ lt }) => lt)).toEqual(all.slice(310, 620));
    });

    test.each(lists)(
      "is read by cursor in short pages to its end: %s by %s",
      async (list, filters, behind) => {
        const pages: { length: number }[] = [];
        const found: string[] = [];
        for await (const page of pagesByCursor<Record<string, { lt?: string; created_lt?: string }[]>>(
          suite.app,
          list,
          new URLSearchParams(`${filters}&limit=2`),
        )) {
          pages.push(page[list]!);
          found.push(...page[list]!.map(({ lt, created_lt }) => lt ?? created_lt!));
        }
        const lts = withRare.map((i) => String(10 * i + behind));
        expect(found).toEqual(filters.includes("asc") ? lts : lts.toReversed());
        if (!isOfOneTime(filters)) expect(pages.length).toBeGreaterThan(3);
      },
    );

    test.each(lists.filter(([, filters]) => !isOfOneTime(filters)))(
      "is refused without a cursor unless the page is found soon: %s by %s",
      async (list, filters) => {
        const [status, answer] = await suite.app.get<{ error: string }>(`${list}?${filters}&limit=2`);
        expect([status, answer.error]).toEqual([
          422,
          expect.stringContaining("read the list with cursor=start"),
        ]);
        const [first] = await suite.app.get(`${list}?${filters}&limit=1`);
        expect(first).toBe(200);
      },
    );
  },
);
