import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import { backfill } from "../../server/indexer/follow/backfill.js";
import { reindexTokens } from "../../server/indexer/tokens/reindex.js";
import { RateMeter } from "../../server/indexer/work/progress.js";
import { planRanges } from "../../server/indexer/work/ranges.js";
import { commitLock } from "../../server/store/cluster/commits.js";
import { divideIndex } from "../../server/store/cluster/divide.js";
import { dividedTables } from "../../server/store/cluster/divided-tables.js";
import type { Database, Queries } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate/migrate.js";
import { lastTransactionsIn, transactionsIn } from "../../server/store/queries/blocks/units.js";
import { unitsOfAccounts } from "../../server/store/queries/blocks/units-of-accounts.js";
import { raiseIndexVersion } from "../../server/store/queries/upkeep/index-version.js";
import { readTableSizes } from "../../server/store/queries/upkeep/table-sizes.js";
import { lockNumbers } from "../../server/store/sql/locks.js";
import { knownMigrations } from "../../server/store/sql/schemas.js";
import { accountKinds } from "../../server/store/tables/accounts.js";
import { underLock } from "../../server/store/under-lock.js";
import { itemAt } from "../../shared/values/lookups.js";
import { isLong } from "../helpers/effort.js";
import { everyRead } from "../helpers/http/every-read.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { classifier } from "../helpers/index/classifier.js";
import { startDetection } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { CountedNodes, countOwners, countShards, describeCitus, dumpSorted } from "../helpers/store/citus.js";
import { divideAt, makeOnCluster, openDivided } from "../helpers/store/cluster-databases.js";
import type { FreshDatabase } from "../helpers/store/databases.js";
import { GrowingIndex, grown } from "../helpers/store/growing-index.js";
import { longMigration } from "../helpers/store/later-migration.js";
import { havePgBouncer, startPgBouncer } from "../helpers/store/pgbouncer.js";
import { openPatiently, TestPostgres } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { startStoryDevnet } from "../helpers/stories/story-devnet.js";
import { readsOf } from "../helpers/toncenter/paired-reads.js";
import { until } from "../helpers/until.js";

/** With all pairs of filters there are thousands of reads. */
const slow = { timeout: 900_000 };

