import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds, type FreshDatabase } from "../helpers/databases.js";
import { type IndexApp, startIndexApp } from "../helpers/index-app.js";
import { accountOf, blockRow, bytesOf, storeRows, transactionRow } from "../helpers/rows.js";

const transactions = [
  ["t1", "a", 10n, 100],
  ["t2", "b", 20n, 100],
  ["t3", "a", 20n, 100],
  ["t4", "c", 30n, 110],
  ["t5", "a", 40n, 105],
] as const;

const [a, b, c] = ["a", "b", "c"].map((letter) => accountOf(letter).toRawUpper());
const nameOf = new Map(
  transactions.map(([name, letter, lt]) => [`${accountOf(letter).toRawUpper()} ${lt}`, name]),
);

type Page = { transactions: { account: string; lt: string }[]; address_book: object };
type Blocks = { blocks: { workchain: number; shard: string; seqno: number }[] };

describe.each(databaseKinds)("lists on %s", (_, open) => {
  let fresh: FreshDatabase;
  let app: IndexApp;
  beforeAll(async () => {
    fresh = await open();
    await storeRows(fresh.database, {
      transactions: transactions.map(([, letter, lt, now]) =>
        transactionRow({ account: bytesOf(accountOf(letter)), lt, now }),
      ),
      blocks: [
        blockRow({ seqno: 1, gen_utime: 50 }),
        blockRow({ seqno: 2 }),
        blockRow({ workchain: 0, shard: -(2n ** 62n), seqno: 3, mc_block_seqno: 2 }),
        blockRow({ workchain: 0, shard: 2n ** 62n, seqno: 3, mc_block_seqno: 2 }),
      ],
    });
    app = await startIndexApp(fresh.database);
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  const names = async (query: string) => {
    const { transactions: page } = await app.result<Page>(`transactions?${query}`);
    return page.map(({ account, lt }) => nameOf.get(`${account} ${lt}`)).join(" ");
  };

  it.each([
    ["", "t5 t4 t2 t3 t1"],
    ["sort=asc", "t1 t3 t2 t4 t5"],
    ["sort=A", "t1 t3 t2 t4 t5"],
    ["sort=d", "t5 t4 t2 t3 t1"],
    ["limit=2", "t5 t4"],
    ["limit=2&offset=2", "t2 t3"],
    ["limit=2&offset=4", "t1"],
    ["limit=0", "t5"],
    ["limit=-3", "t5"],
    ["limit=", "t5"],
    ["offset=-1", "t5 t4 t2 t3 t1"],
    ["offset=100000", ""],
    ["start_utime=100", "t4 t5 t2 t3 t1"],
    ["end_utime=100&sort=asc", "t1 t3 t2"],
    ["start_lt=20&end_lt=30", "t4 t2 t3"],
    ["end_lt=18446744073709551615", "t5 t4 t2 t3 t1"],
    ["start_lt=18446744073709551615", ""],
    ["lt=18446744073709551615", ""],
    [`account=${a}`, "t5 t3 t1"],
    [`account=${a}&start_utime=100`, "t5 t3 t1"],
    [`account=${a},${b}`, "t5 t2 t3 t1"],
    [`account=${a}&account=${b}&account=${c}&limit=2&offset=1`, "t4 t2"],
    [`account=${a},${c}&start_utime=1&limit=2`, "t4 t5"],
    [`account=${a},${a}`, "t5 t3 t1"],
    [`exclude_account=${a}`, "t4 t2"],
    [`account=${a}&exclude_account=${a}`, ""],
    [`account=${a},${b}&exclude_account=${a}`, "t2"],
    ["lt=20&sort=asc", "t3 t2"],
    ["mc_seqno=1&limit=2", "t5 t4"],
    ["workchain=0&shard=8000000000000000&seqno=1&limit=1", "t5"],
    ["workchain=-1", ""],
    ["shard=8000000000000000&limit=1", "t5"],
    ["seqno=3", ""],
  ])("order transactions?%s", async (query, wanted) => {
    expect(await names(query)).toBe(wanted);
  });

  it("answer a page past the end without rows", async () => {
    expect(await app.get("transactions?offset=100000")).toEqual([
      200,
      { transactions: [], address_book: {} },
    ]);
  });

  const blockNames = async (query: string) => {
    const { blocks } = await app.result<Blocks>(`blocks?${query}`);
    const nameOfBlock = ({ workchain, shard, seqno }: Blocks["blocks"][number]) =>
      workchain === -1 ? `m${seqno}` : shard === "C000000000000000" ? "s1" : "s2";
    return blocks.map(nameOfBlock).join(" ");
  };

  it.each([
    ["", "m2 s2 s1 m1"],
    ["sort=asc", "m1 s1 s2 m2"],
    ["mc_seqno=2&sort=asc", "s1 s2 m2"],
    ["limit=1&offset=2", "s1"],
    ["start_utime=51", "m2 s2 s1"],
    ["shard=-4611686018427387904", "s1"],
    ["seqno=3", "s2 s1"],
    ["end_lt=20", "m2 m1"],
    ["limit=5&limit=1", "m2"],
    ["Limit=1", "m2"],
    ["foo=bar&limit=1", "m2"],
  ])("order blocks?%s", async (query, wanted) => {
    expect(await blockNames(query)).toBe(wanted);
  });

  it("end the blocks of a masterchain block in 404", async () => {
    expect((await app.get("masterchainBlockShards?seqno=2&offset=2&limit=9"))[0]).toBe(200);
    const gone = [404, { error: "blocks not found" }];
    expect(await app.get("masterchainBlockShards?seqno=2&offset=3")).toEqual(gone);
    expect(await app.get("masterchainBlockShards?seqno=9")).toEqual(gone);
    expect(await app.get("masterchainBlockShardState?seqno=9")).toEqual(gone);
  });

  it("say which masterchain block is not there", async () => {
    const unknown = [404, { error: "masterchain block 999999999 not found" }];
    expect(await app.get("transactions?mc_seqno=999999999")).toEqual(unknown);
    expect(await app.get("transactionsByMasterchainBlock?seqno=999999999")).toEqual(unknown);
    expect(await app.get("traces?mc_seqno=999999999")).toEqual(unknown);
  });
});
