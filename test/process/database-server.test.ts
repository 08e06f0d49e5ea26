import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { isLong, variants } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { startService } from "../helpers/services/service.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { mayStopPostgres, openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const textOf = (line: string): string => JSON.parse(line).msg;

function openedPatiently(url: string): Database {
  const database = openPatiently(url);
  onTestFinished(() => database.close());
  return database;
}

/** A service with an index in the database. */
async function serviceOn(databaseUrl: string) {
  const service = await startService({ databaseUrl, index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  /** As the operator sees it. */
  const health = async () => {
    const answer = await fetch(`${service.adminUrl}/healthcheck?only=all`);
    return `${answer.status} ${await answer.text()}`;
  };
  return { service, health };
}

test("A database that cannot be reached is a sentence of a command, too, without a stack", async () => {
  const port = await freePort();
  const databaseUrl = `postgres://nobody@127.0.0.1:${port}/none`;
  for (const command of [["empty-index"], ["trace", "ab".repeat(32)]])
    expect(await tonwireHere([...command, "--database-url", databaseUrl])).toEqual({
      code: 1,
      stdout: "",
      stderr: `tonwire: database is not available: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    });
});

test("A database that accepts connections and says nothing does not keep a service from its start", async () => {
  const silent = createServer();
  const sockets = new Set<Socket>();
  silent.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const service = await startService({
    databaseUrl: `postgres://nobody@127.0.0.1:${port}/none`,
    keysFile: join(temporaryFolder(), "keys.json"),
    index: true,
  });
  await until("a connection", () => sockets.size > 0);
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
  silent.close();
  for (const socket of sockets) socket.destroy();
  await service.close();
});

describeOwnPostgres("A database server", (_, server) => {
  const used = isLong ? ", and used once it does not" : "";
  test(`that refuses the user, or lacks the database, is reported in a sentence${used}`, async () => {
    const url = new URL(await server().database());
    const name = url.pathname.slice(1);
    const withUser = new URL(url);
    withUser.username = "nobody_here";
    const missing = new URL(url);
    missing.pathname = "/not_there_yet";
    const check = "check --database-url or DATABASE_URL";
    for (const [wrong, reason] of variants(
      [[missing, `database is not available: database "not_there_yet" does not exist: ${check}`] as const],
      [[withUser, `database is not available: role "nobody_here" does not exist: ${check}`] as const],
    )) {
      const { service, health } = await serviceOn(wrong.href);
      await until("the reason", async () => (await health()) === `503 ${reason}`);
      // The usage of keys waits for the database, too, and says so by itself.
      const lines = service.logLines.filter((line) => textOf(line).includes(`tries again: ${reason}`));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({
        severity: "warn",
        msg: `the index waits and tries again: ${reason}`,
      });
      expect(lines[0]).not.toContain("stack");
      if (wrong !== missing || !isLong) continue;
      const admin = openedPatiently(url.href);
      await admin.sql().query({ text: `create database not_there_yet template "${name}"`, values: [] });
      await until("the index", async () => (await health()) === "200 OK");
    }
  });

  test.runIf(mayStopPostgres && isLong)(
    "that asks for a password is reported in a sentence when it is wrong, at the start and later",
    { timeout: 600_000 },
    async () => {
      const right = new URL(await server().database());
      right.username = "with_password";
      right.password = "right";
      const admin = queriesOf(openedPatiently(right.href.replace("with_password:right", "postgres")));
      const ask = (text: string) => admin.query<{ killed: boolean }>({ text, values: [] });
      await ask("create role with_password superuser login password 'right'");
      await server().askForPassword("with_password");

      const wrong = new URL(right);
      wrong.password = "wrong";
      const why =
        'database is not available: password authentication failed for user "with_password": ' +
        "check --database-url or DATABASE_URL";
      const refused = await serviceOn(wrong.href);
      await until("the reason", async () => (await refused.health()) === `503 ${why}`);
      const { service, health } = await serviceOn(right.href);
      await until("the index", async () => (await health()) === "200 OK");
      // Connections stay until they end.
      await ask("alter role with_password password 'another'");
      // Again and again: one that was being made has shown the old password, and is in the list only when it is made.
      const endConnections = () =>
        ask(
          "select pg_terminate_backend(pid) as killed from pg_stat_activity where usename = 'with_password'",
        );
      await until("the reason", async () => {
        await endConnections();
        return service.logLines.some((line) => textOf(line).includes(why));
      });
      await until("the refusal of calls", async () => {
        await endConnections();
        const { json } = await service.get("/api/v3/blocks");
        return isDeepStrictEqual(json, { error: "database is not available" });
      });
      await ask("alter role with_password password 'right'");
      await until("the index", async () => (await health()) === "200 OK");

      for (const line of [...refused.service.logLines, ...service.logLines])
        expect(line).not.toContain('"stack"');
      // On a slow machine others say it, too.
      const said = refused.service.logLines.map(textOf).filter((text) => /^the index .* user/.test(text));
      expect(said).toEqual([`the index waits and tries again: ${why}`]);
    },
  );

  test("that only lets itself be read is refused by a process that writes", async () => {
    const url = await server().database();
    const admin = openPatiently(url);
    onTestFinished(() => admin.close());
    const name = new URL(url).pathname.slice(1);
    await admin
      .sql()
      .transaction((sql) => sql.script(`alter database ${name} set default_transaction_read_only = on`));
    const { service, health } = await serviceOn(url);
    const reason = "--database-url is a read-only database: this process writes the index";
    await until("the refusal", async () => (await health()) === `503 ${reason}`);
    const failures = service.logLines.filter((line) => line.includes("the index failed"));
    expect(failures.map(textOf)).toEqual([`the index failed: ${reason}`]);
    expect(failures[0]).not.toContain("stack");
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
