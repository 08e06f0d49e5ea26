import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { indexedStatus } from "../../server/methods/v3/messages/indexed-message.js";
import type { Database } from "../../server/store/database.js";
import { listBlocks } from "../../server/store/queries/blocks/block-list.js";
import { receivedMessages } from "../../server/store/queries/messages/pending.js";
import { OffsetBookmarks } from "../../server/store/queries/slots/offset-bookmarks.js";
import { partitionedTables } from "../../server/store/queries/slots/partition-copies.js";
import { readOpenTraces } from "../../server/store/queries/traces/open-traces.js";
import { tracesBehind } from "../../server/store/queries/traces/trace-pages.js";
import { mergeOldSlots } from "../../server/store/slots/cold-slots.js";
import { AnswerNames } from "../../shared/text/answer-names.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { type Explained, ExplainedSql, type PlanNode } from "../helpers/store/explained-sql.js";
import { GrowingIndex, grown } from "../helpers/store/growing-index.js";
import { growthPaths } from "../helpers/store/growth-reads.js";
import { buffersOf, leaveStatistics, nodesOf, searchesOf } from "../helpers/store/measured-reads.js";
import { havePostgres, openPatiently, TestPostgres } from "../helpers/store/postgres.js";

const artifacts = new ArtifactStore();
const limit = 10;
/**
 * A server that may choose a plan for all values does so after five runs, of which the one before the explained run is the
 * last. The large index shows what it costs.
 */
const warmUps = 4;
/** A connection has names for 500 texts, and only statements that still have theirs are explained. */
const readsPerConnection = 60;
const sizes = [16, 64] as const;
/** The same rows are also stored in slots that are so many times as large. */
const width = 16;
const maxGrowth = 1.3;
const maxRemoved = 10 * limit;
/** Bounds of lt narrow a list by times to whole slots, of which only those that are not merged end with these bounds. */
const byOtherAxis = `messages?start_utime=1&end_lt=${grown.slotEnd}`;
/** In larger slots its times are those of the 176 blocks that are nearest to the bound, however large the slots are. */
const nearRows = 200;
/**
 * Rows of such a list lie on pages of their own in a copy that is sorted by account. Both rows of each message are read, to
 * see which one is listed, and the one that is not once more, to find the other side; behind the page those of one more, to
 * see whether its lt is equal: the index has no hashes.
 */
const byBody = "messages?body_hash=";
/**
 * Bounds of lt become the times of the blocks that are nearest to them, 192 for each bound: pages of small partitions are read
 * at once for several of these.
 */
const byNearBlocks = /^blocks\?.*(start|end)_lt=/;
const pagesOfNear = 20;
/** A page of ten traces has 40 transactions with 70 messages. */
const maxRows = 20 * limit;
/** Of blocks by any filters. */
const maxPagesOfBlocks = 50;

type Read = [name: string, run: (app: IndexApp, sql: ExplainedSql) => Promise<unknown>];

const all: Read[] = [
  ...growthPaths.map((path): Read => [path, (app) => app.result(path)]),
  [
    "received messages",
    (_, sql) => sql.transaction((queries) => receivedMessages(queries, grown.messages), { snapshot: true }),
  ],
  [
    "the status of a message",
    (_, sql) =>
      sql.transaction(
        (queries) => indexedStatus(queries, [grown.messages[0]!], { artifacts, names: new AnswerNames({}) }),
        {
          snapshot: true,
        },
      ),
  ],
  [
    "the status of an external message",
    (_, sql) =>
      sql.transaction(
        (queries) => indexedStatus(queries, [grown.external], { artifacts, names: new AnswerNames({}) }),
        {
          snapshot: true,
        },
      ),
  ],
];

/** Reads of writers and caches. */
const others: Read[] = [
  [
    "open traces of a range",
    (_, sql) => sql.transaction((queries) => readOpenTraces(queries, 1, grown.seqno), { snapshot: true }),
  ],
  [
    "traces to be classified again",
    (_, sql) => {
      const range = { from: grown.seqno, to: grown.seqno + 5 };
      return sql.transaction((queries) => tracesBehind(queries, range, undefined, limit), { snapshot: true });
    },
  ],
  [
    "a deep page of blocks behind a bookmark of the block before",
    async (_, sql) => {
      const bookmarks = new OffsetBookmarks({ fromOffset: 10 });
      const page = { limit, offset: 20, sort: "desc" } as const;
      const read = () =>
        sql.transaction((queries) => listBlocks(queries, {}, page, bookmarks), { snapshot: true });
      await sql.query(SQL`update index_ranges set done_to = done_to - 1`);
      await read();
      await sql.query(SQL`update index_ranges set done_to = done_to + 1`);
      await read();
    },
  ],
];

