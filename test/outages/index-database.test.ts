import SQL from "sql-template-tag";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate/migrate.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { isLong, sized } from "../helpers/effort.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { lockTransactions } from "../helpers/store/lock-transactions.js";
import { mayStopPostgres, openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { storeRows } from "../helpers/store/rows.js";
import { sampleIndex } from "../helpers/store/sample-index.js";
import { until } from "../helpers/until.js";

const address = `0:${"0".repeat(64)}`;
const hash = "ab".repeat(32);

/** A call of every method that reads the index. */
const reading = [
  "masterchainInfo",
  "blocks",
  "masterchainBlockShardState?seqno=1",
  "masterchainBlockShards?seqno=1",
  "transactions",
  "transactionsByMasterchainBlock?seqno=1",
  "transactionsByMessage?opcode=0",
  `adjacentTransactions?hash=${hash}`,
  "messages",
  "traces",
  "topAccountsByBalance",
  `accountStates?address=${address}`,
  `walletStates?address=${address}`,
  `addressBook?address=${address}`,
];

const timedOut = [500, { error: "query timeout" }];
const decoded = [200, { opcodes: ["text_comment"], bodies: [] }];

async function serve(database: Database, timeoutMs?: number): Promise<IndexApp> {
  const app = await startIndexApp(database, timeoutMs === undefined ? {} : { timeoutMs });
  onTestFinished(() => app.close());
  return app;
}

/** With a short timeout, a slow machine needs more than one try. */
const answers = (app: IndexApp, path: string) => until(path, async () => (await app.get(path))[0] === 200);

describeOwnPostgres("An answer", (fresh, server) => {
  const filled = async () => {
    const database = await fresh();
    await storeRows(database, sampleIndex());
    return database;
  };

  /** Statements in flight, except the one that lists them. */
  async function running(database: Database): Promise<string[]> {
    const rows = await queriesOf(database).query<{ query: string }>(SQL`
      select query from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state = 'active'
        and pid <> pg_backend_pid()`);
    return rows.map(({ query }) => query);
  }

  test("that takes too long, or longer than x_timeout, is refused, and PostgreSQL cancels its query", async () => {
    const database = await filled();
    const app = await serve(database, sized(500, 3000));
    const unlock = await lockTransactions(database);
    const asked = [app.get("transactions"), app.get("transactions?limit=1&offset=100000")];
    expect(await Promise.all(asked)).toEqual([timedOut, timedOut]);
    // The answer leaves PostgreSQL a moment before the statement counts as ended.
    await until("both queries to be stopped", async () => (await running(database)).length === 0);
    await answers(app, "blocks");

    const { headers, status, json } = await app.ask("/api/v3/transactions?x_timeout=100");
    expect([status, json, headers.get("Retry-After")]).toEqual([...timedOut, "1"]);
    await until("the query to be stopped", async () => (await running(database)).length === 0);
    const options = { jsonrpc: "2.0", id: 1, method: "v3.transactions", params: {} };
    expect((await app.post("/jsonRPC?x_timeout=100", options)).json).toMatchObject({
      error: {
        code: -32603,
        message: "query timeout",
        data: { code: 500, kind: "timeout", retry_after: 1 },
      },
    });
    await unlock();
    await answers(app, "transactions");
  });

  test.runIf(mayStopPostgres)("is 503 while the database is away, and comes back with it", async () => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    await migrate(database.sql());
    await storeRows(database, sampleIndex());
    const app = await serve(database);
    const before = await app.result("transactions?limit=100");
    const unlock = await lockTransactions(database);
    const surprised = app.ask("/api/v3/transactions?limit=1");
    await until("the query to run", async () => (await running(database)).length === 1);
    await server().crash();
    await expect(unlock()).rejects.toMatchObject({ code: "unavailable" });
    const gone = { status: 503, json: { error: "database is not available" } };
    expect(await surprised).toMatchObject(gone);
    for (const path of reading) expect(await app.ask(`/api/v3/${path}`)).toMatchObject(gone);
    const { json } = await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "v3.blocks", params: {} });
    expect(json).toMatchObject({
      error: { code: -32000, message: "database is not available", data: { code: 503, retry_after: 1 } },
    });
    expect(await app.get("decode?opcodes=0x0")).toEqual(decoded);
    await server().run();
    const after = await until("the database", async () => {
      const [status, body] = await app.get("transactions?limit=100");
      return status === 200 && body;
    });
    expect(after).toEqual(before);
  });
});

describe("An answer of PGlite", () => {
  test.runIf(isLong)("that waits too long for a lock is refused", async () => {
    const database = await openPglite();
    onTestFinished(() => database.close());
    await migrate(database.sql());
    await storeRows(database, sampleIndex());
    const app = await serve(database, 1000);
    const unlock = await lockTransactions(database);
    expect(await app.get("transactions")).toEqual(timedOut);
    expect(await app.get("transactions?x_timeout=100")).toEqual(timedOut);
    expect(await app.get("decode?opcodes=0x0")).toEqual(decoded);
    await unlock();
    await answers(app, "transactions");
  });
});

test("Without a database every method of the index answers 503, with Retry-After", async () => {
  const app = await startIndexApp(undefined);
  onTestFinished(() => app.close());
  for (const path of reading) {
    const { status, json, headers } = await app.ask(`/api/v3/${path}`);
    expect([status, json]).toEqual([503, { error: "database is not available" }]);
    expect(headers.get("Retry-After")).toBe("1");
  }
  expect(await app.get("decode?opcodes=0x0")).toEqual(decoded);
});
