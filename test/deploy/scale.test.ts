import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { scaledCompose, textOf } from "../helpers/deploy/deployed-files.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { askOnce } from "../helpers/store/ask-once.js";
import { havePgBouncer } from "../helpers/store/pgbouncer.js";
import {
  havePostgres,
  lend,
  mayStopPostgres,
  postgresProgram,
  TestPostgres,
  unprivileged,
} from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const password = "s3cret";
const { services } = scaledCompose();
const programs = () => dirname(postgresProgram("psql"));
const path = () => `${programs()}:${process.env["PATH"]}:/usr/sbin`;

/** Runs a script of the folder, as the user of the server, with places of this machine in it. */
function script(
  name: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  text = textOf(name),
) {
  const child = spawn("sh", ["-s", ...args], {
    ...unprivileged(),
    cwd: "/",
    env: { PATH: path(), ...env },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    output += part;
  });
  child.stdin.end(text);
  return { child, output: () => output };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGINT");
  await exit;
}

const ask = (url: string, text: string): Promise<Record<string, unknown>[]> => askOnce(url, text);

describe.runIf(havePostgres() && mayStopPostgres && havePgBouncer())("the files for scale", () => {
  let primary: TestPostgres;
  let owner: string;
  const standbyFolder = () => join(place, "standby");
  let place: string;
  beforeAll(async () => {
    place = folderInRun("tonwire-scale-");
    lend(place);
    primary = await TestPostgres.start();
    owner = await primary.database();
    await ask(owner, `create role tonwire login password '${password}'`);
    await ask(owner, `grant all on database ${new URL(owner).pathname.slice(1)} to tonwire`);
    await ask(owner, "grant all on schema public to tonwire");
    await primary.askForPassword("tonwire");
  });
  afterAll(() => primary?.stop());

  /** A URL of the database for the user of the service, at another port. */
  const asUser = (port: string | number = new URL(owner).port) => {
    const url = new URL(owner);
    Object.assign(url, { username: "tonwire", password, port: String(port) });
    return url.href;
  };

  async function prepare(): Promise<string> {
    const { port, pathname } = new URL(owner);
    const [{ data_directory: folder }] = (await ask(owner, "show data_directory")) as [
      { data_directory: string },
    ];
    const { child, output } = script("scale/primary.sh", {
      POSTGRES_USER: "postgres",
      POSTGRES_DB: pathname.slice(1),
      REPLICATION_PASSWORD: password,
      PGDATA: folder,
      PGHOST: "127.0.0.1",
      PGPORT: port,
    });
    const [code] = await once(child, "close");
    expect([code, output()]).toEqual([0, ""]);
    return execFileSync("cat", [join(folder, "pg_hba.conf")], { encoding: "utf8" });
  }

  async function startStandby() {
    const { command } = services["standby"]!;
    const port = await freePort();
    const here = [`--port=${port}`, "--listen_addresses=127.0.0.1", "--unix_socket_directories="];
    // As little memory as tests need.
    const settings = command!.map((each) => each.replace(/=\dGB$/, "=64MB"));
    const started = script(
      "scale/standby.sh",
      {
        PRIMARY: `host=127.0.0.1 port=${new URL(owner).port}`,
        REPLICATION_PASSWORD: password,
        PGDATA: standbyFolder(),
      },
      [...settings, ...here],
    );
    await until(
      () => `the standby:\n${started.output()}`,
      () =>
        ask(asUser(port), "select").then(
          () => true,
          () => false,
        ),
    );
    return { port, ...started };
  }

  it("let a standby copy the primary, once, and follow it, also after a stop", slow, async () => {
    const rules = await prepare();
    // It may be run again.
    expect(await prepare()).toBe(rules);
    expect(rules.match(/^host replication replicator all scram-sha-256$/gm)).toHaveLength(1);
    await ask(owner, "create schema other create table seen (n integer)");
    // Files left by an interrupted copy.
    execFileSync("mkdir", ["-p", `${standbyFolder()}.new/base`], unprivileged());
    const first = await startStandby();
    const counted = async (port: number) =>
      (await ask(asUser(port), "select count(*)::int as n from other.seen"))[0];
    await ask(owner, "grant usage on schema other to tonwire; grant select on other.seen to tonwire");
    await ask(owner, "insert into other.seen values (1)");
    await until("the row", async () => (await counted(first.port).catch(() => ({ n: 0 })))!["n"] === 1);
    await stop(first.child);
    await ask(owner, "insert into other.seen values (2)");
    const second = await startStandby();
    onTestFinished(() => stop(second.child));
    await until("the next row", async () => (await counted(second.port))!["n"] === 2);
    expect(await ask(asUser(second.port), "select pg_is_in_recovery() as f")).toEqual([{ f: true }]);
  });

  /** PgBouncer before a standby, and whether it is well for a caller with a password. */
  async function startPooler() {
    await prepare();
    const standby = await startStandby();
    onTestFinished(() => stop(standby.child));
    const port = await freePort();
    const name = new URL(owner).pathname.slice(1);
    const ini = join(place, "pgbouncer.ini");
    const users = join(place, "users.txt");
    writeFileSync(
      ini,
      textOf("scale/pgbouncer.ini")
        .replace("tonwire = host=standby port=5432", `${name} = host=127.0.0.1 port=${standby.port}`)
        .replace("listen_port = 6432", `listen_port = ${port}`)
        .replace("/tmp/users.txt", users),
    );
    const text = textOf("scale/pgbouncer.sh")
      .replace("/tmp/users.txt", users)
      .replace("/etc/pgbouncer/pgbouncer.ini", ini);
    const pooler = script("scale/pgbouncer.sh", { POSTGRES_PASSWORD: password }, [], text);
    onTestFinished(() => stop(pooler.child));

    const [, ...check] = services["pgbouncer"]!.healthcheck!.test as [string, string, ...string[]];
    const [command, ...args] = check.map((each) =>
      each
        .replaceAll("$$", "$")
        .replace("6432", String(port))
        .replace("--dbname tonwire", `--dbname ${name}`),
    );
    const healthWith = (given: string) =>
      promisify(execFile)(command!, args, {
        env: { PATH: path(), POSTGRES_PASSWORD: given },
        encoding: "utf8",
      }).then(
        () => true,
        () => false,
      );
    await until("the pooler", () => healthWith(password));
    return { port, standby, healthWith };
  }

  it("let PgBouncer lead to the standby, with the password alone", slow, async () => {
    const { healthWith } = await startPooler();
    expect(await healthWith("another")).toBe(false);
  });

  it.runIf(isLong)("let a service read from the standby through PgBouncer", slow, async () => {
    const { port, standby, healthWith } = await startPooler();
    const { DATABASE_READ_URLS: given, TONWIRE_DATABASE_READ_POOLED: isPooled } =
      services["api-3"]!.environment!;
    const url = new URL(given!.replace(/\$\{[^}]*\}/, password));
    expect([url.username, url.hostname, url.port, url.pathname, isPooled]).toEqual([
      "tonwire",
      "pgbouncer",
      "6432",
      "/tonwire",
      "true",
    ]);
    const service = await startDevnetService({
      databaseUrl: asUser(),
      databaseReadUrls: [asUser(port)],
      databaseReadPooled: true,
      index: true,
      adminPort: await freePort(),
    });
    onTestFinished(() => service.close());
    await untilIndexed(service, await service.mine());
    const used = async () =>
      /^tonwire_database_standby_used\{.*\} 1$/m.test(
        await (await fetch(`${service.adminUrl}/metrics`)).text(),
      );
    await until("the standby to be used", used);
    expect((await service.get("/api/v3/blocks?limit=1")).json).toMatchObject({ blocks: [{}] });
    // The standby is gone, and with it the health of the pooler; the primary answers.
    await stop(standby.child);
    await until("the pooler to be unhealthy", async () => !(await healthWith(password)));
    expect((await service.get("/api/v3/blocks?limit=2")).status).toBe(200);
  });
});
