import fc from "fast-check";
import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withBodies } from "../../server/present/v3/message.js";
import { readTransaction } from "../../server/present/v3/transaction.js";
import type { Queries, Sql } from "../../server/store/database.js";
import { listBlocks } from "../../server/store/queries/blocks/block-list.js";
import { listMessages } from "../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../server/store/queries/slots/offset-bookmarks.js";
import { listTransactions } from "../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../server/store/sql/row-bytes.js";
import type { BlockRow } from "../../server/store/tables/blocks.js";
import type { MessageRow } from "../../server/store/tables/messages.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { sized } from "../helpers/effort.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { naiveMessages, naiveTransactions } from "../helpers/store/naive-lists.js";
import { blockRow, hashOf, messageRow, storeRows, wholeShard } from "../helpers/store/rows.js";
import { rawOf, sampleAccounts, sampleIndex, sampleOpcodes } from "../helpers/store/sample-index.js";

const [a, b] = sampleAccounts;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

type Stored = { transactions: TransactionRow[]; messages: MessageRow[]; blocks: BlockRow[] };
type Page = { limit: number; offset: number; sort: "asc" | "desc" };
/** A list query, and the expected list computed from every row. */
type List = {
  ask(queries: Queries, page: Page, bookmarks: OffsetBookmarks): Promise<string[]>;
  naive(stored: Stored, sort: Page["sort"]): string[];
};

const transactionLists: List[] = [
  {},
  { account: [a!] },
  { account: [a!, b!] },
  { exclude_account: [a!] },
  { account: [a!], start_utime: 105 },
  { end_utime: 125 },
  { start_lt: 5n, end_lt: 55n },
  { opcode: sampleOpcodes[2]! },
].map((filter) => ({
  ask: async (queries, page, bookmarks) =>
    (await listTransactions(queries, filter, page, bookmarks, keepText))
      .map(readTransaction)
      .map(({ account, lt }) => `${account} ${lt}`),
  naive: (stored, sort) =>
    naiveTransactions(stored, { ...filter, sort }).map(({ account, lt }) => `${rawOf(account)} ${lt}`),
}));

const messageLists: List[] = [
  {},
  { source: a! },
  { destination: b! },
  { opcode: 0, direction: "in" as const },
  { direction: "out" as const },
  { start_utime: 105 },
  { start_lt: 5n },
  { exclude_externals: true },
].map((filter) => ({
  ask: async (queries, page, bookmarks) =>
    (await listMessages(queries, filter, page, bookmarks, keepText)).map(
      ({ text }) => JSON.parse(withBodies(text)).hash,
    ),
  naive: (stored, sort) => naiveMessages(stored, { ...filter, sort }).map(({ msg_hash }) => base64(msg_hash)),
}));

const blockList: List = {
  ask: async (queries, page, bookmarks) =>
    (await listBlocks(queries, {}, page, bookmarks)).map(({ root_hash }) => root_hash),
  naive: ({ blocks }, sort) => {
    const inOrder = [...blocks].sort(
      (x, y) =>
        x.gen_utime - y.gen_utime ||
        y.workchain - x.workchain ||
        Number(x.shard - y.shard) ||
        x.seqno - y.seqno,
    );
    return (sort === "asc" ? inOrder : inOrder.reverse()).map(({ root_hash }) => base64(root_hash));
  },
};

const lists = [...transactionLists, ...messageLists, blockList];

const listNumber = fc.nat(lists.length - 1);

const firstOfHead = 3;
const lastSeqno = 6;

/** An index that follows a chain from its third block, and backfills the blocks below. */
class ChangingIndex {
  stored: Stored = { transactions: [], messages: [], blocks: [] };
  readonly #sql: Sql;
  #head = firstOfHead - 1;
  #below = 0;
  /** Number of reverts: after each, the chain has other blocks. */
  #lives = 0;

  private constructor(database: Sql) {
    this.#sql = database;
  }

  static async open(database: Sql): Promise<ChangingIndex> {
    const index = new ChangingIndex(database);
    await database.transaction((transaction) =>
      transaction.script(`
        truncate blocks, transactions, messages, index_ranges;
        insert into index_ranges (from_seqno, to_seqno, done_to, state)
        values (1, ${firstOfHead - 1}, 0, 1), (${firstOfHead}, 2147483647, ${firstOfHead - 1}, 1)`),
    );
    await index.grow();
    return index;
  }

