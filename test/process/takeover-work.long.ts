import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { Ledger, ok, Receiver } from "../helpers/peers/webhook-receiver.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { programArguments } from "../helpers/services/program.js";
import {
  devnetWithGateway,
  key,
  startApi,
  startBackfill,
  startIndex,
} from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { grownContent } from "../helpers/store/growing-index.js";
import { holdOpen } from "../helpers/store/lock-transactions.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { expectWholeDirectories, slotlessTables } from "../helpers/store/slot-directories.js";
import { dumpTables } from "../helpers/store/tables.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const takeoverMs = "3000";
const soon = ["--takeover-ms", takeoverMs];

/** Whether a session waits for this kind of lock on the table, or has it. */
async function isLocking(database: Database, table: string, granted: boolean): Promise<boolean> {
  const rows = await queriesOf(database).query(SQL`
    select from pg_locks where relation = ${table}::regclass and mode = 'RowExclusiveLock' and granted = ${granted}`);
  return rows.length > 0;
}

/** Freezes a process in a transaction that has written to a table. */
async function freezeIn(
  database: Database,
  table: string,
  begin: () => Promise<{ send(signal: NodeJS.Signals): void }>,
) {
  const release = await holdOpen(database, (each) => each.script(`lock table ${table} in share mode`));
  const process = await begin();
  await until("its transaction", () => isLocking(database, table, false));
  process.send("SIGSTOP");
  await release();
  await until("its lock", () => isLocking(database, table, true));
}