describeCitus("An index on a Citus cluster", () => {
  let server: TestPostgres;
  let plain: Database;
  let cluster: FreshDatabase & { url: string };
  let divided: Database;
  let devnet: Devnet;
  let apps: { plain: IndexApp; divided: IndexApp };
  let nodes: CountedNodes;
  let counted: IndexApp;
  beforeAll(async () => {
    server = await TestPostgres.start();
    plain = openPatiently(await server.databaseWithSchema());
    cluster = await openDivided();
    divided = cluster.database;
    devnet = await startStoryDevnet((error) => {
      throw error;
    });
    const { detection, close } = await startDetection(devnet);
    for (const database of [plain, divided])
      await indexAll(database, devnet.api, { events: devnet.events, detection, classifier });
    await close();
    apps = { plain: await startIndexApp(plain), divided: await startIndexApp(divided) };
    nodes = new CountedNodes(divided.sql({ statementTimeoutMs: 120_000 }), queriesOf(divided));
    counted = await startIndexApp(divided, { answers: nodes });
  });
  afterAll(async () => {
    for (const app of [...Object.values(apps ?? {}), counted]) await app?.close();
    await devnet?.close();
    await plain?.close();
    await cluster?.close();
    await server?.stop();
  });

  it("gives the same answer as one server to each read with each filter", slow, async () => {
    const queries = queriesOf(plain);
    const every = (await everyRead(queries)).flatMap(({ paths }) => paths);
    const paths = new Set([...every, ...(await readsOf(queries, { withPairs: isLong }))]);
    const other: Record<string, unknown> = {};
    let found = 0;
    for (const path of paths) {
      const [expected, answer] = [await apps.plain.get(path), await apps.divided.get(path)];
      if (expected[0] === 200) found++;
      if (JSON.stringify(answer) !== JSON.stringify(expected)) other[path] = { expected, answer };
    }
    expect(other).toEqual({});
    expect(found).toBeGreaterThan(paths.size / 2);
  });

  it("asks few shards for a page of one account, and each twice for any page of ten, directories and address book apart", async () => {
    const shards = await countShards(queriesOf(divided));
    const [busy] = await queriesOf(plain).query<{ account: string }>(SQL`
      select wire_address(account) as account from transactions group by account order by count(*) desc limit 1`);
    const [sent] = await queriesOf(plain).query<{ hash: string; message: string }>(SQL`
      select wire_hash(tx_hash) as hash, wire_hash(msg_hash) as message from messages
      where direction = 1 and destination is not null order by tx_lt desc limit 1`);
    const [holder] = await queriesOf(plain).query<{ account: string; wallets: number }>(SQL`
      select wire_address(source) as account,
        (select count(*)::integer from jetton_wallets where owner = source) as wallets
      from jetton_transfers group by source order by count(*) desc limit 1`);
    const [collector] = await queriesOf(plain).query<{ account: string; items: number }>(SQL`
      select wire_address(real_owner) as account, count(*)::integer as items
      from nft_items group by real_owner order by count(*) desc limit 1`);
    const [block] = await queriesOf(plain).query<{ hash: string }>(SQL`
      select wire_hash(root_hash) as hash from blocks order by start_lt desc limit 1`);
    const [act] = await queriesOf(plain).query<{ id: string }>(SQL`
      select wire_hash(action_id) as id from actions order by end_lt desc limit 1`);
    const action = encodeURIComponent(act!.id);
    const account = busy!.account;
    const rootHash = encodeURIComponent(block!.hash);
    const [hash, message] = [sent!.hash, sent!.message].map(encodeURIComponent);
    // One statement for each of the shards that have accounts of the page.
    const book = shards;
    const asked: [path: string, most: number][] = [
      [`transactions?account=${account}&limit=10`, 4 + book],
      [`transactions?account=${account}&limit=10&offset=10&sort=asc`, 4 + book],
      ["transactions?limit=10", 2 * shards + book],
      // Locators have the account, by which one shard has the rest.
      [`transactions?hash=${hash}`, 4 + book],
      ["transactions?opcode=0x0f8a7ea5&limit=10", 2 * shards + book],
      [`transactionsByMessage?msg_hash=${message}`, 4 + book],
      [`adjacentTransactions?hash=${hash}`, 8 + book],
      ["messages?limit=10", 2 * shards + book],
      [`messages?msg_hash=${message}`, 4 + book],
      [`messages?source=${account}&limit=10`, 2 * shards + book],
      [`traces?account=${account}&limit=10`, 2 * shards + book],
      ["traces?limit=10", 2 * shards + book],
      // msg_locator, and the shard of the trace.
      [`traces?msg_hash=${message}`, 2 * shards + 2 + book],
      [`actions?account=${account}&limit=10`, 4 + book],
      [`actions?account=${account}&action_type=ton_transfer,jetton_transfer&limit=10`, 4 + book],
      [`account/balanceHistory?address=${account}&limit=10`, 4],
      [`account/balanceHistory?address=${account}&interval=day&limit=10`, 4],
      ["actions?limit=10", 2 * shards + book],
      ["actions?action_type=ton_transfer,jetton_transfer&limit=10&sort=asc", 2 * shards + book],
      [`actions?msg_hash=${message}`, 4 + book],
      [`actions?action_id=${action}`, 2 + book],
      [`events?account=${account}&limit=10`, 2 * shards + book],
      ["jetton/transfers?limit=10", shards + book],
      ["jetton/wallets?limit=10", shards + book],
      // The shard of the owner, and those of its tokens.
      [`jetton/wallets?owner_address=${holder!.account}&limit=10`, 1 + holder!.wallets + book],
      ["nft/items?limit=10", 2 * shards + book],
      [`nft/items?owner_address=${collector!.account}&limit=10`, 1 + collector!.items + book],
      [`accountStates?address=${account}&address=${holder!.account}`, 2 + book],
      [`addressBook?address=${account}&address=${holder!.account}`, 2],
      ["topAccountsByBalance?limit=10", shards],
      [`blocks?root_hash=${rootHash}`, 1],
      // token_slots, and two of the coordinator, which merges both sides of the owner.
      [`jetton/transfers?owner_address=${holder!.account}&limit=10`, 2 * shards + 3 + book],
    ];
    const tooMany: string[] = [];
    for (const [path, most] of asked) {
      const count = await nodes.during(() => counted.result(path));
      if (isLong) console.log(`${count} statements of nodes: ${path}`);
      if (count > most) tooMany.push(`${path}: ${count} of ${most}`);
    }
    expect(tooMany).toEqual([]);
  });

  it("gives the same long pages, which it reads piece by piece", async () => {
    for (const path of [
      "transactions?limit=450",
      "messages?limit=450",
      "messages?limit=450&direction=in&sort=asc",
    ]) {
      const expected = await apps.plain.result(path);
      expect(JSON.stringify(await apps.divided.result(path))).toBe(JSON.stringify(expected));
    }
  });

  it("has the rows of one server", async () => {
    expect(await dumpSorted(divided)).toEqual(await dumpSorted(plain));
    const owners = await countOwners(queriesOf(divided));
    expect(owners).toEqual({ all: expect.toSatisfy((all: number) => all > 20), unnoted: 0 });
  });

  it("finds the same blocks for streams", async () => {
    const [range] = await queriesOf(plain).query<{ first: number; last: number }>(
      SQL`select * from indexed_range`,
    );
    const accounts = (
      await queriesOf(plain).query<{ account: Uint8Array }>(SQL`
      select account from latest_account_states order by account`)
    ).map(({ account }) => account);
    const read = (database: Database) =>
      database.sql().transaction(
        async (queries) => {
          const found: unknown[] = [];
          for (const concern of ["transactions", "traces", "actions", "jettonWallets"] as const)
            found.push(await unitsOfAccounts(queries, accounts, concern, range!));
          for (let seqno = range!.first; seqno <= range!.last; seqno += 5)
            found.push(await lastTransactionsIn(queries, seqno), await transactionsIn(queries, seqno));
          return found;
        },
        { snapshot: true },
      );
    const expected = await read(plain);
    expect(expected.flat().length).toBeGreaterThan(20);
    expect(await read(divided)).toEqual(expected);
  });

  it("adds missing token events again", async () => {
    const names = ["jetton_transfers", "jetton_burns", "nft_transfers", "token_slots"];
    const before = await dumpSorted(divided, names);
    expect(before["jetton_transfers"]!.length).toBeGreaterThan(5);
    await divided.sql({ connections: 1 }).transaction((each) => each.script(`truncate ${names.join(", ")}`));
    const setting = {
      database: queriesOf(divided),
      rate: new RateMeter(() => 0),
      onProgress: () => {},
      atOnce: 20,
    };
    await underLock(divided, lockNumbers.tokenReindex, new AbortController().signal, (signal, lock) =>
      reindexTokens({ ...setting, lock }, signal),
    );
    expect(await dumpSorted(divided, names)).toEqual(before);
  });

  describe("a snapshot", () => {
    const raise = () => divided.sql().transaction((each) => raiseIndexVersion(each));
    const versionIn = async (queries: Queries) => {
      const [row] = await queries.query<{ n: bigint }>(SQL`select n from index_version`);
      return row!.n;
    };
    const waitsForLock = () =>
      until("a lock to be waited for", async () => {
        const waiting = await queriesOf(divided).query(SQL`
          select from pg_locks where locktype = 'advisory' and not granted and objid = ${commitLock}`);
        return waiting.length > 0;
      });

    it("that spans commits is read again, and at last the next one waits for it", async () => {
      const seen: bigint[] = [];
      let last: Promise<void> | undefined;
      await divided.sql({ statementTimeoutMs: 60_000 }).transaction(
        async (queries) => {
          seen.push(await versionIn(queries));
          if (seen.length < 4) await raise();
          else {
            last = raise();
            await waitsForLock();
          }
        },
        { snapshot: true },
      );
      await last;
      expect(seen).toEqual([0n, 1n, 2n, 3n].map((more) => seen[0]! + more));
      expect(await versionIn(queriesOf(divided))).toBe(seen[0]! + 4n);
    });
  });

  it("counts the bytes of all nodes", async () => {
    const sizes = await readTableSizes(queriesOf(divided));
    const own = await queriesOf(divided).query<{ name: string; bytes: bigint }>(SQL`
      select t.name, sum(pg_total_relation_size(relid))::bigint as bytes
      from unnest(${dividedTables.map(({ name }) => name)}::text[]) t(name)
      cross join lateral (
        select relid from pg_partition_tree(t.name::regclass) union select t.name::regclass) tree group by 1`);
    expect(own.length).toBeGreaterThan(4);
    for (const { name, bytes } of own) {
      const found = sizes.find(({ table }) => table === name);
      expect(found!.nodes.length).toBeGreaterThan(1);
      expect(found!.nodes.reduce((sum, node) => sum + node.bytes, 0)).toBe(found!.bytes);
      expect([name, found!.bytes]).toEqual([
        name,
        expect.toSatisfy((all: number) => all > Number(bytes) + 50_000),
      ]);
    }
  });

  it("cancels a statement whose caller has gone", async () => {
    const gone = new AbortController();
    const sleeping = divided.sql({ statementTimeoutMs: 60_000 }).transaction(
      async (queries) => {
        await queries.query(SQL`select pg_sleep(600) as slept`);
      },
      { snapshot: true, signal: gone.signal },
    );
    sleeping.catch(() => {});
    const running = async () =>
      (
        await queriesOf(divided).query(SQL`
          select from pg_stat_activity where state = 'active' and query like '%as slept' and pid <> pg_backend_pid()`)
      ).length;
    await until("the statement", async () => (await running()) === 1);
    gone.abort();
    await expect(sleeping).rejects.toMatchObject({ code: "timeout" });
    await until("its end", async () => (await running()) === 0);
  });

  it.runIf(havePgBouncer())(
    "is read through a pooler of sessions, and not through one of transactions",
    async () => {
      const open = async (mode: "session" | "transaction") => {
        const pooled = openPatiently(await startPgBouncer(cluster.url, mode));
        onTestFinished(() => pooled.close());
        return pooled;
      };
      const { signal } = new AbortController();
      const pooled = await open("session");
      await pooled.confirm({ writes: true }, signal);
      const app = await startIndexApp(pooled);
      onTestFinished(() => app.close());
      for (const path of ["transactions?limit=20", "actions?limit=20", "traces?limit=5", "messages?limit=20"])
        expect(await app.result(path)).toEqual(await apps.divided.result(path));
      await expect((await open("transaction")).confirm({ writes: true }, signal)).rejects.toThrow("pooler");
    },
  );

  it("is not divided twice", async () => {
    expect(await divideIndex(divided.sql({ connections: 1 }))).toBeUndefined();
  });
});

