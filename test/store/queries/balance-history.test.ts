import SQL from "sql-template-tag";
import { expect, it } from "vitest";
import { balanceAt, readBalances } from "../../../server/store/queries/accounts/balance-history.js";
import { readSteps } from "../../../server/store/queries/tokens/jetton-steps.js";
import type { TimeBounds } from "../../../server/store/sql/where.js";
import { accountStateRow } from "../../../server/store/tables/accounts.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { sized } from "../../helpers/effort.js";
import type { Content } from "../../helpers/store/databases.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import {
  accountOf,
  blockRow,
  bytesOf,
  hashOf,
  messageRow,
  storeRows,
  transactionRow,
} from "../../helpers/store/rows.js";

const account = bytesOf(accountOf("a"));
const other = bytesOf(accountOf("b"));
const [slotWidth, blockWidth, count, day] = [100, 15, 150, 86_400];
const body = hashOf("body of a message");

/** Every third lt has a transaction of the account, in blocks that cross the borders of slots; some days have none. */
const transactions = Array.from({ length: count }, (_, i): TransactionRow => {
  const lt = 3 * i + 1;
  const seqno = Math.floor(lt / blockWidth) + 1;
  return transactionRow({
    account: i % 40 === 39 ? other : account,
    lt: BigInt(lt),
    prev_trans_lt: BigInt(Math.max(lt - 3, 0)),
    now: BigInt(1000 * day + Math.floor(seqno * 0.4) * day + seqno) as never,
    block_seqno: seqno,
    mc_block_seqno: seqno,
    orig_status: i === 0 ? 0 : 3,
    account_state_hash_before: hashOf(`state ${i - 1}`),
    account_state_hash_after: hashOf(`state ${i}`),
  });
});
const own = transactions.filter((each) => each.account === account).reverse();
const isLastOfBlock = (each: TransactionRow) =>
  own.find(({ block_seqno }) => block_seqno === each.block_seqno) === each;
const balanceOf = ({ lt }: TransactionRow) => 1_000_000n + ((lt * 7919n) % 1009n);

const rows = {
  transactions: transactions.map((each) => ({ ...each, now: Number(each.now) as never })),
  blocks: Array.from({ length: 32 }, (_, i) =>
    blockRow({
      workchain: 0,
      seqno: i + 1,
      start_lt: BigInt(i * blockWidth),
      end_lt: BigInt((i + 1) * blockWidth),
    }),
  ),
  messages: transactions.map((each, i) =>
    messageRow({
      tx_hash: each.hash,
      tx_lt: each.lt,
      msg_hash: hashOf(`message ${i}`),
      direction: 0,
      body_hash: body,
      bounced: i % 2 === 0,
      destination: each.account,
      created_lt: each.lt,
    }),
  ),
  messageContents: [{ hash: body, body: new Uint8Array([1, 2]) }],
  accountStates: own.filter(isLastOfBlock).map((each) =>
    accountStateRow({
      account,
      lt: each.lt,
      hash: each.account_state_hash_after,
      balance: balanceOf(each),
      balance_extra_currencies: undefined,
      account_status: 3,
      frozen_hash: undefined,
      data_hash: hashOf(`data ${each.lt % 2n}`),
      code_hash: undefined,
    }),
  ),
};

const content: Content = {
  name: "balance-history",
  async fill(database) {
    await queriesOf(database).query(
      SQL`update index_meta set value = ${String(slotWidth)} where key = 'lt_grid'`,
    );
    await storeRows(database, rows);
  },
};

/** By looking at all transactions. */
function naive(
  interval: "block" | "day",
  { start_lt, end_lt, start_utime, end_utime }: TimeBounds,
): string[] {
  const within = own.filter(
    ({ lt, now }) =>
      lt >= (start_lt ?? 0n) &&
      lt <= (end_lt ?? 10_000n) &&
      Number(now) >= (start_utime ?? 0) &&
      Number(now) <= (end_utime ?? 2 ** 32),
  );
  const periods = new Map<number, string>();
  for (const each of within.filter(isLastOfBlock)) {
    const period = interval === "day" ? Math.floor(Number(each.now) / day) : each.block_seqno;
    if (!periods.has(period)) periods.set(period, `${each.lt} ${balanceOf(each)}`);
  }
  return [...periods.values()];
}

const timeAt = (place: number) => Number(itemAt(own, place).now);
const windows: TimeBounds[] = [
  {},
  { start_lt: 100n },
  { end_lt: 300n },
  { end_lt: 1n },
  { start_lt: 111n, end_lt: 290n },
  { start_lt: 5_000n },
  { start_utime: timeAt(75) },
  { end_utime: timeAt(45) },
  { start_utime: timeAt(100), end_utime: timeAt(30) },
  { start_utime: timeAt(130) + 1, end_lt: 400n },
  { end_utime: 5 },
];
/** In `npm test`: all, one by lt, and one by time. */
const someWindows = windows.filter((_, place) => place % sized(4, 1) === 0);

describeDatabases(
  "Balance history",
  (fresh) => {
    it("has the last balance of each block and day, whatever the window and the page", async () => {
      const queries = queriesOf(await fresh());
      for (const interval of ["block", "day"] as const)
        for (const bounds of someWindows) {
          const expected = naive(interval, bounds);
          for (const limit of [2, 1000]) {
            const found = await readBalances(queries, account, { ...bounds, interval, rows: limit });
            const shown = found.map(({ lt, balance }) => `${lt} ${balance}`);
            expect({ interval, bounds, limit, shown }).toEqual({
              ...{ interval, bounds, limit },
              shown: expected.slice(0, limit),
            });
          }
        }
    });

    it("has the balance at any time that is not inside of a block", async () => {
      const queries = queriesOf(await fresh());
      for (const each of own.filter((_, at) => at % 7 === 0))
        expect([each.lt, await balanceAt(queries, account, { end_lt: each.lt })]).toEqual([
          each.lt,
          isLastOfBlock(each) ? balanceOf(each) : undefined,
        ]);
      expect(await balanceAt(queries, account, {})).toBe(balanceOf(itemAt(own, 0)));
      expect(await balanceAt(queries, account, { end_lt: 0n })).toBe(0n);
      expect(await balanceAt(queries, account, { end_utime: 5 })).toBe(0n);
      expect(await balanceAt(queries, bytesOf(accountOf("c")), { end_utime: 5 })).toBe(0n);
      expect(await balanceAt(queries, other, { end_utime: 5 })).toBeUndefined();
    });

    it("reads the transactions of a wallet with their messages, and whether its data may have changed", async () => {
      const queries = queriesOf(await fresh());
      for (const bounds of someWindows) {
        const expected = own.filter(
          ({ lt, now }) =>
            lt >= (bounds.start_lt ?? 0n) &&
            lt <= (bounds.end_lt ?? 10_000n) &&
            Number(now) >= (bounds.start_utime ?? 0) &&
            Number(now) <= (bounds.end_utime ?? 2 ** 32),
        );
        const steps = await readSteps(queries, account, { ...bounds, rows: 1000 });
        expect(steps.map(({ lt }) => lt)).toEqual(expected.map(({ lt }) => lt));
        expect(await readSteps(queries, account, { ...bounds, rows: 40 })).toEqual(steps.slice(0, 40));
        for (const { body: found, bounced, lt, is_first, may_change } of steps) {
          expect([...found!]).toEqual([1, 2]);
          expect([bounced, is_first, may_change]).toEqual([(lt - 1n) % 2n === 0n, lt === 1n, true]);
        }
      }
    });
  },
  content,
);
