import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { blockchainHandlers } from "../../server/methods/v3/blockchain.js";
import { implement } from "../../server/rpc/bind.js";
import type { Sql } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { noGaps } from "../../server/store/queries/upkeep/index-gaps.js";
import { IndexReader } from "../../server/store/reads/index-reader.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { blockchainMethods } from "../../shared/methods/v3/blockchain.js";
import { sized } from "../helpers/effort.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { bytesOf } from "../helpers/store/rows.js";
import type { Row, Spent, Suite } from "./harness.js";
import { deepOffset, hotAccount, storeHotAccount } from "./v3/hot-account.js";
import { plainTransactions, uncachedRows } from "./v3/uncached.js";

const transactions = sized(6000, 330_000);
/** Pages that a walker reads before it starts over. */
const walk = 100;

/** Units are pages. */
export const suite: Suite = {
  title:
    "v3 index: pages of a busy account (baseline: the same rows by three named queries of pg, stringified)",
  async rows() {
    const pglite = await openPglite();
    closers.push(() => pglite.close());
    await storeHotAccount(pglite, 3000);
    return [...(havePostgres() ? await postgresRows() : []), delayRow(pglite.sql())];
  },
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => Promise<void>)[] = [];

async function postgresRows(): Promise<Row[]> {
  const server = await TestPostgres.start();
  closers.unshift(() => server.stop());
  const url = await server.database();
  const database = openPostgres(url);
  closers.unshift(() => database.close());
  await storeHotAccount(database, transactions);
  const client = new pg.Client(url);
  await client.connect();
  closers.unshift(() => client.end());
  const plain = (limit: number, offset: number) => async () => {
    await readPlainly(client, limit, offset);
    return 1;
  };
  const readers = database.sql({ statementTimeoutMs: 30_000 });
  const page = pageReader(readers);
  return [
    {
      title: "10 rows",
      ours: () => page(10, 0),
      baseline: plain(10, 0),
      goal: { floor: 0.5, aim: 0.75 },
    },
    {
      title: "1000 rows",
      ours: () => page(1000, 0),
      baseline: plain(1000, 0),
      goal: { floor: 1, aim: 3 },
    },
    {
      title: "10 rows behind 100,000, nobody was there before (baseline: OFFSET)",
      ours: () => pageReader(readers)(10, deepOffset),
      baseline: plain(10, deepOffset),
      goal: { floor: 3, aim: 50 },
    },
    {
      title: "10 rows behind 100,000, read on from the page before (baseline: OFFSET)",
      ours: walker(page),
      baseline: plain(10, deepOffset),
      goal: { floor: 3, aim: 50 },
    },
    ...(await uncached(server)),
  ];
}

/** Pages that are read once, of an index with one slot and of one with many. */
async function uncached(server: TestPostgres): Promise<Row[]> {
  return [...(await uncachedIn(server, 1)), ...(await uncachedIn(server, 32))];
}

async function uncachedIn(server: TestPostgres, slots: number): Promise<Row[]> {
  const url = await server.database();
  const database = openPostgres(url);
  closers.unshift(() => database.close());
  const { rows, close } = await uncachedRows(database, url, slots);
  closers.unshift(close);
  return rows;
}

type ReadPage = (limit: number, offset: number) => Promise<number>;

/** Complete answers of a freshly started service. */
function pageReader(store: Sql): ReadPage {
  const index = new IndexReader();
  index.connect(store);
  const { transactions } = implement(blockchainHandlers, {
    index,
    book: { testOnly: false },
    indexGaps: () => noGaps,
  });
  const call = { options: {}, asked: new Set<number>(), signal: new AbortController().signal };
  return async (limit, offset) => {
    const given = { account: hotAccount.toRaw(), limit, offset };
    await transactions(blockchainMethods.transactions.params.parse(given), call);
    return 1;
  };
}

/** Reads one page after the other. */
function walker(page: ReadPage): () => Promise<number> {
  let at = 0;
  return () => page(10, deepOffset + 10 * (at++ % walk));
}

/** The rows of an answer, with minimal overhead. */
function readPlainly(client: pg.Client, limit: number, offset: number): Promise<void> {
  return plainTransactions(client, {
    name: "transactions",
    text: "select * from transactions where account = $1 order by lt desc limit $2 offset $3",
    values: [bytesOf(hotAccount), limit, offset],
  });
}

/** 99th percentile of timer delay in this thread, while pages are read and while idle. */
function delayRow(store: Sql): Row {
  const page = pageReader(store);
  return {
    title: "delay of this thread while PGlite reads 10 rows, us (baseline: idle)",
    ours: () => delayDuring(() => page(10, 0)),
    baseline: () => delayDuring(() => wait(5)),
  };
}

const delayedMs = 100;

async function delayDuring(work: () => Promise<unknown>): Promise<Spent> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const end = performance.now() + delayedMs;
  while (performance.now() < end) await work();
  delay.disable();
  return { units: 1, micros: delay.percentile(99) / 1000 };
}
