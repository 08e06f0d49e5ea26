import SQL from "sql-template-tag";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Identity } from "../../server/access/access.js";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate/migrate.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { isLong, variants } from "../helpers/effort.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { lockTransactions } from "../helpers/store/lock-transactions.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { storeRows } from "../helpers/store/rows.js";
import { sampleIndex } from "../helpers/store/sample-index.js";
import { until } from "../helpers/until.js";

const standard = { name: "standard", limit: { rps: 10, burst: 10 } };
const unlimited = { name: "unlimited", limit: undefined };

/** The methods of the index; a request names its caller in `X-Forwarded-For`. */
async function serve(database: Database, plan: typeof standard | typeof unlimited = standard) {
  await storeRows(database, sampleIndex());
  const arrived: string[] = [];
  const identify = ({ headers }: Identity) => {
    const id = String(headers["x-forwarded-for"] ?? "");
    arrived.push(id);
    return { id, plan };
  };
  const app = await startIndexApp(database, { identify });
  onTestFinished(() => app.close());
  const askAs = (caller: string, path: string) =>
    app.ask(`/api/v3/${path}`, { headers: { "X-Forwarded-For": caller } });
  return { app, arrived, askAs };
}

/** Different parameters, so that no two calls share a run. */
const transactions = (n: number) => `transactions?limit=${n + 1}`;

describePostgres("Slow answers", (fresh) => {
  /** Statements that wait for the lock. */
  async function blocked(database: Database): Promise<number> {
    const rows = await queriesOf(database).query(SQL`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length;
  }

  test("of many callers do not keep others waiting", async () => {
    const database = await fresh();
    const { askAs } = await serve(database);
    const unlock = await lockTransactions(database);
    const slow = Array.from({ length: 12 }, (_, n) => askAs(`slow ${n}`, transactions(n)));
    await until("the connections to be blocked", async () => (await blocked(database)) >= 4);
    for (const limit of [1, 2, 3]) {
      expect(await askAs("cheap", `blocks?limit=${limit}`)).toMatchObject({ status: 200 });
    }
    await unlock();
    const answers = await Promise.all(slow);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBe(answers.filter(({ status }) => status === 200).length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, json } of refused) {
      expect(headers.get("Retry-After")).toBe("1");
      expect(json).toEqual({ error: "too many slow queries" });
    }
  });

  test.each(
    variants<[words: string, plan: typeof standard | typeof unlimited, count: number]>(
      [["two", standard, 2]],
      [["four, all that are not for slow answers,", unlimited, 4]],
    ),
  )("of one caller get %s connections under its plan", async (_, plan, count) => {
    const database = await fresh();
    const { arrived, askAs } = await serve(database, plan);
    const unlock = await lockTransactions(database);
    const slow = Array.from({ length: 6 }, (_, n) => askAs("slow", transactions(n)));
    await until("all calls to arrive", () => arrived.length === 6);
    await until("the connections to be blocked", async () => (await blocked(database)) >= count);
    expect(await askAs("cheap", "blocks")).toMatchObject({ status: 200 });
    await unlock();
    for (const answer of slow) expect(await answer).toMatchObject({ status: 200 });
  });
});

describe("An embedded database", () => {
  test.runIf(isLong)("serves callers in turn, however many calls one of them has waiting", async () => {
    const database = await openPglite();
    onTestFinished(() => database.close());
    await migrate(database.sql());
    const { app, arrived, askAs } = await serve(database);
    const unlock = await lockTransactions(database);
    const many = Array.from({ length: 8 }, (_, n) => askAs("many", transactions(n)));
    await until("the calls of one to arrive", () => arrived.length === 8);
    const single = askAs("single", "transactions");
    await until("the call of the other to arrive", () => arrived.length === 9);
    await unlock();
    await Promise.all([...many, single]);
    const position = app.reports.findIndex(({ caller }) => caller === "single");
    expect(position).toBeLessThan(3);
  });
});
