import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import type { Database, IndexVersion, LeastVersion } from "../../../server/store/database.js";
import { raiseIndexVersion, readIndexVersion } from "../../../server/store/queries/upkeep/index-version.js";
import type { SnapshotSource } from "../../../server/store/reads/index-reader.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";
import { Primary } from "../../../server/store/reads/primary.js";
import { Replicas } from "../../../server/store/reads/replicas.js";
import { openReadServer } from "../../../server/store/wire/postgres.js";
import type { Address } from "../../../shared/values/address.js";
import { isLong, sized } from "../../helpers/effort.js";
import { stakeHolder } from "../../helpers/elections/elections.js";
import { mayFreeze } from "../../helpers/frozen.js";
import { everyRead } from "../../helpers/http/every-read.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { askOnce } from "../../helpers/store/ask-once.js";
import { describeOwnPostgres } from "../../helpers/store/describe-databases.js";
import { nominatorEventRow, poolRow, poolValidatorEventRow } from "../../helpers/store/made-pools.js";
import { havePgBouncer, startPgBouncer } from "../../helpers/store/pgbouncer.js";
import { mayStopPostgres, openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { bytesOf, type Rows, storeRows } from "../../helpers/store/rows.js";
import { startStandby } from "../../helpers/store/standby.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { until } from "../../helpers/until.js";

const slow = { timeout: 600_000 };
const patientMs = 120_000;
const testOfStandby = test.runIf(mayStopPostgres);
/** Standbys wait for seconds before they connect to a primary again. */
const testOfReturn = test.runIf(mayStopPostgres && isLong);
const testOfFrozen = test.runIf(mayStopPostgres && mayFreeze);
const testOfPooler = test.runIf(havePgBouncer());

type Setting = {
  urls: readonly string[];
  isPooled?: boolean;
  maxLagMs?: number;
  hedgeMs?: number;
  lookMs?: number;
  primary?: SnapshotSource;
};

const [pool, nominator, validator] = [1, 2, 3].map((number) => stakeHolder(number)) as [
  Address,
  Address,
  Address,
];

/** The story stakes nothing. */
const stakes: Rows = {
  nominatorPools: [poolRow(pool, [[nominator, 5n, 1n]], { validator_address: bytesOf(validator) })],
  nominatorPoolEvents: [
    nominatorEventRow(1n, "reward", { pool: bytesOf(pool), nominator: bytesOf(nominator) }),
  ],
  nominatorPoolValidatorEvents: [
    poolValidatorEventRow(2n, "reward", { pool: bytesOf(pool), validator: bytesOf(validator) }),
  ],
};

/** Fails what a standby should have answered. */
const noPrimary: SnapshotSource = {
  transaction: () => Promise.reject(new Error("the primary was asked")),
};

async function openReplicas(
  database: Database,
  { urls, isPooled = false, maxLagMs = patientMs, hedgeMs = patientMs, lookMs = patientMs, primary }: Setting,
) {
  const direct = database.sql({ statementTimeoutMs: patientMs });
  const versions = new IndexVersions();
  versions.begin(await readIndexVersion(direct));
  const silences: boolean[] = [];
  const servers = urls.map((url) => openReadServer(url, { isPooled, connectTimeoutMs: patientMs }));
  const door = new Primary({
    sql: primary ?? direct,
    look: () => readIndexVersion(direct),
    hedgeMs,
    lookMs,
    onSilent: (isSilent) => void silences.push(isSilent),
  });
  const replicas = new Replicas(door, servers, {
    versions,
    maxLagMs,
    hedgeMs,
    statementTimeoutMs: patientMs,
    atOnce: 4,
    readId: async () => (await door.look()).id,
  });
  onTestFinished(() => replicas.close());
  const states = () => replicas.all.map(({ state }) => state).join();
  const hedges = () => replicas.all.reduce((sum, each) => sum + each.hedges, 0);
  /** Commits a change, and hears of it. */
  const change = async () => {
    await direct.transaction(raiseIndexVersion);
    const version = await readIndexVersion(direct);
    versions.saw(version);
    return version.n;
  };
  /** The version that an answer is read at. */
  const read = async (least?: LeastVersion) => {
    let at: IndexVersion | undefined;
    const onVersion = (version: IndexVersion) => {
      at = version;
    };
    const statement = { text: "select n::integer as n from index_version", values: [] };
    const [row] = await replicas.transaction((queries) => queries.query<{ n: number }>(statement), {
      snapshot: true,
      least,
      onVersion,
    });
    expect(at?.n).toBe(row!.n);
    return row!.n;
  };
  return { replicas, silences, states, hedges, change, read };
}

/** `npm test` asks a whole service with a standby, in `test/process/standby.test.ts`. */
if (isLong)
  describeOwnPostgres(
    "Answers from other servers",
    (_, server) => {
      let url: string;
      let database: Database;
      let direct: IndexApp;
      let reads: Awaited<ReturnType<typeof everyRead>>;
      /** What the database itself answers. */
      const expected = new Map<string, [status: number, body: unknown]>();
      beforeAll(async () => {
        url = await server().databaseWithSchema(storyIndex);
        database = openPatiently(url);
        await storeRows(database, stakes);
        direct = await startIndexApp(database);
        reads = await everyRead(queriesOf(database));
        for (const path of reads.flatMap(({ paths }) => paths)) expected.set(path, await direct.get(path));
      });
      afterAll(async () => {
        await direct?.close();
        await database?.close();
      });

      test("are compared of every method", () => {
        const isShown = (path: string) => expected.get(path)![0] === 200;
        expect([...expected.keys()].filter(isShown).length).toBeGreaterThan(0.8 * expected.size);
        const unread = reads.filter(({ paths }) => !paths.some(isShown));
        expect(unread.map(({ method }) => method)).toEqual([]);
      });

      /** Answers through the replicas, many at once on few sessions, are those of the database itself. */
      const compare = async (setting: Setting) => {
        const { replicas, states } = await openReplicas(database, { ...setting, primary: noPrimary });
        await replicas.begin();
        expect(states()).toBe("used");
        const through = await startIndexApp(database, { answers: replicas });
        onTestFinished(() => through.close());
        const answers = await Promise.all(
          [...expected.keys()].map(async (path) => [path, await through.get(path)] as const),
        );
        for (const [path, answer] of answers) expect([path, answer]).toEqual([path, expected.get(path)]);
      };

      testOfStandby("are the same from a standby", slow, async () => {
        const standby = await startStandby(url);
        onTestFinished(() => standby.stop());
        await compare({ urls: [standby.url] });
      });

      testOfPooler("are the same through a pooler in transaction mode", slow, async () => {
        await compare({ urls: [await startPgBouncer(url, "transaction")], isPooled: true });
      });
    },
    storyIndex,
  );

describeOwnPostgres("A database without standbys", (_, server) => {
  testOfFrozen("refuses answers while it hangs, until it answers again", slow, async () => {
    const database = openPatiently(await server().databaseWithSchema());
    onTestFinished(() => database.close());
    const { silences, change, read } = await openReplicas(database, { urls: [], hedgeMs: 50, lookMs: 200 });
    const n = await change();
    // A busy machine may be silent, too, until it answers.
    const answers = async () => (await read().catch(() => undefined)) === n;
    await until("an answer", answers);
    const before = silences.length;
    onTestFinished(() => server().thaw());
    server().freeze();
    const many = Array.from({ length: 20 }, () => read().catch((error: unknown) => error));
    for (const error of await Promise.all(many)) {
      expect(error).toBeInstanceOf(ServiceError);
      expect((error as ServiceError).statusIn("v3")).toBe(503);
    }
    expect(silences.slice(before)).toEqual([true]);
    await expect(read()).rejects.toMatchObject({ code: "unavailable" });
    server().thaw();
    await until("its answers", answers);
    expect(silences[before + 1]).toBe(false);
  });
});

describeOwnPostgres("A standby", (_, server) => {
  const open = async () => {
    const url = await server().databaseWithSchema();
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    return { url, database };
  };
  /** Standbys of the server, which have all of its databases. */
  const standbys: Awaited<ReturnType<typeof startStandby>>[] = [];
  beforeAll(async () => {
    if (!mayStopPostgres) return;
    const url = await server().databaseWithSchema();
    // Standbys that are away for a while find what they missed.
    for (const text of ["alter system set wal_keep_size = '1GB'", "select pg_reload_conf()"])
      await askOnce(url, text);
    // The first one cancels statements that its replay waits for.
    for (const settings of [{ max_standby_streaming_delay: "0" }, {}].slice(0, sized(1, 2)))
      standbys.push(await startStandby(url, settings));
  });
  afterAll(async () => {
    for (const standby of standbys) await standby.stop();
  });
  /** One of the standbys, which runs, and the URL of a database that it has by now. */
  const standbyOf = async (primaryUrl: string, number = 0) => {
    const standby = standbys[number]!;
    await standby.start();
    const url = new URL(standby.url);
    url.pathname = new URL(primaryUrl).pathname;
    const ask = (text: string) => askOnce(url.href, text);
    const isThere = () =>
      ask("select 1").then(
        () => true,
        () => false,
      );
    await until("the database on the standby", isThere);
    return { ...standby, url: url.href, ask };
  };

  testOfStandby("that is paused is asked for what it has, until it lags for too long", slow, async () => {
    const { url, database } = await open();
    const standby = await standbyOf(url);
    const patient = await openReplicas(database, { urls: [standby.url] });
    await patient.replicas.begin();
    const before = await patient.change();
    await until("the replay", async () => (await patient.read()) === before);
    await standby.pause();
    onTestFinished(() => standby.resume().then(() => {}));
    const after = await patient.change();
    expect(await patient.read()).toBe(before);
    expect(patient.states()).toBe("used");
    // The primary is asked for what the standby lacks.
    expect(await patient.read("newest")).toBe(after);
    expect(await patient.read(1)).toBe(after);

    const strict = await openReplicas(database, { urls: [standby.url], maxLagMs: 50 });
    await strict.replicas.begin();
    const last = await strict.change();
    await until("the lag", () => strict.states() === "behind");
    expect(await strict.read()).toBe(last);

    await standby.resume();
    await until("the end of the lag", () => strict.states() === "used");
    await until("the replay", async () => (await patient.read()) === last);
    expect(await patient.read("newest")).toBe(last);
  });

  testOfStandby("that ends together with all others is replaced by the primary", slow, async () => {
    const { url, database } = await open();
    const all = [];
    for (const number of standbys.keys()) all.push(await standbyOf(url, number));
    const { replicas, states, change, read } = await openReplicas(database, {
      urls: all.map((each) => each.url),
    });
    await replicas.begin();
    const n = await change();
    for (const each of all) await each.stop();
    // No read has found out yet that any is gone.
    expect(await read()).toBe(n);
    await until("all to be left out", () => /^(unreachable,?)+$/.test(states()));
  });

  testOfStandby("that cancels a statement for replay is left to another one", slow, async () => {
    const { url, database } = await open();
    const standby = await standbyOf(url);
    const { replicas, states } = await openReplicas(database, { urls: [standby.url] });
    await replicas.begin();
    const direct = database.sql();
    await direct.query({ text: "create table conflicting as select 1 as a", values: [] });
    await until("the table", async () => {
      const rows = await standby.ask("select to_regclass('conflicting') as found");
      return rows[0].found !== null;
    });
    let runs = 0;
    const statement = { text: "select a from conflicting", values: [] };
    const rows = await replicas.transaction(
      async (queries) => {
        runs++;
        await queries.query(statement);
        // Replay of an exclusive lock cancels those who hold another one.
        if (runs === 1) {
          await direct.query({ text: "alter table conflicting add column b integer", values: [] });
          const cancelled = () =>
            queries.query(statement).then(
              () => false,
              () => true,
            );
          await until("the conflict", cancelled);
        }
        return queries.query<{ a: number }>({ ...statement, isLast: true });
      },
      { snapshot: true },
    );
    expect([rows, runs]).toEqual([[{ a: 1 }], 2]);
    await until("it to be used again", () => states() === "used");
  });

  testOfFrozen("that hangs is left out, and its answers are read elsewhere", slow, async () => {
    const { url, database } = await open();
    const standby = await standbyOf(url);
    const { replicas, states, hedges, change, read } = await openReplicas(database, {
      urls: [standby.url],
      hedgeMs: 50,
    });
    await replicas.begin();
    const n = await change();
    await until("the replay", async () => (await read("newest")) === n && states() === "used");
    standby.freeze();
    onTestFinished(() => standby.thaw());
    // More than may be asked of another server because of slowness.
    const many = 30;
    expect(await Promise.all(Array.from({ length: many }, () => read()))).toEqual(Array(many).fill(n));
    expect(states()).toBe("unreachable");
    const before = hedges();
    expect(before).toBeLessThan(many);
    expect(await read()).toBe(n);
    expect(hedges()).toBe(before);
    standby.thaw();
    await until("it to be used again", () => states() === "used");
    expect(await read()).toBe(n);
  });

  testOfFrozen("that hangs in the middle of an answer is left to another one", slow, async () => {
    const { url, database } = await open();
    const standby = await standbyOf(url);
    const { replicas, states } = await openReplicas(database, { urls: [standby.url], hedgeMs: 50 });
    await replicas.begin();
    const place = { text: "select pg_is_in_recovery() as there", values: [] };
    onTestFinished(() => standby.thaw());
    let isFrozen = false;
    const interrupted = () =>
      replicas.transaction(
        async (queries) => {
          const [first] = await queries.query<{ there: boolean }>(place);
          if (first!.there) {
            standby.freeze();
            isFrozen = true;
          }
          return queries.query<{ there: boolean }>({ ...place, isLast: true });
        },
        { snapshot: true },
      );
    // On a busy machine the standby may be slow to answer, so that the primary does.
    const rows = await until("an answer that the standby began", async () => {
      const found = await interrupted();
      return isFrozen && found;
    });
    expect([rows, states()]).toEqual([[{ there: false }], "unreachable"]);
    standby.thaw();
    await until("it to be used again", () => states() === "used");
  });

  testOfFrozen("that hangs together with the database is read from as soon as it answers", slow, async () => {
    const { url, database } = await open();
    const standby = await standbyOf(url);
    const { replicas, silences, states, change, read } = await openReplicas(database, {
      urls: [standby.url],
      hedgeMs: 50,
      lookMs: 200,
    });
    await replicas.begin();
    const n = await change();
    // A busy machine may be silent before.
    const newest = () => read("newest").catch(() => undefined);
    await until("the replay", async () => (await newest()) === n && states() === "used");
    const before = silences.length;
    onTestFinished(() => server().thaw());
    onTestFinished(() => standby.thaw());
    server().freeze();
    standby.freeze();
    const answer = read();
    await until("the database to be found silent", () => silences.length > before);
    standby.thaw();
    expect(await answer).toBe(n);
  });

  testOfStandby(
    "that is slow with some answers stays, and whichever begins one first gives it",
    slow,
    async () => {
      const { url, database } = await open();
      const standby = await standbyOf(url);
      const { replicas, states, hedges } = await openReplicas(database, { urls: [standby.url], hedgeMs: 50 });
      await replicas.begin();
      const onStandby = openPatiently(standby.url);
      onTestFinished(() => onStandby.close());
      const held = await onStandby.lock(7, new AbortController().signal);
      const waiting =
        "select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7), pg_is_in_recovery() as there";
      const versions: IndexVersion[] = [];
      let reads = 0;
      for (; hedges() < 2; reads++) {
        await until("it to be used", () => states() === "used");
        const rows = await replicas.transaction(
          (queries) => queries.query<{ there: boolean }>({ text: waiting, values: [], isLast: true }),
          { snapshot: true, onVersion: (version) => void versions.push(version) },
        );
        expect(rows.map(({ there }) => there)).toEqual([false]);
      }
      expect(versions).toHaveLength(reads);
      await held.release();
      await until("it to be used", () => states() === "used");
    },
  );

  const refusalOf = async (database: Database, setting: Setting) => {
    const { replicas } = await openReplicas(database, setting);
    const error = await replicas.begin().catch((each: unknown) => each);
    expect(error).toMatchObject({ isSetupError: true });
    return (error as Error).message;
  };

  test("is refused if it has another index, or none", async () => {
    const { url, database } = await open();
    const other = await open();
    const sql = other.database.sql();
    await sql.query({ text: "update index_version set id = gen_random_uuid()", values: [] });
    await sql.query({ text: "insert into index_meta values ('network', 'testnet')", values: [] });
    const { host } = new URL(url);
    const begin = `--database-read-urls: ${host} is no standby of --database-url`;
    expect(await refusalOf(database, { urls: [url, other.url] })).toBe(
      `${begin}: it has another index, of testnet`,
    );
    const empty = await server().database();
    expect(await refusalOf(database, { urls: [empty] })).toBe(`${begin}: The database has no index yet`);
  });

  testOfPooler("behind a pooler in transaction mode is refused without the setting for it", async () => {
    const { url, database } = await open();
    const pooled = await startPgBouncer(url, "transaction");
    const sentence =
      "--database-read-urls lead through a pooler in transaction or statement mode: set --database-read-pooled";
    expect(await refusalOf(database, { urls: [pooled] })).toBe(sentence);
    const inTransactions = await openReplicas(database, {
      urls: [pooled],
      isPooled: true,
      primary: noPrimary,
    });
    await inTransactions.replicas.begin();
    expect(await inTransactions.read()).toBe((await readIndexVersion(queriesOf(database))).n);
    const inSession = await openReplicas(database, { urls: [await startPgBouncer(url, "session")] });
    await inSession.replicas.begin();
    expect(inSession.states()).toBe("used");
  });

  // The last one, as it stops the primary.
  testOfReturn("that ends is replaced by another one, and by the primary", slow, async () => {
    const { url, database } = await open();
    const [one, other] = [await standbyOf(url), await standbyOf(url, 1)];
    const { replicas, states, change, read } = await openReplicas(database, { urls: [one.url, other.url] });
    await replicas.begin();
    expect(states()).toBe("used,used");
    const n = await change();
    await until("the replay", async () => (await read("newest")) === n);
    await one.stop();
    expect(await read()).toBeLessThanOrEqual(n);
    await other.stop();
    expect(await read()).toBe(n);
    await until("both to be left out", () => states() === "unreachable,unreachable");
    await one.start();
    await until("one to be used", () => states() === "used,unreachable");
    await server().halt();
    onTestFinished(() => server().run());
    const answers = () => read().catch(() => undefined);
    await until("an answer without the primary", async () => (await answers()) === n);
    await one.stop();
    await until("it to be left out", () => states() === "unreachable,unreachable");
    await one.start();
    await until("it to be used again", () => states() === "used,unreachable");
    await until("its answer", async () => (await answers()) === n);
    await one.stop();
    const error = await read().catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).statusIn("v3")).toBe(503);
  });
});
