import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { createKey, setPlan } from "../../../server/access/keys/key-commands.js";
import { UsageMeter } from "../../../server/access/usage/usage-meter.js";
import { openDatabaseKeys, openKeysDatabase } from "../../../server/process/service/database-keys.js";
import { openUsage } from "../../../server/process/service/usage.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";

const row = (day: string, key: string, calls: number) => ({ day, key, calls, points: 2 * calls, refused: 1 });
const range = { from: "2030-01-01", to: "2031-12-31" };

describePostgres("Usage in a database", (_, server) => {
  async function open() {
    const databaseUrl = await server().database();
    const keys = await openDatabaseKeys({ databaseUrl });
    onTestFinished(() => keys.close());
    // The first change makes the tables.
    await keys.change((file) => ({
      ...setPlan(file, "gold", { rps: 1, burst: 1 }, undefined, { calls: 5 }),
    }));
    const store = async () => {
      const usage = await openUsage({ databaseUrl, data: undefined, keysFile: undefined });
      onTestFinished(() => usage.close());
      return usage;
    };
    return { databaseUrl, keys, store };
  }

  test("is added up over stores, by month and key, and removed after 400 days", async () => {
    const { store } = await open();
    const [one, other] = [await store(), await store()];
    await Promise.all([
      one.add("2030-01-31", [row("2030-01-31", "a", 1), row("2030-01-31", "b", 2)]),
      other.add("2030-01-31", [row("2030-01-31", "a", 3), row("2030-01-31", "b", 4)]),
    ]);
    await one.add("2030-02-01", [row("2030-02-01", "a", 10)]);
    expect(await other.totals("2030-01", ["a"])).toEqual([{ key: "a", calls: 4, points: 8 }]);
    expect(await other.totals("2030-02")).toEqual([{ key: "a", calls: 10, points: 20 }]);
    expect(await other.read(range, 2)).toEqual([
      { day: "2030-01-31", key: "a", calls: 4, points: 8, refused: 2 },
      { day: "2030-01-31", key: "b", calls: 6, points: 12, refused: 2 },
    ]);
    expect(await other.read({ ...range, key: "b" }, 10)).toHaveLength(1);
    await one.add("2031-03-07", [row("2031-03-07", "a", 1)]);
    expect((await one.read(range, 10)).map(({ day }) => day)).toEqual(["2030-02-01", "2031-03-07"]);
  });

  test("limits the processes of several services together", async () => {
    const { store } = await open();
    const now = () => Date.UTC(2030, 0, 31);
    const meter = async () => {
      const made = new UsageMeter({
        store: await store(),
        now,
        fallback: noFallback,
        writeEveryMs: 1_000_000,
      });
      await made.start();
      return made;
    };
    const [one, other] = [await meter(), await meter()];
    one.count("a", { calls: 4 });
    await one.write();
    other.count("a", { calls: 1 });
    expect(() => other.checkQuota("a", { calls: 5 }, 1)).not.toThrow();
    await other.write();
    expect(() => other.checkQuota("a", { calls: 5 }, 1)).toThrow("monthly quota of 5 calls");
    expect((await meter()).used("a").calls).toBe(5);
  });

  test("has the rules of keys, and tables of an earlier version get them by the first change", async () => {
    const { databaseUrl, keys } = await open();
    const database = await openKeysDatabase({ databaseUrl });
    onTestFinished(() => database.close());
    const sql = queriesOf(database);
    await sql.query(SQL`alter table tonwire_kept.api_keys drop column rules`);
    await sql.query(SQL`drop table tonwire_kept.key_usage`);
    await sql.query(SQL`delete from tonwire_kept.schema_migrations where number = 5`);
    expect((await keys.read()).plans).toEqual({ gold: { rps: 1, burst: 1, month: { calls: 5 } } });
    const rules = { methods: ["v2.*"], origins: ["*.example.org"] };
    await keys.change((file) =>
      createKey(file, { network: "mainnet", plan: "gold", label: "", ...rules }, new Date()),
    );
    expect((await keys.read()).keys).toMatchObject([rules]);
  });
});
