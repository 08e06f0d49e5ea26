import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownMigrations } from "../../server/store/sql/schemas.js";
import { freePort } from "../helpers/free-port.js";
import { halfACall } from "../helpers/services/half-a-call.js";
import { havePostgres, mayStopPostgres, postgresProgram, TestPostgres } from "../helpers/store/postgres.js";
import { storyEnd } from "../helpers/stories/story.js";
import { until } from "../helpers/until.js";
import { ConstantCalls, ConstantPayments } from "./helpers/constant-calls.js";
import { type Role, type Running, ServerMachine } from "./helpers/server-machine.js";

// An operator's work in the life of a deployment: the packed service as separate processes on a separate PostgreSQL
// server, as another user if root runs the tests. Each test continues after the one before it.

const execute = promisify(execFile);
const account = `0:${"5A".repeat(32)}`;
const originKey = "origin";
const seen = encodeURIComponent(account);
/** Lists that cover all records of the chain. */
const lists = [
  `/api/v3/transactions?account=${seen}&limit=1000&sort=asc`,
  "/api/v3/blocks?workchain=-1&limit=1000&sort=asc",
  `/api/v3/accountStates?address=${seen}`,
  `/api/v3/traces?account=${seen}&limit=1000&sort=asc`,
  "/api/v3/actions?limit=1000&sort=asc",
  "/api/v3/jetton/wallets?limit=1000",
  "/api/v3/nft/items?limit=1000",
];
/** Short ones, of both APIs. */
const calls = [
  `/api/v3/transactions?account=${seen}&limit=5`,
  `/api/v2/getAddressInformation?address=${seen}`,
  `/api/v3/accountStates?address=${seen}`,
  "/api/v2/getMasterchainInfo",
];
const newest = knownMigrations().at(-1)!.number;
const nextMigration = {
  name: `${String(newest + 1).padStart(4, "0")}-operator-notes.sql`,
  script: `create table operator_notes (id bigint primary key, note text not null);
alter table blocks add column operator_note text;
`,
};