describe.skipIf(!havePostgres())("As the index grows from 16 to 64 slots", () => {
  const seen = new Map<string, Explained[][]>();
  let server: TestPostgres;
  let database: Database;
  beforeAll(async () => {
    server = await TestPostgres.start();
    const url = await server.databaseWithSchema();
    database = openPatiently(url);
    const index = new GrowingIndex(database);
    await index.begin();
    for (const size of sizes) {
      await index.growTo(size);
      await leaveStatistics(database);
      await measureAll(url, [...all, ...others], size === sizes[1] ? warmUps : 0);
    }
    // A longer run does the rest.
    expect(await mergeOldSlots(database.sql({ connections: 2 }), { pauseMs: 5 })).toBe(true);
    await leaveStatistics(database);
    await measureAll(url, all, 0);
    const wideUrl = await server.databaseWithSchema();
    const wide = openPatiently(wideUrl);
    const wideIndex = new GrowingIndex(wide);
    await wideIndex.begin({ width });
    await wideIndex.growTo(sizes[1]);
    await leaveStatistics(wide);
    await wide.close();
    await measureAll(wideUrl, all, warmUps);
    const pages = [...seen].map(([name, plans]) => `${plans.map(buffersOf).join(" -> ")} ${name}`);
    console.log(["pages of 16 and 64 slots, merged ones, and large ones", ...pages].join("\n"));
  }, 1_800_000);
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  async function measureAll(url: string, reads: readonly Read[], before: number): Promise<void> {
    for (let at = 0; at < reads.length; at += readsPerConnection)
      await measure(url, reads.slice(at, at + readsPerConnection), before);
  }

  /** `before`: how often each read is made before it is explained. */
  async function measure(url: string, reads: readonly Read[], before: number): Promise<void> {
    const reader = openPatiently(url);
    const sql = new ExplainedSql(reader.sql({ connections: 1, statementTimeoutMs: 120_000 }));
    const app = await startIndexApp({ ...reader, sql: () => sql });
    for (const [name, run] of reads) {
      for (let i = 0; i < before; i++) await run(app, sql);
      seen.set(name, [...(seen.get(name) ?? []), await sql.explain(() => run(app, sql))]);
    }
    await app.close();
    await reader.close();
  }

  test.each(others)("%s goes to about as many partitions", (name) => {
    const [small, large] = seen.get(name)!;
    expect(partitionsIn(large!)).toBeLessThanOrEqual(maxGrowth * partitionsIn(small!));
  });

  test.each(all)("%s reads about as many pages", (name) => {
    const [small, large] = seen.get(name)!;
    // Small trees grow deeper: each search may read a page more.
    expect(buffersOf(large!)).toBeLessThanOrEqual(maxGrowth * buffersOf(small!) + searchesOf(small!));
  });

  test.each(all.filter(([name]) => name !== byOtherAxis))(
    "%s reads no more pages when old slots are merged",
    (name) => {
      const [, large, merged] = seen.get(name)!;
      // Trees are deeper, as before, also those of slots and of contents, which have wider keys.
      const deeper = searchesOf(large!) + 4;
      const scattered = name.startsWith(byBody) ? 3 * limit : nearOf(name);
      expect(buffersOf(merged!)).toBeLessThanOrEqual(buffersOf(large!) + deeper + scattered);
    },
  );

  test.each(all)("%s reads no superfluous row", (name) => {
    // Tables of the smaller index are small enough to be scanned.
    expectFewRows(seen.get(name)![1]!, { rows: maxRows, removed: maxRemoved });
  });

  test.each(all.filter(([name]) => name !== byOtherAxis))(
    "%s reads about as many pages of slots that are sixteen times as large",
    (name) => {
      const [, usual, , large] = seen.get(name)!;
      // Trees are deeper, and small partitions are scanned.
      const deeper = searchesOf(usual!) + 4;
      expect(buffersOf(large!)).toBeLessThanOrEqual(maxGrowth * buffersOf(usual!) + deeper + nearOf(name));
    },
  );

  test.each(all)("%s reads no superfluous row of these slots", (name) => {
    const removed = name === byOtherAxis ? nearRows : maxRemoved;
    expectFewRows(seen.get(name)![3]!, { rows: maxRows + skippedBy(name), removed });
  });

  test.each(all.filter(([name]) => name.startsWith("blocks?")))("%s reads few pages of any slots", (name) => {
    for (const explained of seen.get(name)!)
      expect(buffersOf(explained)).toBeLessThanOrEqual(maxPagesOfBlocks);
  });
});

function nearOf(name: string): number {
  return byNearBlocks.test(name) ? pagesOfNear : 0;
}

function expectFewRows(
  explained: readonly Explained[],
  { rows, removed }: { rows: number; removed: number },
): void {
  for (const { text, plan } of explained)
    for (const node of nodesOf(plan)) {
      expect(rowsOf(node), JSON.stringify([text, node])).toBeLessThanOrEqual(rows);
      expect(removedBy(node), JSON.stringify([text, node])).toBeLessThanOrEqual(removed);
    }
}

/** The rows of an account that come before a page: of small slots they are counted, and so they are of each of several accounts. */
function skippedBy(name: string): number {
  const asked = new URLSearchParams(name.split("?")[1]);
  return Number(asked.get("offset") ?? 0) * asked.getAll("account").length;
}

/** How many scans of partitions by lt there were. */
function partitionsIn(explained: readonly Explained[]): number {
  const names = partitionedTables.map(({ name }) => name).join("|");
  const isPartition = new RegExp(`^(${names})_[0-9]+$`);
  return explained
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => isPartition.test(node["Relation Name"] ?? "") && node["Actual Loops"] > 0).length;
}

function rowsOf(node: PlanNode): number {
  return node["Actual Rows"] * node["Actual Loops"];
}

function removedBy(node: PlanNode): number {
  const perLoop =
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Join Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return perLoop * node["Actual Loops"];
}