describeCitus("An index on a Citus cluster that several workers fill", () => {
  it("has the rows of one server that one worker has filled", async () => {
    const server = await TestPostgres.start();
    const plain = openPatiently(await server.databaseWithSchema());
    const { database: divided, close } = await openDivided();
    const devnet = await startStoryDevnet((error) => {
      throw error;
    });
    onTestFinished(async () => {
      await devnet.close();
      await plain.close();
      await close();
      await server.stop();
    });
    const { last } = await devnet.api.getMasterchainInfo();
    await indexAll(plain, devnet.api, { classifier });
    await planRanges(divided.sql(), { from: 1, to: last.seqno, blocks: Math.ceil(last.seqno / 8) });
    const fill = (worker: string) =>
      backfill(
        {
          database: divided,
          lite: devnet.api,
          classifier,
          worker,
          limits: { blocks: 3, rows: 1000 },
          onError(error) {
            throw error;
          },
        },
        new AbortController().signal,
      );
    await Promise.all(["first", "second"].map(fill));
    expect(await dumpSorted(divided)).toEqual(await dumpSorted(plain));
  });

  it("is migrated while it is read, and then has new slots", async () => {
    const { database, close } = await openDivided();
    onTestFinished(close);
    const index = new GrowingIndex(database);
    await index.begin();
    await index.growTo(2);
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const migrating = migrate(database.sql(), { migrations: [...knownMigrations(), longMigration] });
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await app.result("transactions?limit=5");
    })();
    await migrating.finally(() => {
      isOver = true;
    });
    await reading;
    const [row] = await queriesOf(database).query<{ seen: boolean; n: bigint }>(SQL`
      select bool_and(is_seen is true) as seen, count(*) as n from transactions`);
    expect(row!.seen).toBe(true);
    await index.growTo(3);
    const [grown] = await queriesOf(database).query<{ n: bigint }>(SQL`
      select count(*) as n from transactions where is_seen is null`);
    expect(grown!.n).toBeGreaterThan(0n);
    expect(await app.result("transactions?limit=1")).toMatchObject({ transactions: [{}] });
  });

  it("goes on as an earlier version divided it, and is divided further", async () => {
    const { url, nodes, drop } = await makeOnCluster();
    onTestFinished(drop);
    const opened = async <T>(use: (database: Database) => Promise<T>): Promise<T> => {
      const database = openPatiently(url);
      try {
        return await use(database);
      } finally {
        await database.close();
      }
    };
    const grow = (slots: number) =>
      opened((database) => new GrowingIndex(database, { slots: slots - 1 }).growTo(slots));
    const answers = () =>
      opened(async (database) => {
        const app = await startIndexApp(database);
        const top = await app.result<{ account: string }[]>("topAccountsByBalance?limit=20");
        const addresses = top.map(({ account }) => `address=${account}`).join("&");
        const hash = encodeURIComponent(Buffer.from(grown.rootHash).toString("base64"));
        const wallets = await app.result<{ jetton_wallets: { owner: string }[] }>("jetton/wallets?limit=30");
        const { owner } = itemAt(wallets.jetton_wallets, 0);
        const found = {
          items: await app.result<{ nft_items: unknown[] }>("nft/items?limit=30"),
          ...{
            top,
            wallets,
            owned: await app.result(`jetton/wallets?owner_address=${encodeURIComponent(owner)}`),
          },
          blocks: await app.result<{ blocks: unknown[] }>(`blocks?root_hash=${hash}`),
          states: await app.result<{ accounts: unknown[] }>(`accountStates?${addresses}`),
          book: await app.result(`addressBook?${addresses}`),
          named: await Promise.all(namesOfGrown.map((path) => app.result<Record<string, unknown>>(path))),
        };
        await app.close();
        return found;
      });
    const [hashOfTransaction, hashOfMessage, idOfAction] = [
      ...[grown.hashes[0], grown.messages[0], grown.action].map((each) =>
        encodeURIComponent(Buffer.from(each).toString("base64")),
      ),
    ];
    const namesOfGrown = [
      `transactions?hash=${hashOfTransaction}`,
      `messages?msg_hash=${hashOfMessage}`,
      `transactionsByMessage?msg_hash=${hashOfMessage}`,
      `actions?action_id=${idOfAction}`,
    ];
    const placesOf = (database: Database) =>
      queriesOf(database).query<{ name: string; nodes: bigint }>(SQL`
        select table_name::text as name, count(distinct nodeport) as nodes from citus_shards
        where table_name = any(${later}::text[]::regclass[]) group by 1 order by 1`);
    const kindsOf = (database: Database) =>
      queriesOf(database).query<{ n: bigint }>(SQL`
        select count(*) as n from account_kinds where kind = any(${later.map((name) => accountKinds.indexOf(name as never))}::smallint[])`);
    const later = ["block_locator", "jetton_wallets", "latest_account_states", "nft_items"];
    await divideAt(url);
    await opened(async (database) => {
      await new GrowingIndex(database).begin();
      for (const name of later)
        for (const text of [
          `select undistribute_table('${name}')`,
          ...(accountKinds.includes(name as never)
            ? [
                `create trigger note_kind after insert on ${name} referencing new table as written
                  execute function note_kind(${accountKinds.indexOf(name as never)}, 'address')`,
              ]
            : []),
          `select citus_add_local_table_to_metadata('${name}')`,
        ])
          await queriesOf(database).query({ text, values: [] });
    });
    await grow(1);
    await grow(2);
    expect((await opened(placesOf)).map(({ nodes }) => nodes)).toEqual(later.map(() => 1n));
    const before = await answers();
    expect([before.top.length, before.states.accounts.length, before.blocks.blocks.length]).toEqual([
      20, 20, 1,
    ]);
    expect(before.named.map((answer) => Object.values(answer).find(Array.isArray)?.length)).toEqual([
      1, 1, 2, 1,
    ]);
    await opened(async (database) => {
      for (const table of ["tx_locator", "msg_locator"])
        await queriesOf(database).query({ text: `alter table ${table} drop column account`, values: [] });
      await expect(migrate(database.sql())).rejects.toThrow("tonwire migrate --citus");
      await queriesOf(database).query(SQL`drop table owned_tokens`);
      await expect(migrate(database.sql())).rejects.toThrow("tonwire migrate --citus");
    });
    expect([before.wallets.jetton_wallets.length, before.items.nft_items.length]).toEqual([30, 30]);
    expect((await opened(kindsOf))[0]!.n).toBeGreaterThan(0n);
    expect(await opened((database) => divideIndex(database.sql({ connections: 1 })))).toMatchObject({
      nodes: nodes.length,
    });
    expect((await opened(placesOf)).map(({ nodes }) => nodes)).toEqual(later.map(() => 2n));
    expect((await opened(kindsOf))[0]!.n).toBe(0n);
    expect(await answers()).toEqual(before);
    await grow(3);
    expect(await opened((database) => divideIndex(database.sql({ connections: 1 })))).toBeUndefined();
  });

  it("is refused while it has blocks, and while processes use it", async () => {
    const { url, drop } = await makeOnCluster();
    const database = openPatiently(url);
    onTestFinished(async () => {
      await database.close();
      await drop();
    });
    const sql = database.sql({ connections: 1 });
    await migrate(sql);
    await sql.query(SQL`insert into slots (from_lt, to_lt) values (0, 1)`);
    await expect(divideIndex(sql)).rejects.toThrow("the index has blocks");
    await sql.query(SQL`delete from slots`);
    await queriesOf(database).query(SQL`select`);
    await expect(divideIndex(sql)).rejects.toThrow("processes of tonwire use the database");
  });
});