describe.runIf(havePostgres() && mayStopPostgres)("an operator", () => {
  let machine: ServerMachine;
  let server: TestPostgres;
  let databaseUrl: string;
  let origin: string;
  let key: string;
  let roles: Record<"origin" | "writer" | "standby" | "api1" | "api2", Role>;
  let urls: Record<"api1" | "api2", string>;
  const running: Record<string, Running> = {};
  const payments = new ConstantPayments(pay);

  beforeAll(async () => {
    [machine, server] = await Promise.all([ServerMachine.install(), TestPostgres.start()]);
    databaseUrl = await server.database();
    const [originPort, port1, port2] = [await freePort(), await freePort(), await freePort()];
    const listens = (port: number) => ["--port", `${port}`];
    machine.serviceFolder("shared");
    roles = {
      origin: await machine.role(
        "origin",
        ...listens(originPort),
        ...["--index", "false", "--mining", "manual", "--liteserver-port", "0"],
        ...["--liteserver-config", machine.path("shared/devnet.json")],
      ),
      writer: await machine.role("writer", "index"),
      standby: await machine.role("standby", "index"),
      api1: await machine.role("api-1", "api", ...listens(port1)),
      api2: await machine.role("api-2", "api", ...listens(port2)),
    };
    origin = `http://127.0.0.1:${originPort}`;
    urls = { api1: `http://127.0.0.1:${port1}`, api2: `http://127.0.0.1:${port2}` };
  });
  afterAll(async () => {
    await machine?.close();
    await server?.stop();
  });

  const settings = () => machine.path("tonwire.json");
  /** Writes the configuration file that all processes but the origin share. */
  function configure(members: object = {}): void {
    const shared = {
      ...{ databaseUrl, globalConfig: machine.path("shared/devnet.json"), devnetKeyRequired: true },
      ...{ keysFile: machine.path("shared/keys.json"), ...members },
    };
    writeFileSync(settings(), JSON.stringify(shared));
    chmodSync(settings(), 0o644);
  }
  function start(...names: (keyof typeof roles)[]): void {
    for (const name of names) running[name] = machine.start(roles[name], { TONWIRE_CONFIG: settings() });
  }
  async function onOrigin(method: string, params: object): Promise<void> {
    const answer = await fetch(`${origin}/jsonRPC`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": originKey },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { error } = (await answer.json()) as { error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
  }
  /** In blocks that are all made when it resolves, so that the chain rests between payments. */
  async function pay(amount: string): Promise<void> {
    await onOrigin("devnet.faucet", { address: account, amount });
    await onOrigin("devnet.mine", { blocks: 2 });
  }
  const statusOf = async (url: string, withKey?: string) =>
    (
      await fetch(`${url}/api/v2/getMasterchainInfo`, {
        headers: withKey === undefined ? {} : { "X-API-Key": withKey },
      })
    ).status;
  const hears = (withKey: string, status: number) =>
    until(`keys with ${status}`, async () => {
      const both = await Promise.all(Object.values(urls).map((url) => statusOf(url, withKey)));
      return both.every((each) => each === status);
    });
  async function ask<T>(url: string, path: string): Promise<T> {
    const answer = await fetch(url + path, { headers: { "X-API-Key": key } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }
  async function chainHead(): Promise<number> {
    const answer = await fetch(`${origin}/api/v2/getMasterchainInfo`, {
      headers: { "X-API-Key": originKey },
    });
    return ((await answer.json()) as { result: { last: { seqno: number } } }).result.last.seqno;
  }
  /** Waits until a process answers from the newest block of the chain, which makes no blocks meanwhile. */
  async function reachesHead(url: string): Promise<void> {
    const seqno = await chainHead();
    await until(`block ${seqno} at ${url}`, async () => {
      const { last } = await ask<{ last: { seqno: number } }>(url, "/api/v3/masterchainInfo");
      return last.seqno === seqno;
    });
  }
  /**
   * The answers of every process to the lists at the head of the chain; fails if two differ, or payments are missing.
   */
  async function answersAtHead(): Promise<unknown[]> {
    const all: unknown[][] = [];
    for (const url of Object.values(urls)) {
      await reachesHead(url);
      all.push(await Promise.all(lists.map((path) => ask(url, path))));
    }
    expect(all[1]).toEqual(all[0]);
    const [{ transactions }] = all[0] as [{ transactions: { in_msg: { value: string } }[] }];
    expect(transactions.map(({ in_msg }) => in_msg.value)).toEqual(payments.amounts);
    return all[0]!;
  }
  /**
   * Calls all processes during an operation on them, while chain and index continue. Returns the failures at each of
   * them.
   */
  async function underCalls(happens: (both: ConstantCalls[]) => Promise<void>): Promise<string[][]> {
    const both = Object.values(urls).map((url) => ConstantCalls.start(url, key, calls));
    payments.start(() => Promise.any(both.map((each) => each.goOn())));
    try {
      for (const each of both) await each.goOn();
      await happens(both);
      await payments.goOn();
      for (const each of both) await each.goOn();
    } finally {
      await payments.stop();
      for (const each of both) await each.stop();
    }
    return both.map(({ failures }) => failures);
  }

  it("installs the packed service, and starts a process that writes the index and two that answer", async () => {
    const { version } = JSON.parse(
      readFileSync(machine.path("node_modules/tonwire-server/package.json"), "utf8"),
    );
    expect(await machine.asOperator("--version")).toBe(version);
    running["origin"] = machine.start(roles.origin, { TONWIRE_DEVNET_KEY: originKey });
    await running["origin"].becomesHealthy();
    configure();
    start("writer", "api1", "api2");
    for (const name of ["writer", "api1", "api2"]) await running[name]!.becomesHealthy();
    await running["writer"]!.said("the process is ready: it indexes devnet");
    await running["writer"]!.said("this process writes the index");
    await running["api1"]!.said(
      "the service is ready: it answers for devnet from the index that another process writes",
    );
    const end = await storyEnd();
    await until("the sample data", async () => (await chainHead()) >= end);
    await pay("1");
    payments.amounts.push("1");
  });

  it("makes keys as root and as the user of the service, which count at once", async () => {
    const store = ["--keys-file", machine.path("shared/keys.json"), "--network", "devnet"];
    key = await machine.asOperator("keys", "create", ...store, "--plan", "unlimited", "--quiet");
    const mine = await machine.asService("keys", "create", ...store, "--json");
    for (const each of [key, (JSON.parse(mine) as { key: string }).key]) await hears(each, 200);
    expect(await statusOf(urls.api1, "tw_devnet_nobody")).toBe(401);
    await until("callers without a key to be refused", async () => (await statusOf(urls.api1)) === 429);
    expect(await statusOf(urls.api1, key)).toBe(200);
    const answers = await answersAtHead();
    expect(answers).toMatchObject([
      ...[{}, {}, { accounts: [{ status: "uninit" }] }, {}, {}],
      { jetton_wallets: expect.arrayContaining([expect.anything()]) },
      { nft_items: expect.arrayContaining([expect.anything()]) },
    ]);
  });

  it("loses nothing when the writer is killed: the one on standby takes over, and no call fails", async () => {
    start("standby");
    await running["standby"]!.said("this process stands by: another process writes the index");
    const failed = await underCalls(async () => {
      await running["writer"]!.kill();
      await running["standby"]!.said("this process has taken over and writes the index");
    });
    expect(failed).toEqual([[], []]);
    await answersAtHead();
    start("writer");
    await running["writer"]!.becomesHealthy();
  });

  it("loses nothing when one that answers is killed: no call fails at the other one", async () => {
    const failed = await underCalls(async ([, other]) => {
      await running["api1"]!.kill();
      await other!.goOn();
      start("api1");
      await running["api1"]!.becomesHealthy();
    });
    expect(failed[1]).toEqual([]);
    expect(failed[0]!.filter((each) => !each.includes("fetch failed"))).toEqual([]);
    await answersAtHead();
  });

  it("saves the database under calls, restores it elsewhere, and goes on there with the same answers", async () => {
    const dump = machine.path("tonwire.dump");
    const failed = await underCalls(async () => {
      await execute(postgresProgram("pg_dump"), ["--format", "custom", "--file", dump, databaseUrl]);
    });
    expect(failed).toEqual([[], []]);
    const before = await answersAtHead();
    for (const name of ["writer", "standby", "api1", "api2"]) {
      expect([name, await running[name]!.stop()]).toEqual([name, 0]);
      await running[name]!.said("the process stops after SIGTERM: calls in flight have up to 10 s");
      await running[name]!.said("the process has stopped; nothing was cut off");
    }
    databaseUrl = await server.database();
    const flags = ["--no-owner", "--no-privileges", "--dbname", databaseUrl];
    await execute(postgresProgram("pg_restore"), [...flags, dump]);
    configure();
    start("writer", "standby", "api1", "api2");
    for (const name of ["writer", "standby", "api1", "api2"]) await running[name]!.becomesHealthy();
    expect(await answersAtHead()).toEqual(before);
    expect(await underCalls(async () => {})).toEqual([[], []]);
    await answersAtHead();
  });

  it("upgrades one process after the other, beside those of the version before", async () => {
    const oldMain = machine.main;
    machine.upgrade("99.0.0", nextMigration);
    expect(await machine.asOperator("--version")).toBe("99.0.0");
    const failed = await underCalls(async ([first, second]) => {
      // The index still has the schema of the version before.
      await running["api1"]!.stop();
      start("api1");
      await running["api1"]!.becomesHealthy("The database has an older schema than this version reads");
      await second!.goOn();
      await running["standby"]!.stop();
      start("standby");
      await running["standby"]!.said(`migrating the database, ${nextMigration.name} of ${newest + 1}`);
      await running["api1"]!.becomesHealthy();
      await second!.goOn();
      await running["standby"]!.said("this process stands by: another process writes the index");
      await running["writer"]!.stop();
      await running["standby"]!.said("this process has taken over and writes the index");
      await first!.goOn();
    });
    expect(failed[1]).toEqual([]);
    await answersAtHead();
    await running["api2"]!.stop();
    start("api2", "writer");
    for (const name of ["api2", "writer", "standby"]) await running[name]!.becomesHealthy();
    await answersAtHead();

    const refusal = `the database has schema ${newest + 1}, this version knows ${newest} at most: install the version that wrote it, or a newer one`;
    const old = await machine.role("old", "index");
    const late = machine.start(old, { TONWIRE_CONFIG: settings() }, oldMain);
    expect(await late.process.ended).toBe(1);
    expect(late.process.stderr).toContain(`\ntonwire: ${refusal}\n`);
  });

  it("replaces a key by another one, while both are valid and when the old one is not any more", async () => {
    const store = ["--keys-file", machine.path("shared/keys.json")];
    const list = JSON.parse(await machine.asOperator("keys", "list", ...store, "--json")) as {
      id: string;
      plan: string;
    }[];
    const { id } = list.find(({ plan }) => plan === "unlimited")!;
    const next = await machine.asService("keys", "rotate", id, "--grace", "1h", ...store, "--quiet");
    await hears(next, 200);
    await hears(key, 200);
    await machine.asOperator("keys", "revoke", id, ...store);
    await hears(key, 401);
    key = next;
    await answersAtHead();
  });

  it("changes settings while the processes run", async () => {
    configure({ slowMs: 2000 });
    for (const name of ["writer", "api1", "api2"]) {
      running[name]!.process.send("SIGHUP");
      await running[name]!.said("the settings were read again: slowMs changed");
    }
    await answersAtHead();
  });

  it("stops all of them, with the calls in flight answered", async () => {
    const finish = await halfACall(urls.api1, key);
    for (const { process } of Object.values(running)) process.send("SIGTERM");
    await running["api1"]!.said("the process stops after SIGTERM: calls in flight have up to 10 s");
    expect(await finish()).toContain("HTTP/1.1 200 OK");
    for (const [name, each] of Object.entries(running)) {
      expect([name, await each.process.ended]).toEqual([name, 0]);
      await each.said("the process has stopped; nothing was cut off");
    }
  });
});
