import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../helpers/free-port.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { examplesIn } from "../helpers/readmes.js";
import { type Api, devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { askOnce } from "../helpers/store/ask-once.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { lend, mayStopPostgres, postgresProgram, runAsUser } from "../helpers/store/postgres.js";
import { recoveryScript, recoveryTitles, runScript } from "../helpers/store/recovery-commands.js";
import { startStandby } from "../helpers/store/standby.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const account = `0:${"5A".repeat(32)}`;
const lists = ["transactions", "traces"].map((name) => `/api/v3/${name}?account=${account}`);
const answersOf = (api: Api) => Promise.all(lists.map((path) => api.ask(path)));
const body = JSON.stringify({ kind: "transactions", accounts: [account], url: "http://127.0.0.1:9/" });
const webhook = { method: "POST", body };

/** Titles of the scripts that `point-in-time.long.ts` runs. */
const elsewhere = ["a base backup", "a restore to a moment"];
const ran = new Set<string>(elsewhere);

/** A folder of the server's user. */
function lentFolder(): string {
  const folder = folderInRun("tonwire-recovery-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  lend(folder);
  return folder;
}

function script(title: string): string {
  ran.add(title);
  return recoveryScript(title);
}

function as(url: string, user: string, database?: string): string {
  const changed = new URL(url);
  changed.username = user;
  if (database !== undefined) changed.pathname = `/${database}`;
  return changed.href;
}

/** The database `tonwire` with the users of the document. */
async function productionDatabase(base: string): Promise<(user: string, database?: string) => string> {
  const [create, grant] = examplesIn("server/README.md", "sql");
  for (const statement of create!.split(";").filter((each) => each.trim() !== ""))
    await askOnce(base, statement);
  await askOnce(as(base, "postgres", "tonwire"), grant!);
  return (user, database = "tonwire") => as(base, user, database);
}

async function end(...all: { process: { send(signal: "SIGTERM"): void; ended: Promise<unknown> } }[]) {
  for (const { process } of all) process.send("SIGTERM");
  await Promise.all(all.map(({ process }) => process.ended));
}

describeOwnPostgres("The chapter on recovery", (_, server) => {
  test.runIf(mayStopPostgres)("restores dumps with roles and grants, and without them", slow, async () => {
    const base = await server().database();
    const url = await productionDatabase(base);
    const { devnet, globalConfig } = await devnetWithGateway();
    const index = await startIndex({ databaseUrl: url("tonwire_writer"), globalConfig });
    const api = await startApi({ databaseUrl: url("tonwire_reader"), globalConfig });
    await devnet.run("devnet.faucet", { address: account });
    const seqno = await devnet.mine();
    await until("the block in the index", async () => (await api.lastSeqno()) === seqno);
    expect((await api.ask("/api/v3/webhooks/create", webhook))[0]).toBe(200);
    const expected = await answersOf(api);

    const { hostname: PGHOST, port: PGPORT } = new URL(base);
    const place = { cwd: lentFolder(), env: { PGHOST, PGPORT, PGUSER: "postgres" } };
    // While the index is being written.
    await runScript(script("a dump"), place);
    await runScript(script("a dump of what cannot be made again"), place);
    await end(index, api);

    await runScript(script("a restore"), place);
    const restored = (user: string) => ({ databaseUrl: url(user, "tonwire_restored"), globalConfig });
    const second = await startIndex(restored("tonwire_writer"));
    const again = await startApi(restored("tonwire_reader"));
    const next = await devnet.mine();
    await until("the next block", async () => (await again.lastSeqno()) === next);
    expect(await answersOf(again)).toEqual(expected);
    expect((await again.ask("/api/v3/webhooks/create", webhook))[0]).toBe(200);
    await end(second, again);

    await askOnce(base, "drop database tonwire_restored");
    await runScript(script("a restore without grants"), place);
    const forbidden = await startApi(restored("tonwire_reader"));
    const refused = () => forbidden.ask("/api/v3/masterchainInfo");
    await until("the refusal", async () =>
      JSON.stringify(await refused()).includes("database permissions are missing"),
    );
    expect((await refused())[0]).toBe(503);
    // Only operators see which table it is.
    expect(JSON.stringify(await refused())).not.toContain("permission denied");
    expect(JSON.stringify(await forbidden.health())).toMatch(/permission denied for (table|schema) \w+/);
    expect(await forbidden.metrics()).toMatch(/^tonwire_database_forbidden 1$/m);
    await askOnce(url("postgres", "tonwire_restored"), script("the rights of tonwire_reader"));
    await until("the answers", async () => (await refused())[0] === 200);
    expect(await forbidden.metrics()).toMatch(/^tonwire_database_forbidden 0$/m);
    expect(await answersOf(forbidden)).toEqual(expected);
    await end(forbidden);

    await runScript(script("a restore of what cannot be made again"), place);
    await askOnce(url("postgres", "tonwire_anew"), script("the rights of tonwire_reader"));
    const anew = (user: string) => ({ databaseUrl: url(user, "tonwire_anew"), globalConfig });
    const third = await startIndex(anew("tonwire_writer"));
    const filled = await startApi(anew("tonwire_reader"));
    await until("the index made again", async () => (await filled.lastSeqno()) === next);
    expect(await answersOf(filled)).toEqual(expected);
    const kept = () =>
      askOnce(url("postgres", "tonwire_anew"), "select count(*)::int as n from tonwire_kept.webhooks");
    expect(await kept()).toEqual([{ n: 1 }]);
    await end(third, filled);

    const bin = mkdtempSync(join(place.cwd, "bin-"));
    chmodSync(bin, 0o755);
    symlinkSync(join(import.meta.dirname, "../../dist/server/main.js"), join(bin, "tonwire"));
    const emptying = {
      DATABASE_URL: url("tonwire_writer", "tonwire_anew"),
      TONWIRE_NETWORK: "devnet",
      NODE: process.execPath,
    };
    await runScript(`tonwire() { "$NODE" ${bin}/tonwire "$@"; }\n${script("an empty index")}`, {
      ...place,
      env: emptying,
    });
    expect(await kept()).toEqual([{ n: 1 }]);
    const last = await startIndex(anew("tonwire_writer"));
    const remade = await startApi(anew("tonwire_reader"));
    await until("the index made once more", async () => (await remade.lastSeqno()) === next);
    expect(await answersOf(remade)).toEqual(expected);
    await end(last, remade);
  });

  test.runIf(mayStopPostgres)("promotes a standby, and makes another one", slow, async () => {
    const databaseUrl = await server().database();
    const standby = await startStandby(databaseUrl);
    onTestFinished(() => standby.stop());
    await server().halt();
    onTestFinished(() => server().run());
    const env = { DATABASE_URL: standby.url, STANDBY_URL: standby.url };
    await runScript(script("how far a standby has replayed"), { env });
    await runScript(script("a promotion"), { env });
    expect(await standby.ask("select pg_is_in_recovery() as is_standby")).toEqual([{ is_standby: false }]);

    const folder = join(lentFolder(), "standby");
    const port = await freePort();
    onTestFinished(() => {
      if (existsSync(join(folder, "postmaster.pid")))
        runAsUser(postgresProgram("pg_ctl"), ["-D", folder, "-m", "immediate", "stop"], "/");
    });
    const options = `--port=${port} --unix_socket_directories= --listen_addresses=127.0.0.1 --fsync=off`;
    const places = { "/standby": folder, "--port=5433": options };
    await runScript(script("a new standby"), { env, places });
    await standby.ask("create table written as select 42 as answer");
    const second = new URL(standby.url);
    second.port = String(port);
    await until("the row on the new standby", async () => {
      const rows = await askOnce(second.href, "select answer from written").catch(() => []);
      return rows[0]?.answer === 42;
    });
    expect(await askOnce(second.href, "select pg_is_in_recovery() as is_standby")).toEqual([
      { is_standby: true },
    ]);
  });

  test.runIf(mayStopPostgres)("has no command that is not run", () => {
    expect([...recoveryTitles].sort()).toEqual([...ran].sort());
  });
});
