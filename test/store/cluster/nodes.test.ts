import SQL from "sql-template-tag";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { commitLock } from "../../../server/store/cluster/commits.js";
import { readSeenVersion } from "../../../server/store/cluster/seen-version.js";
import type { Database, Queries } from "../../../server/store/database.js";
import { raiseIndexVersion, readIndexVersion } from "../../../server/store/queries/upkeep/index-version.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";
import { Replica } from "../../../server/store/reads/replica.js";
import type { Fragment } from "../../../server/store/sql/where.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { openReadServer } from "../../../server/store/wire/postgres.js";
import { ton } from "../../helpers/chain/devnet.js";
import { everyRead } from "../../helpers/http/every-read.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { follow } from "../../helpers/index/index-chain.js";
import { askOnce } from "../../helpers/store/ask-once.js";
import { describeCitus } from "../../helpers/store/citus.js";
import { openDivided } from "../../helpers/store/cluster-databases.js";
import { commitHalf, isOn, shardsOf } from "../../helpers/store/half-commit.js";
import { havePgBouncer, startPgBouncer } from "../../helpers/store/pgbouncer.js";
import { openPatiently, TestPostgres } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { startStoryDevnet } from "../../helpers/stories/story-devnet.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { until } from "../../helpers/until.js";

const patientMs = 60_000;
const reading = { statementTimeoutMs: patientMs, atOnce: 4 };
const never = new AbortController().signal;

