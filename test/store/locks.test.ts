import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { lockNumbers, presenceLock, presentProcesses } from "../../server/store/sql/locks.js";
import { underLock } from "../../server/store/under-lock.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

const never = new AbortController().signal;

describePostgres("A lock of the database", (_, server) => {
  async function twoProcesses() {
    const url = await server().databaseWithSchema();
    return [url, url].map((each) => {
      const database = openPatiently(each);
      onTestFinished(() => database.close());
      return { database, sql: database.sql() };
    }) as [Process, Process];
  }

  type Process = { database: ReturnType<typeof openPatiently>; sql: ReturnType<Process["database"]["sql"]> };

  test.each([lockNumbers.head, presenceLock("backfill", 2 ** 31 - 2)])(
    "number %d is confirmed while it is held, and for its session alone",
    async (number) => {
      const [{ database, sql }, other] = await twoProcesses();
      const lock = await database.lock(number, never);
      await sql.transaction((transaction) => lock.confirm(transaction));
      const [own] = await sql.query<{ pid: number }>(SQL`
        select pid from pg_stat_activity where datname = current_database() and application_name like '% lock %'`);
      await other.sql.query(SQL`select pg_terminate_backend(${own!.pid}, 60000)`);
      // At once, and once the process has noticed it.
      const late = sql.transaction((transaction) => lock.confirm(transaction));
      await expect(late).rejects.toMatchObject({ code: "unavailable" });
      await until("the loss", () => lock.lost.aborted);
      const next = await other.database.lock(number, never);
      await expect(sql.transaction((transaction) => lock.confirm(transaction))).rejects.toThrow();
      await next.release();
    },
  );

  test("ends work when it is lost, and is released after it", async () => {
    const [{ database, sql }] = await twoProcesses();
    const work = underLock(database, lockNumbers.redetection, never, async (signal, lock) => {
      expect(signal.aborted).toBe(false);
      await sql.query(SQL`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like '% lock %'`);
      await until("the loss", () => signal.aborted);
      expect(lock.lost.aborted).toBe(true);
      signal.throwIfAborted();
    });
    await expect(work).rejects.toMatchObject({ code: "unavailable" });
    const done = await underLock(database, lockNumbers.redetection, never, async () => "done");
    expect(done).toBe("done");
  });

  test("shows which processes are there", async () => {
    const [{ database, sql }, other] = await twoProcesses();
    const locks = [
      await database.lock(presenceLock("webhooks", 7), never),
      await other.database.lock(presenceLock("webhooks", 9), never),
      await database.lock(presenceLock("backfill", 8), never),
    ];
    expect((await presentProcesses(sql, "webhooks")).sort()).toEqual([7, 9]);
    for (const lock of locks) await lock.release();
  });
});