  async grow(): Promise<void> {
    if (this.#head === lastSeqno) return;
    await this.#store(++this.#head);
    await this.#note(this.#head, firstOfHead);
  }

  async backfill(): Promise<void> {
    if (this.#below === firstOfHead - 1) return;
    await this.#store(++this.#below);
    await this.#note(this.#below, 1);
  }

  async goBack(): Promise<void> {
    if (this.#head === firstOfHead) return;
    this.#head--;
    this.#lives++;
    const { transactions, messages, blocks } = this.stored;
    const head = this.#head;
    this.stored = {
      transactions: transactions.filter((row) => row.mc_block_seqno <= head),
      messages: messages.filter((row) => row.mc_seqno <= head),
      blocks: blocks.filter((row) => row.mc_block_seqno <= head),
    };
    await this.#sql.query(SQL`delete from transactions where mc_block_seqno > ${head}`);
    await this.#sql.query(SQL`delete from messages where mc_seqno > ${head}`);
    await this.#sql.query(SQL`delete from blocks where mc_block_seqno > ${head}`);
    await this.#note(head, firstOfHead);
  }

  async #store(seqno: number): Promise<void> {
    const rows = rowsOf(seqno, this.#lives);
    await this.#joinTraces(rows);
    this.stored = {
      transactions: [...this.stored.transactions, ...rows.transactions],
      messages: [...this.stored.messages, ...rows.messages],
      blocks: [...this.stored.blocks, ...rows.blocks],
    };
    await storeRows({ sql: () => this.#sql }, rows);
  }

  /** A receiver begins a trace unless the message's sender is here; when the sender comes, the traces are joined. */
  async #joinTraces(rows: Stored): Promise<void> {
    const stored = [...this.stored.messages, ...rows.messages];
    const sent = new Set(stored.filter((row) => row.direction === 1).map((row) => base64(row.msg_hash)));
    for (const row of rows.messages)
      if (row.direction === 0 && !sent.has(base64(row.msg_hash))) row.is_first = true;
    for (const { direction, msg_hash } of rows.messages)
      if (direction === 1)
        await this.#sql.query(SQL`
          update messages set is_first = false where msg_hash = ${msg_hash} and direction = 0`);
  }

  #note(doneTo: number, from: number): Promise<object[]> {
    const note = SQL`update index_ranges set done_to = ${doneTo} where from_seqno = ${from}`;
    return this.#sql.query(note);
  }
}

const sample = sampleIndex();
const seqnoOf = new Map(sample.transactions.map((row) => [base64(row.hash), row.mc_block_seqno]));

/** Rows of a masterchain block. After every odd revert a third of them is missing. */
function rowsOf(seqno: number, life: number): Stored {
  const happens = (hash: Uint8Array) => life % 2 === 0 || hash[0]! % 3 > 0;
  const root_hash = hashOf(`root ${seqno} ${life}`);
  const span = { seqno, start_lt: 10n * BigInt(seqno - 1), gen_utime: 100 + seqno };
  return {
    transactions: sample.transactions.filter((row) => row.mc_block_seqno === seqno && happens(row.hash)),
    messages: sample.messages
      .filter((row) => seqnoOf.get(base64(row.tx_hash)) === seqno && happens(row.tx_hash))
      .map((row) => ({ ...row, mc_seqno: seqno })),
    blocks: [
      blockRow({ ...span, root_hash }),
      ...[wholeShard, 2n ** 62n].map((shard) =>
        blockRow({ ...span, workchain: 0, shard, mc_block_seqno: seqno }),
      ),
    ],
  };
}

type Step = "grow" | "backfill" | "goBack" | { list: number; page: Page; pages: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("grow" as const, "backfill" as const, "goBack" as const) },
    {
      weight: 7,
      arbitrary: fc.record({
        list: listNumber,
        pages: fc.integer({ min: 1, max: 4 }),
        page: fc.record({
          limit: fc.integer({ min: 1, max: 15 }),
          offset: fc.integer({ min: 0, max: 120 }),
          sort: fc.constantFrom("asc" as const, "desc" as const),
        }),
      }),
    },
  ),
  { minLength: 8, maxLength: 24 },
);

describe.each(databaseKinds)("pages on %s", (_, open) => {
  let fresh: FreshDatabase;
  let database: Sql;
  beforeAll(async () => {
    fresh = await open();
    database = fresh.database.sql();
  });
  afterAll(() => fresh.close());

  it("equal those counted from the top, after any reads and writes", async () => {
    await fc.assert(
      fc.asyncProperty(steps, listNumber, async (plan, favourite) => {
        const index = await ChangingIndex.open(database);
        const bookmarks = new OffsetBookmarks({ fromOffset: 0 });
        for (const step of plan) {
          if (typeof step === "string") await index[step]();
          else {
            // Half of all pages are of one list, so that it gets many bookmarks.
            const list = lists[step.page.limit % 2 === 0 ? favourite : step.list]!;
            const sort = step.page.limit % 4 < 3 ? "desc" : step.page.sort;
            for (let i = 0; i < step.pages; i++) {
              const offset = step.page.offset + i * step.page.limit;
              const page = { ...step.page, offset, sort } as const;
              const wanted = list.naive(index.stored, sort).slice(offset, offset + page.limit);
              expect(await ask(list, page, bookmarks)).toEqual(wanted);
            }
          }
        }
      }),
      { numRuns: sized(10, 40) },
    );
  });

  function ask(list: List, page: Page, bookmarks: OffsetBookmarks): Promise<string[]> {
    return database.transaction((queries) => list.ask(queries, page, bookmarks), { snapshot: true });
  }

  it("are counted anew after ranges are joined, as a message between them is listed once then", async () => {
    const index = await ChangingIndex.open(database);
    const bookmarks = new OffsetBookmarks({ fromOffset: 0 });
    await index.backfill();
    const between = {
      msg_hash: hashOf("between"),
      body_hash: hashOf("body"),
      created_lt: 1_000n,
      created_at: 1,
    };
    const [out, own] = [hashOf("sender"), hashOf("receiver")];
    const sent = { ...between, tx_hash: out, tx_lt: 1_000n, direction: 1, mc_seqno: 1, is_first: true };
    const received = { ...between, tx_hash: own, tx_lt: 1_001n, direction: 0, mc_seqno: 3, is_first: true };
    await storeRows({ sql: () => database }, { messages: [sent, received].map(messageRow) });
    const list = messageLists[0]!;
    const page = { limit: 3, offset: 0, sort: "desc" } as const;
    expect((await ask(list, page, bookmarks)).slice(0, 2)).toEqual(Array(2).fill(base64(between.msg_hash)));
    await database.query(SQL`update messages set is_first = false where tx_hash = ${own}`);
    await database.query(SQL`update index_ranges set joined = true where from_seqno = ${firstOfHead}`);
    const next = { ...page, offset: 3 };
    expect(await ask(list, next, bookmarks)).toEqual(await ask(list, next, new OffsetBookmarks()));
  });

  it("start at the bookmark when a reader goes on, without a count from the top", async () => {
    const index = await ChangingIndex.open(database);
    const bookmarks = new OffsetBookmarks({ fromOffset: 0 });
    const asked: string[] = [];
    const pageAt = (offset: number) =>
      database.transaction((transaction) => {
        const queries: Queries = {
          isDivided: () => transaction.isDivided(),
          query(statement) {
            asked.push(wayOf(statement.text));
            return transaction.query(statement);
          },
        };
        return lists[0]!.ask(queries, { limit: 5, offset, sort: "desc" }, bookmarks);
      });
    await pageAt(10);
    await pageAt(15);
    const before = index.stored.transactions.length;
    await index.grow();
    await pageAt(20 + index.stored.transactions.length - before);
    const ways = asked.filter((way) => way !== "other");
    expect(ways).toEqual(["skips", "goes on", "counts what is new", "goes on"]);
  });
});

function wayOf(text: string): string {
  if (/select count\(\*\) from transactions/.test(text)) return "counts what is new";
  if (!text.includes("part(slot, slot_end")) return "other";
  return /\(lt, account\) < \(/.test(text) ? "goes on" : "skips";
}