describeServers("When a process stands still", (_, server) => {
  async function opened(url: string): Promise<Database> {
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    return database;
  }

  test("another one delivers its webhooks, each event once", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    const database = await opened(place.databaseUrl);
    await startIndex(place);
    const apis = [await startApi(place, ...soon), await startApi(place, ...soon)] as const;
    for (const api of apis)
      await until("the streams", async () => (await api.ask("/api/streaming/healthz"))[0] === 200);
    const receiver = await Receiver.start();
    const secret = "secret-of-all-webhooks";
    const ledger = new Ledger(() => secret);
    receiver.answer = (response, request) => void ledger.take(request).then(() => ok(response, request));
    const create = async (i: number) => {
      const response = await fetch(`${apis[0].url}/jsonRPC`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Key": key },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: i,
          method: "v3.webhooks.create",
          params: { url: receiver.url, kind: "blocks", secret },
        }),
      });
      return ((await response.json()) as { result: { id: string } }).result.id;
    };
    const ids = await Promise.all([1, 2, 3, 4].map(create));
    const workers = async () =>
      queriesOf(database).query<{ worker: bigint; sending: number }>(SQL`
        select worker, sum(sending::integer)::integer as sending from tonwire_kept.webhooks group by worker`);
    await until("both to deliver", async () => (await workers()).length === 2);
    const { last } = await devnet.run<{ last: { seqno: number } }>("getMasterchainInfo");
    const mine = async () => {
      const seqno = await devnet.mine(2);
      await until("the blocks", () => ids.every((id) => ledger.blocks(id).at(-1) === seqno));
      await until("all attempts to end", async () => (await workers()).every(({ sending }) => sending === 0));
      return seqno;
    };
    await mine();
    apis[0].process.send("SIGSTOP");
    await mine();
    expect(await workers()).toHaveLength(1);
    apis[0].process.send("SIGCONT");
    await until("both to deliver", async () => (await workers()).length === 2);
    const newest = await mine();
    const seqnos = Array.from({ length: newest - last.seqno }, (_, i) => last.seqno + 1 + i);
    for (const id of ids)
      expect(ledger.taken.filter(({ webhook }) => webhook === id).map(({ seqno }) => seqno)).toEqual(seqnos);
  });

  test("another one merges slots, and it cannot go on with a copy that is not its own", slow, async () => {
    const url = await server().databaseWithSchema(grownContent(9, 10));
    const database = await opened(url);
    const before = await dumpTables(database, slotlessTables);
    const program = programArguments(new URL("../store/slots/frozen-merger.ts", import.meta.url));
    const merge = (): ChildProcess => {
      const child = spawn(process.execPath, [...program, url, takeoverMs], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const copyId = async () => {
      const [row] = await queriesOf(database).query<{ id: bigint | null }>(
        SQL`select to_regclass('account_states_merging_0')::oid::bigint as id`,
      );
      return row!.id ?? undefined;
    };
    const looks = () =>
      queriesOf(database).query(SQL`
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and query ~ 'virtualxid|run_command_on_workers'`);
    const snapshot = () => holdOpen(database, (each) => each.query(SQL`select from index_meta`));
    const releaseOlder = await snapshot();
    const frozen = merge();
    const texts: string[] = [];
    frozen.stderr!.setEncoding("utf8").on("data", (text) => texts.push(text));
    const ended = once(frozen, "exit");
    const first = await until("the copy", copyId);
    // A session that begins before this look counts as older than the copy.
    await until("its look at what runs", async () => (await looks()).length > 0);
    frozen.kill("SIGSTOP");
    // Older than the next copy, and not than this one.
    const releaseYounger = await snapshot();
    await releaseOlder();
    const other = merge();
    const isDone = once(other, "exit");
    const second = await until("another copy", async () => {
      const id = await copyId();
      return id === first ? undefined : id;
    });
    frozen.kill("SIGCONT");
    expect(await ended).toEqual([1, null]);
    expect(texts.join("")).toMatch(
      /the lock of this work was lost|a connection that was held has ended|database is not available/,
    );
    expect(await copyId()).toBe(second);
    await releaseYounger();
    expect(await isDone).toEqual([0, null]);
    expect(await dumpTables(database, slotlessTables)).toEqual(before);
    await expectWholeDirectories(database);
  });

  test("another one classifies traces again, and then it does, too", slow, async () => {
    const url = await server().databaseWithSchema(storyIndex);
    const database = await opened(url);
    const names = ["traces", "actions", "action_accounts", "action_locator"];
    const before = await dumpTables(database, names);
    await database
      .sql()
      .transaction((each) => each.script("truncate actions, action_accounts, action_locator"));
    const command = () => new TonwireProcess(["reclassify", "--database-url", url, ...soon]);
    const frozen = command();
    await freezeIn(database, "index_meta", async () => frozen);
    const other = command();
    expect([await other.ended, other.stderr]).toEqual([0, expect.stringContaining("was silent for 3 s")]);
    expect(await dumpTables(database, names)).toEqual(before);
    frozen.send("SIGCONT");
    expect(await frozen.ended).toBe(0);
    expect(await dumpTables(database, names)).toEqual(before);
  });

  test("another one fills its range, and the index goes on meanwhile", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    const database = await opened(place.databaseUrl);
    const past = await devnet.mine(5);
    const index = await startIndex(place, "--from", String(past), ...soon);
    const reaches = (seqno: number) =>
      until("the index", async () => (await index.status()).index?.seqno === seqno);
    await reaches(await devnet.mine());
    const range = ["--from", "1", "--to", String(past - 1)];
    let frozen: Awaited<ReturnType<typeof startBackfill>> | undefined;
    await freezeIn(database, "account_slots", async () => {
      frozen = await startBackfill(place, ...range, ...soon);
      return frozen.process;
    });
    // Its transaction keeps the lock of the range. The index ends it.
    await until(
      "the end of its transaction",
      async () => !(await isLocking(database, "account_slots", true)),
    );
    const last = await devnet.mine(2);
    await reaches(last);
    await database
      .sql()
      .query(SQL`update index_ranges set heartbeat = now() - interval '1 min' where to_seqno = ${past - 1}`);
    const other = await startBackfill(place, ...range, ...soon);
    expect(await other.process.ended).toBe(0);
    frozen!.process.send("SIGCONT");
    expect(await frozen!.process.ended).toBe(0);
    expect(await database.sql().query(SQL`select * from indexed_range`)).toEqual([{ first: 1, last }]);
    const cleanUrl = await server().database();
    const clean = await startIndex({ databaseUrl: cleanUrl, globalConfig });
    await until("the other index", async () => (await clean.status()).index?.seqno === last);
    expect(await dumpTables(database)).toEqual(await dumpTables(await opened(cleanUrl)));
  });
});
