import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import type { Database } from "../../server/store/database.js";
import { isLong } from "../helpers/effort.js";
import { everyRead } from "../helpers/http/every-read.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { classifier } from "../helpers/index/classifier.js";
import { startDetection } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { CountedNodes, citusUrl, countShards, openDivided } from "../helpers/store/citus.js";
import { openPatiently, TestPostgres } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { startStoryDevnet } from "../helpers/stories/story-devnet.js";
import { readsOf } from "../helpers/toncenter/paired-reads.js";

function describeCitus(body: () => void): void {
  if (citusUrl === undefined)
    test.skip("An index on a Citus cluster: TONWIRE_TEST_CITUS names no coordinator", () => {});
  else describe("An index on a Citus cluster", body);
}

describeCitus(() => {
  let server: TestPostgres;
  let plain: Database;
  let divided: Database;
  let devnet: Devnet;
  let apps: { plain: IndexApp; divided: IndexApp };
  let nodes: CountedNodes;
  let counted: IndexApp;
  beforeAll(async () => {
    server = await TestPostgres.start();
    plain = openPatiently(await server.databaseWithSchema());
    divided = await openDivided();
    devnet = await startStoryDevnet((error) => {
      throw error;
    });
    const { detection, close } = await startDetection(devnet);
    for (const database of [plain, divided])
      await indexAll(database, devnet.api, { events: devnet.events, detection, classifier });
    await close();
    apps = { plain: await startIndexApp(plain), divided: await startIndexApp(divided) };
    nodes = new CountedNodes(divided.sql({ statementTimeoutMs: 120_000 }));
    counted = await startIndexApp(divided, { answers: nodes });
  });
  afterAll(async () => {
    for (const app of [...Object.values(apps ?? {}), counted]) await app?.close();
    await devnet?.close();
    await plain?.close();
    await divided?.close();
    await server?.stop();
  });

  it("gives the same answer as one server to each read with each filter", async () => {
    const queries = queriesOf(plain);
    const every = (await everyRead(queries)).flatMap(({ paths }) => paths);
    const paths = new Set([...every, ...(await readsOf(apps.plain, queries, { withPairs: isLong }))]);
    const other: Record<string, unknown> = {};
    let found = 0;
    for (const path of paths) {
      const [expected, answer] = [await apps.plain.get(path), await apps.divided.get(path)];
      if (expected[0] === 200) found++;
      if (JSON.stringify(answer) !== JSON.stringify(expected)) other[path] = { expected, answer };
    }
    expect(other).toEqual({});
    expect(found).toBeGreaterThan(paths.size / 2);
  });

  it("asks few shards for a page of one account, and none more than twice for any page of ten", async () => {
    const shards = await countShards(queriesOf(divided));
    const [busy] = await queriesOf(plain).query<{ account: string }>(SQL`
      select wire_address(account) as account from transactions group by account order by count(*) desc limit 1`);
    const [sent] = await queriesOf(plain).query<{ hash: string; message: string }>(SQL`
      select wire_hash(tx_hash) as hash, wire_hash(msg_hash) as message from messages
      where direction = 1 and destination is not null order by tx_lt desc limit 1`);
    const account = busy!.account;
    const [hash, message] = [sent!.hash, sent!.message].map(encodeURIComponent);
    const asked: [path: string, most: number][] = [
      [`transactions?account=${account}&limit=10`, 4],
      [`transactions?account=${account}&limit=10&offset=10&sort=asc`, 4],
      ["transactions?limit=10", 2 * shards],
      [`transactions?hash=${hash}`, 2 * shards],
      ["transactions?opcode=0x0f8a7ea5&limit=10", 2 * shards],
      [`transactionsByMessage?msg_hash=${message}`, 2 * shards],
      [`adjacentTransactions?hash=${hash}`, 2 * shards],
      ["messages?limit=10", 2 * shards],
      [`messages?msg_hash=${message}`, 2 * shards],
      [`messages?source=${account}&limit=10`, 2 * shards],
      [`traces?account=${account}&limit=10`, 2 * shards],
      ["traces?limit=10", 2 * shards],
      [`traces?msg_hash=${message}`, 2 * shards],
      [`actions?account=${account}&limit=10`, 2 * shards],
      [`actions?msg_hash=${message}`, 2 * shards],
      [`events?account=${account}&limit=10`, 2 * shards],
    ];
    const tooMany: string[] = [];
    for (const [path, most] of asked) {
      const count = await nodes.during(() => counted.result(path));
      if (count > most) tooMany.push(`${path}: ${count} of ${most}`);
    }
    expect(tooMany).toEqual([]);
  });
});