describeCitus("Answers from any node of a cluster", () => {
  let server: TestPostgres;
  let plain: Database;
  let cluster: Awaited<ReturnType<typeof openDivided>>;
  let divided: Database;
  /** The coordinator, and the others. */
  let doors: string[];
  let apps: IndexApp[];
  let expected: IndexApp;

  const open = (url: string, { isPooled = false } = {}) => {
    const door = openReadServer(url, { isPooled, connectTimeoutMs: patientMs, commits: divided.commits });
    return door;
  };
  const closedAfter = (door: ReturnType<typeof open>) => {
    onTestFinished(() => door.close());
    return door;
  };

  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await TestPostgres.start();
    plain = openPatiently(await server.databaseWithSchema(storyIndex));
    cluster = await openDivided(storyIndex);
    divided = cluster.database;
    doors = [cluster.url, ...cluster.nodes];
    expected = await startIndexApp(plain);
    apps = [];
    for (const url of doors) {
      const door = open(url);
      const app = await startIndexApp(divided, { answers: door.sql(reading) });
      closers.push(
        () => app.close(),
        () => door.close(),
      );
      apps.push(app);
    }
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await expected?.close();
    await plain?.close();
    await cluster?.close();
    await server?.stop();
  });

  it("are those of one server", async () => {
    const paths = (await everyRead(queriesOf(plain))).flatMap(({ paths }) => paths);
    const other: Record<string, unknown> = {};
    let found = 0;
    // Those of the coordinator are compared in `citus.test.ts`.
    const ofNodes = apps.slice(1);
    for (const [at, path] of [...new Set(paths)].entries()) {
      const wanted = await expected.get(path);
      if (wanted[0] === 200) found++;
      const answer = await ofNodes[at % ofNodes.length]!.get(path);
      if (JSON.stringify(answer) !== JSON.stringify(wanted)) other[path] = { wanted, answer };
    }
    expect(other).toEqual({});
    expect(found).toBeGreaterThan(100);
  });

  /** The fees of transactions of all shards. */
  const fees = async (app: IndexApp) => {
    const { transactions } = await app.result<{ transactions: { total_fees: string }[] }>(
      "transactions?limit=100",
    );
    return [...new Set(transactions.map(({ total_fees }) => total_fees))];
  };
  const isHeldUp = () =>
    until("commits to be held up", async () => {
      const held = await queriesOf(divided).query(SQL`
        select from pg_locks where locktype = 'advisory' and granted and mode = 'ShareLock' and objid = ${commitLock}`);
      return held.length > 0;
    });
  const change = async (set: string) => {
    const half = await commitHalf(cluster, { table: "transactions", set });
    onTestFinished(() => half.finish());
    return half;
  };

  it("show a commit that one node has not finished on all nodes", async () => {
    await (await change("total_fees = 1")).finish();
    expect(await fees(apps[0]!)).toEqual(["1"]);
    const seen = async () => (await readSeenVersion(queriesOf(divided))).n;
    const before = await seen();
    const half = await change("total_fees = 2");
    expect(await seen()).toBe(before);
    // A reader that does not compare versions finds rows of both commits.
    const torn = await queriesOf(divided).query<{ fees: bigint }>(
      SQL`select total_fees::bigint as fees from transactions group by total_fees order by 1`,
    );
    expect(torn).toEqual([{ fees: 1n }, { fees: 2n }]);
    const answers = Promise.all(apps.map(fees));
    await isHeldUp();
    await half.finish();
    expect(await answers).toEqual(doors.map(() => ["2"]));
    expect(await seen()).toBe(before + 1);
  });

  it("count on commits that are one transaction on each node", async () => {
    await divided.sql().transaction(async (transaction) => {
      await transaction.script("set local citus.force_max_query_parallelization = on");
      await transaction.query(SQL`update transactions set total_fees = 8`);
      await raiseIndexVersion(transaction);
    });
    const shards = await shardsOf(cluster.url, ["transactions", "index_version"]);
    for (const node of cluster.nodes) {
      const own = shards.filter(isOn(node));
      expect(own.length).toBeGreaterThan(2);
      const rows = own.map(({ shard_name: shard }) => `select xmin::text as writer from ${shard}`);
      expect(await askOnce(node, rows.join(" union "))).toHaveLength(1);
    }
  });

  it("show one that comes while they are read on all nodes", async () => {
    const [{ account } = { account: new Uint8Array() }] = await queriesOf(plain).query<{
      account: Uint8Array;
    }>(SQL`select account from transactions limit 1`);
    const feesIn = async (queries: Queries, condition: Fragment) => {
      const [row] = await queries.query<{ fees: string }>(
        SQL`select string_agg(distinct total_fees::text, ' ') as fees from transactions where ${condition}`,
      );
      return row!.fees;
    };
    await (await change("total_fees = 10")).finish();
    for (const [at, url] of doors.entries()) {
      const seen: string[][] = [];
      const next = `${11 + at}`;
      await closedAfter(open(url))
        .sql(reading)
        .transaction(
          async (queries) => {
            // One node is asked. The others begin their snapshots with the second statement.
            const first = await feesIn(queries, SQL`account = ${account}`);
            if (seen.length === 0) await (await change(`total_fees = ${next}`)).finish();
            seen.push([first, await feesIn(queries, SQL`true`)]);
          },
          { snapshot: true },
        );
      expect(seen[0]![0]).toBe(`${10 + at}`);
      // The coordinator had no snapshot of the other node. A worker has one of itself.
      if (at === 0) expect(seen[0]![1]).toContain(next);
      expect(seen.slice(1)).toEqual([[next, next]]);
    }
  });

  it("show a revert on all nodes at once", async () => {
    const devnet = await startStoryDevnet((error) => {
      throw error;
    });
    onTestFinished(() => devnet.close());
    const { follower, reaches } = follow(divided, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const count = async (queries: Queries, condition: Fragment) => {
      const [row] = await queries.query<{ n: number }>(
        SQL`select count(*)::integer as n from transactions where ${condition}`,
      );
      return row!.n;
    };
    const { last } = await devnet.api.getMasterchainInfo();
    const before = await count(queriesOf(divided), SQL`true`);
    const id = new Uint8Array(32).fill(7);
    const account = Uint8Array.of(0, ...id);
    for (const url of doors) {
      const snapshot = await devnet.controls.snapshot();
      const { block } = await devnet.controls.faucet({ workchain: 0, id }, ton);
      await reaches(block.seqno);
      const seen: number[][] = [];
      await closedAfter(open(url))
        .sql(reading)
        .transaction(
          async (queries) => {
            const first = await count(queries, SQL`account = ${account}`);
            if (seen.length === 0) {
              await devnet.controls.revert(snapshot.id);
              await reaches(last.seqno);
            }
            seen.push([first, await count(queries, SQL`true`)]);
          },
          { snapshot: true },
        );
      expect([seen[0]![0], ...seen.slice(1)]).toEqual([1, [0, before]]);
    }
  });

  it("hold commits up if these always come in between", async () => {
    const node = closedAfter(open(cluster.nodes[0]!)).sql(reading);
    const raise = () => divided.sql().transaction((each) => raiseIndexVersion(each));
    const { n } = await readIndexVersion(queriesOf(divided));
    const seen: number[] = [];
    let last: Promise<void> | undefined;
    await node.transaction(
      async (queries) => {
        seen.push((await readIndexVersion(queries)).n - n);
        if (seen.length < 4) return raise();
        last = raise();
        await until("the commit to wait", async () => {
          const waiting = await queriesOf(divided).query(SQL`
            select from pg_locks where locktype = 'advisory' and not granted and objid = ${commitLock}`);
          return waiting.length > 0;
        });
      },
      { snapshot: true },
    );
    await last;
    expect(seen).toEqual([0, 1, 2, 3]);
  });

  it("are waited for by a writer that has lost one", async () => {
    const { name, columns } = tables.transactions;
    const target = { table: name, columns: Object.keys(columns) };
    const sql = divided.sql({ connections: 1 });
    const rows = await sql.transaction((transaction) =>
      transaction.copyOut(`(select ${target.columns.join(", ")} from ${name})`),
    );
    // Citus keeps connections between nodes.
    await askOnce(
      cluster.nodes[0]!,
      `select pg_terminate_backend(pid, 60000) from pg_stat_activity
       where datname = current_database() and application_name like 'citus_internal%'`,
    );
    const copying = sql.transaction((transaction) => transaction.write([{ target, rows }]));
    await expect(copying).rejects.toMatchObject({ code: "unavailable" });
  });

  it.runIf(havePgBouncer())("pass a pooler of transactions before a node", async () => {
    for (const url of doors) {
      const pooled = closedAfter(open(await startPgBouncer(url, "transaction"), { isPooled: true }));
      const sql = pooled.sql(reading);
      expect(await sql.isDivided()).toBe(true);
      const app = await startIndexApp(divided, { answers: sql });
      onTestFinished(() => app.close());
      const half = await change("total_fees = 9");
      const answers = Promise.all([fees(app), fees(app)]);
      await isHeldUp();
      await half.finish();
      expect(await answers).toEqual([["9"], ["9"]]);
    }
  });

  it("need a node that has the index, not the coordinator", async () => {
    for (const url of doors) {
      const replica = new Replica(open(url), {
        versions: new IndexVersions(),
        maxLagMs: 1000,
        hedgeMs: patientMs,
        statementTimeoutMs: patientMs,
        atOnce: 1,
        readId: async () => (await readIndexVersion(queriesOf(divided))).id,
      });
      onTestFinished(() => replica.close());
      await replica.look(never);
      expect([replica.refusal, replica.state]).toEqual([undefined, "used"]);
    }
    const onNode = openPatiently(cluster.nodes[0]!);
    onTestFinished(() => onNode.close());
    await expect(onNode.confirm({ writes: false }, never)).rejects.toThrow("is not its coordinator");
  });
});
