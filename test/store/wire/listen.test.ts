import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { describeBothDatabases, describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { until } from "../../helpers/until.js";

const never = new AbortController().signal;

/** How often it was heard; `say` is a transaction that says something, and commits or does not. */
async function listening(database: Database) {
  let heard = 0;
  const subscription = await database.listen("news", () => heard++, never);
  onTestFinished(() => subscription.release());
  const say = (channel: string, outcome: "commits" | "fails" = "commits") =>
    database
      .sql()
      .transaction(async (transaction) => {
        await transaction.query(SQL`select pg_notify(${channel}, '')`);
        if (outcome === "fails") throw new Error("taken back");
      })
      .catch(() => {});
  return { heard: () => heard, say, subscription };
}

describeBothDatabases("Whoever listens", (fresh) => {
  test("receives notifications of commits on the channel, and of nothing else", async () => {
    const { heard, say } = await listening(await fresh());
    await say("news", "fails");
    await say("other");
    await say("news");
    await until("the news", () => heard() === 1);
    await say("news");
    await until("more news", () => heard() === 2);
  });

  test("hears nothing any more once it has been released", async () => {
    const database = await fresh();
    const first = await listening(database);
    const second = await listening(database);
    await first.subscription.release();
    await second.say("news");
    await until("the news", () => second.heard() === 1);
    expect(first.heard()).toBe(0);
  });
});

describePostgres("A connection that listens", (_fresh, server) => {
  test("reports its loss", async () => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    const { subscription } = await listening(database);
    await database.sql().query(SQL`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`);
    await until("the loss", () => subscription.lost.aborted);
    expect(subscription.lost.reason).toMatchObject({ code: "unavailable" });
  });

  test("is not waited for when it is given up while it is made, nor is a lock", async () => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    for (const ask of [
      (signal: AbortSignal) => database.listen("news", () => {}, signal),
      (signal: AbortSignal) => database.lock(1, signal),
    ]) {
      const controller = new AbortController();
      const asked = ask(controller.signal);
      controller.abort();
      await expect(asked).rejects.toBe(controller.signal.reason);
    }
  });
});
