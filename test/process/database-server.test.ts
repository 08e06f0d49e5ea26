import { expect, onTestFinished, test } from "vitest";
import { configWith } from "../../server/config/settings.js";
import { createBackfill } from "../../server/process/backfill.js";
import { openPostgres } from "../../server/store/postgres.js";
import { describePostgres } from "../helpers/describe-databases.js";
import { freePort } from "../helpers/free-port.js";
import { startPooler } from "../helpers/pooler.js";
import { havePostgres, mayStopPostgres, openPatiently, TestPostgres } from "../helpers/postgres.js";
import { startService } from "../helpers/service.js";
import { until } from "../helpers/until.js";
import { devnetWithGateway } from "./role-processes.js";

const pooled = "--database-url leads through a pooler in transaction or statement mode";

/** A service with an index in the database. */
async function serviceOn(databaseUrl: string) {
  const service = await startService({ databaseUrl, index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  /** As the operator sees it. */
  const health = async () => {
    const answer = await fetch(`${service.adminUrl}/healthcheck`);
    return `${answer.status} ${await answer.text()}`;
  };
  return { service, health };
}

describePostgres("A database server", (_, server) => {
  test("behind a pooler that loses notifications is refused in a sentence", async () => {
    const url = await server().database();
    const { service, health } = await serviceOn(await startPooler(url));
    await until("the refusal", async () => (await health()).startsWith(`503 ${pooled}`));
    const failures = service.logLines.filter((line) => line.includes("the index failed"));
    expect(failures).toHaveLength(1);
    expect(JSON.parse(failures[0]!)).toMatchObject({ msg: expect.stringContaining(pooled) });
    expect(failures[0]).not.toContain("stack");
    // Nothing was written through it.
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    const tables = await database
      .sql()
      .query({ text: "select from information_schema.tables where table_schema = 'public'", values: [] });
    expect(tables).toHaveLength(0);
  });

  test("that refuses the user, or lacks the database, is reported in a sentence, and used once it does not", async () => {
    const url = new URL(await server().database());
    const name = url.pathname.slice(1);
    const withUser = new URL(url);
    withUser.username = "nobody_here";
    const missing = new URL(url);
    missing.pathname = "/not_there_yet";
    const check = "check --database-url or DATABASE_URL";
    for (const [wrong, reason] of [
      [withUser, `PostgreSQL refuses the user nobody_here: ${check}`],
      [missing, `there is no database not_there_yet: create it, or ${check}`],
    ] as const) {
      const { service, health } = await serviceOn(wrong.href);
      await until("the reason", async () => (await health()) === `503 ${reason}`);
      const lines = service.logLines.filter((line) => line.includes(reason));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({
        severity: "warn",
        msg: expect.stringContaining(`the index waits and tries again: ${reason}: `),
      });
      expect(lines[0]).not.toContain("stack");
      if (wrong !== missing) continue;
      const admin = openPatiently(url.href);
      onTestFinished(() => admin.close());
      await admin.sql().query({ text: `create database not_there_yet template "${name}"`, values: [] });
      await until("the index", async () => (await health()) === "200 OK");
    }
  });

  test("behind such a pooler is not filled by a backfill", async () => {
    const { globalConfig } = await devnetWithGateway();
    const databaseUrl = await startPooler(await server().database());
    const config = configWith({ network: "devnet", databaseUrl, globalConfig, adminPort: 0 });
    const backfill = createBackfill(
      config,
      { blocks: { from: 1, to: 1 }, workers: 1 },
      { logTo: { write: () => {} } },
    );
    onTestFinished(() => backfill.close());
    await backfill.listen();
    await expect(backfill.done).rejects.toMatchObject({
      isSetupError: true,
      message: expect.stringContaining(pooled),
    });
  });

  test("that only lets itself be read is refused by a process that writes", async () => {
    const url = await server().database();
    const admin = openPatiently(url);
    onTestFinished(() => admin.close());
    const name = new URL(url).pathname.slice(1);
    await admin
      .sql()
      .transaction((sql) => sql.script(`alter database ${name} set default_transaction_read_only = on`));
    const { health } = await serviceOn(url);
    const reason = "503 --database-url is a read-only database: this process writes the index";
    await until("the refusal", async () => (await health()) === reason);
    const reader = openPatiently(url);
    onTestFinished(() => reader.close());
    await reader.confirm({ writes: false }, new AbortController().signal);
  });

  test("is waited for while it is away", async () => {
    const url = new URL(await server().database());
    url.port = "1";
    const database = openPostgres(url.href);
    onTestFinished(() => database.close());
    const confirmed = database.confirm({ writes: true }, new AbortController().signal);
    await expect(confirmed).rejects.toMatchObject({ code: "unavailable" });
  });
});

test.runIf(mayStopPostgres && havePostgres())(
  "A standby server is refused, also by a process that only reads",
  async () => {
    const server = await TestPostgres.start();
    onTestFinished(() => server.stop());
    const url = await server.database();
    await server.demote();
    const message = "--database-url is a read-only standby: use the address of the primary server";
    const { health } = await serviceOn(url);
    await until("the refusal", async () => (await health()) === `503 ${message}`);
    const reader = openPatiently(url);
    onTestFinished(() => reader.close());
    const confirmed = reader.confirm({ writes: false }, new AbortController().signal);
    await expect(confirmed).rejects.toMatchObject({ isSetupError: true, message });
  },
);
