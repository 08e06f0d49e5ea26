import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { Database, Queries } from "../../../server/store/database.js";
import type { Table } from "../../../server/store/declare/table.js";
import {
  copyPartitions,
  splitTables,
  watchPartitions,
} from "../../../server/store/queries/slots/partition-copies.js";
import { mergeSlots, nextToMerge } from "../../../server/store/queries/slots/slot-merges.js";
import { deleteAfter, readChangedAccounts } from "../../../server/store/queries/upkeep/revert.js";
import { ColdSlots, dropUnfinished, mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import type { Address } from "../../../shared/values/address.js";
import { isLong, sized } from "../../helpers/effort.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import {
  describeDatabases,
  describeOwnPostgres,
  describePostgres,
  describeServers,
} from "../../helpers/store/describe-databases.js";
import { GrowingIndex, grown, grownContent } from "../../helpers/store/growing-index.js";
import { growthPaths } from "../../helpers/store/growth-reads.js";
import { lend, mayStopPostgres, openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { bytesOf, storeRows, transactionRow } from "../../helpers/store/rows.js";
import { expectWholeDirectories, slotlessTables } from "../../helpers/store/slot-directories.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { watchedSql } from "../../helpers/store/watched-sql.js";
import { until } from "../../helpers/until.js";

/** A group of four is old, and one more slot with it. */
const slots = 9;
/** Locks and running transactions are looked at without a pause. */
const eager = { pauseMs: 5 };

/** Few transactions, but enough that those of an account are on many pages. */
const every = 10;

const grownSlots = grownContent(slots, every);

/** The answers to all reads; to a few of each kind in `npm test`. */
async function answersOf(database: Database): Promise<Record<string, unknown>> {
  const app = await startIndexApp(database);
  const answers: Record<string, unknown> = {};
  const paths = growthPaths.filter((_, place) => place % sized(16, 1) === 0);
  for (const path of paths) answers[path] = await app.result(path);
  await app.close();
  return answers;
}

/** An empty folder for tables of the server. */
function lentFolder(): string {
  const folder = folderInRun("tonwire-tablespace-");
  lend(folder);
  return folder;
}

/** On how many pages the transactions of an account are. */
async function pagesOf(database: Database, account: Address): Promise<number> {
  const [row] = await queriesOf(database).query<{ n: bigint }>(SQL`
    select count(distinct (tableoid, (ctid::text::point)[0])) as n from transactions
    where account = ${bytesOf(account)}`);
  return Number(row!.n);
}

async function partitionCounts(database: Database): Promise<Record<string, number>> {
  const rows = await queriesOf(database).query<{ name: string; n: bigint }>(SQL`
    select i.inhparent::regclass::text as name, count(*) as n
    from pg_inherits i join pg_partitioned_table p on p.partrelid = i.inhparent
    where p.partstrat = 'r' group by 1`);
  return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
}

const declared = Object.values<Table>(tables);

/** A snapshot that is open until it is closed. */
async function openSnapshot(database: Database): Promise<{ queries: Queries; close(): Promise<void> }> {
  let close = () => {};
  const closing = new Promise<void>((resolve) => {
    close = resolve;
  });
  onTestFinished(() => close());
  let ended: Promise<void> = closing;
  const queries = await new Promise<Queries>((resolve, reject) => {
    ended = database.sql({ connections: 1 }).transaction(
      async (transaction) => {
        await transaction.query(SQL`select from index_meta`);
        resolve(transaction);
        await closing;
      },
      { snapshot: true },
    );
    ended.catch(reject);
  });
  return {
    queries,
    async close() {
      close();
      await ended;
    },
  };
}

async function countsOf(queries: Queries): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {};
  for (const { name, partitionBy } of declared) {
    if (partitionBy === undefined || name === tables.messageContents.name) continue;
    const [row] = await queries.query<{ n: bigint }>({
      text: `select count(*) as n from ${name}`,
      values: [],
    });
    counts[name] = row!.n;
  }
  return counts;
}

/** The first table, by name, that is copied. */
async function isFirstCopied(database: Database): Promise<boolean> {
  const [row] = await queriesOf(database).query<{ found: boolean }>(SQL`
    select to_regclass('account_states_merging_0') is not null as found`);
  return row!.found;
}

/** Replaced partitions that have not been dropped, and tables in which changes of partitions are noted. */
async function leftOf(database: Database): Promise<string[]> {
  const rows = await queriesOf(database).query<{ name: string }>(SQL`
    select relname::text as name from pg_class
    where relkind = 'r' and relname ~ '_(changed|replaced)_[0-9]+$' order by 1`);
  return rows.map(({ name }) => name);
}

async function takeBack(database: Database): Promise<void> {
  const sql = database.sql();
  const changed = await readChangedAccounts(sql, grown.seqno);
  const accounts = changed.map(({ account }) => account);
  await sql.transaction((transaction) => deleteAfter(transaction, grown.seqno, accounts));
}

/** The transactions up to a block. */
function transactionsUpTo(database: Database, seqno: number): Promise<unknown[]> {
  return queriesOf(database).query(SQL`
    select account, lt, hash from transactions where mc_block_seqno <= ${seqno} order by lt, hash`);
}

describeDatabases(
  "Old slots",
  (fresh) => {
    test("are merged, which a writer knows before it names them, all answers stay the same, and taken back", async () => {
      // One group, or two.
      const groups = sized(1, 2);
      const size = slots + 4 * (groups - 1);
      const database = await fresh();
      await new GrowingIndex(database, { every, slots }).growTo(size);
      const before = await answersOf(database);
      const pages = await pagesOf(database, grown.busy);
      const sql = database.sql();
      const partitions = new Partitions(sql);
      const second = { from: 100_000n, to: 150_000n };
      await partitions.cover(second.from, second.to);
      expect(partitions.slotOf(second.to)).toBe(second.from);
      const isSame = () => sql.transaction((transaction) => partitions.hold(transaction, second));
      expect(await isSame()).toBe(true);
      expect(await mergeOldSlots(sql, eager)).toBe(true);
      expect(await isSame()).toBe(false);
      await partitions.cover(second.from, second.to);
      expect(await isSame()).toBe(true);
      expect(partitions.slotOf(second.to)).toBe(0n);
      expect(await answersOf(database)).toEqual(before);
      // A shard has few accounts, whose rows are less scattered before.
      const isScattered = isLong && !(await sql.isDivided());
      expect(await pagesOf(database, grown.busy)).toBeLessThan(pages * (isScattered ? 0.5 : 0.7));
      expect(await partitionCounts(database)).toMatchObject({
        transactions: size - 3 * groups,
        // With that of traces that are open.
        traces: size - 3 * groups + 1,
        account_states: size - 3 * groups,
      });
      await expectWholeDirectories(database);
      const kept = await transactionsUpTo(database, grown.seqno);
      expect(kept.length).toBeGreaterThan(0);
      await takeBack(database);
      expect(await transactionsUpTo(database, 2 ** 31 - 1)).toEqual(kept);
      await expectWholeDirectories(database, { reverted: true });
    });

    test.runIf(isLong)("are taken back like others", async () => {
      const dumps: unknown[] = [];
      for (const isMerged of [false, true]) {
        const database = await fresh();
        if (isMerged) await mergeOldSlots(database.sql(), eager);
        await takeBack(database);
        await expectWholeDirectories(database, { reverted: true });
        dumps.push(await dumpTables(database, slotlessTables));
      }
      expect(dumps[1]).toEqual(dumps[0]);
    });

    test.runIf(isLong)("are merged by a later call when a process stopped in between", async () => {
      const database = await fresh();
      const before = await answersOf(database);
      const sql = database.sql();
      const starts = await nextToMerge(sql);
      expect(await sql.transaction((transaction) => mergeSlots(transaction, starts!))).toBe(true);
      expect(await answersOf(database)).toEqual(before);
      expect(await mergeOldSlots(sql, eager)).toBe(true);
      expect(await partitionCounts(database)).toMatchObject({ transactions: slots - 3 });
    });
  },
  grownSlots,
);

describeServers("While old slots are merged", (freshEmpty) => {
  const fresh = () => freshEmpty(grownSlots);

  /** Few attempts, so that what cannot be done now is soon left. */
  const brief = { ...eager, lockMs: 50, attempts: 3 };

  test("a table that is being read is left until later", async () => {
    const database = await fresh();
    const sql = database.sql();
    const older = await openSnapshot(database);
    const merging = mergeOldSlots(sql, { ...eager, lockMs: 50, attempts: 100_000 });
    await until("the first copy", () => isFirstCopied(database));
    const younger = await openSnapshot(database);
    const whole = await countsOf(younger.queries);
    await older.close();
    // Others read meanwhile, also if a lock is waited for.
    expect(await countsOf(queriesOf(database))).toEqual(whole);
    expect(await countsOf(younger.queries)).toEqual(whole);
    await younger.close();
    expect(await merging).toBe(true);
    expect(await countsOf(queriesOf(database))).toEqual(whole);
  });

  test("a snapshot that is older than the copy of a table sees all of its rows, and a writer into them loses none", async () => {
    const database = await fresh();
    const sql = database.sql();
    const whole = await countsOf(queriesOf(database));
    const snapshot = await openSnapshot(database);
    // Its snapshots on other nodes of a cluster begin with the first rows that they are asked for.
    expect(await countsOf(snapshot.queries)).toEqual(whole);
    expect(await mergeOldSlots(sql, brief)).toBe(false);
    expect(await isFirstCopied(database)).toBe(true);
    const late = transactionRow({ account: bytesOf(grown.rare), lt: 150_003n });
    const [state] = await sql.query<{ hash: Uint8Array; account_key: bigint; lt: bigint }>(SQL`
      select account_key, lt, hash from account_states where lt between 100000 and 150000 limit 1`);
    await storeRows(database, { transactions: [late] });
    await sql.query(SQL`
      update account_states set balance = 77 where account_key = ${state!.account_key} and lt = ${state!.lt} and hash = ${state!.hash}`);
    expect(await countsOf(snapshot.queries)).toEqual(whole);
    await snapshot.close();
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    const merged = await countsOf(queriesOf(database));
    expect({ ...merged, transactions: merged["transactions"]! - 1n }).toEqual(whole);
    expect(await sql.query(SQL`select balance from account_states where balance = 77`)).toHaveLength(1);
    expect(await sql.query(SQL`select from transactions where hash = ${late.hash}`)).toHaveLength(1);
    expect(await partitionCounts(database)).toMatchObject({ transactions: slots - 3 });
    await expectWholeDirectories(database);
    expect(await leftOf(database)).toEqual([]);
  });

  test("a revert of rows that have been copied is not undone", async () => {
    const database = await fresh();
    const sql = database.sql();
    const starts = await nextToMerge(sql);
    await sql.transaction((transaction) => mergeSlots(transaction, starts!));
    for (const split of await splitTables(sql)) {
      await sql.transaction((transaction) => watchPartitions(transaction, split));
      await sql.transaction((transaction) => copyPartitions(transaction, split));
    }
    await takeBack(database);
    const reverted = await countsOf(queriesOf(database));
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    expect(await partitionCounts(database)).toMatchObject({ transactions: slots - 3, actions: slots - 3 });
    expect(await countsOf(queriesOf(database))).toEqual(reverted);
    await expectWholeDirectories(database, { reverted: true });
    expect(await leftOf(database)).toEqual([]);
  });

  test("a process that ends leaves a copy, which the next one makes again, while writers change its rows", async () => {
    const database = await fresh();
    const sql = database.sql();
    const whole = await countsOf(sql);
    const snapshot = await openSnapshot(database);
    expect(await mergeOldSlots(sql, brief)).toBe(false);
    await dropUnfinished(sql);
    expect(await isFirstCopied(database)).toBe(false);
    await sql.query(SQL`update account_states set balance = 77 where lt between 100000 and 150000`);
    await snapshot.close();
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    const merged = await partitionCounts(database);
    expect(merged).toMatchObject({ account_states: slots - 3, transactions: slots - 3 });
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    expect(await partitionCounts(database)).toEqual(merged);
    expect(await countsOf(sql)).toEqual(whole);
    const changed = await sql.query(SQL`
      select distinct balance::integer as balance from account_states where lt between 100000 and 150000`);
    expect(changed).toEqual([{ balance: 77 }]);
    expect(await leftOf(database)).toEqual([]);
  });

  test("replaced partitions are dropped while others read, and by the next call if a process ends before that", async () => {
    const database = await fresh();
    const sql = database.sql();
    const whole = await countsOf(sql);
    const ended = new Error("the process ends");
    const ending = watchedSql(sql, async (step, run) => {
      if (!("text" in step && step.text.startsWith("drop table if exists account_states_replaced_")))
        return run();
      await run();
      expect(await countsOf(queriesOf(database))).toEqual(whole);
      throw ended;
    });
    await expect(mergeOldSlots(ending, eager)).rejects.toBe(ended);
    expect(await partitionCounts(database)).toMatchObject({ account_states: slots - 3, transactions: slots });
    const replaced = [0, 100_000, 200_000, 300_000].map((from) => `account_states_replaced_${from}`);
    expect(await leftOf(database)).toEqual(["account_states_changed_0", ...replaced]);
    await dropUnfinished(sql);
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    expect(await leftOf(database)).toEqual([]);
    expect(await countsOf(sql)).toEqual(whole);
  });

  test("answers stay the same", async () => {
    const database = await fresh();
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const paths = growthPaths.filter((_, place) => place % 16 === 0);
    const read = async () => {
      const answers: unknown[] = [];
      for (const path of paths) answers.push(await app.result(path));
      return answers;
    };
    const before = await read();
    let isOver = false;
    const merging = mergeOldSlots(database.sql(), { ...eager, attempts: 100_000 }).finally(() => {
      isOver = true;
    });
    // A read that began before the end, at least.
    do expect(await read()).toEqual(before);
    while (!isOver);
    expect(await merging).toBe(true);
    expect(await read()).toEqual(before);
  });
});

describePostgres("Old slots of a server", (fresh) => {
  test("are merged while a table is vacuumed, which may take hours", async () => {
    const database = await fresh(grownSlots);
    const sql = database.sql();
    const cleaner = database.sql({ connections: 1 });
    for (const text of ["set vacuum_cost_delay = 100", "set vacuum_cost_limit = 1"])
      await cleaner.query({ text, values: [] });
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const cleaning = cleaner.query({ text: "vacuum tx_locator", values: [] }, { signal: ending.signal });
    const isEnded = cleaning.then(
      () => false,
      () => true,
    );
    await until("the vacuum", async () => {
      const [row] = await sql.query(
        SQL`select from pg_stat_progress_vacuum where datname = current_database()`,
      );
      return row !== undefined;
    });
    expect(await mergeOldSlots(sql, { ...eager, attempts: 3 })).toBe(true);
    ending.abort();
    expect(await isEnded).toBe(true);
  });
});

describeOwnPostgres("A tablespace for merged slots", (_fresh, server) => {
  /** Tables of the index in the tablespace, and the places of their indexes, each once. */
  async function placed(database: Database): Promise<{ tables: string[]; places: string[] }> {
    const [row] = await queriesOf(database).query<{ tables: string[]; places: string[] }>(SQL`
      select array_agg(distinct t.relname::text) as tables, array_agg(distinct of_index.spcname::text) as places
      from pg_tablespace s join pg_class t on t.reltablespace = s.oid and t.relkind = 'r'
        join pg_index i on i.indrelid = t.oid join pg_class c on c.oid = i.indexrelid
        left join pg_tablespace of_index on of_index.oid = c.reltablespace
      where s.spcname = 'past' and t.relnamespace = current_schema()::regnamespace`);
    return row!;
  }

  test.runIf(mayStopPostgres)("has all of their tables and indexes and nothing else", async () => {
    const url = await server().databaseWithSchema(grownSlots);
    const database = openPatiently(url);
    onTestFinished(() => database.close());
    const sql = database.sql();
    const before = await countsOf(sql);
    await sql.query({ text: `create tablespace past location '${lentFolder()}'`, values: [] });
    expect(await mergeOldSlots(sql, { ...eager, tablespace: "past" })).toBe(true);
    const merged = declared.flatMap(({ name, partitionBy }) => (partitionBy ? [`${name}_0`] : []));
    expect(await placed(database)).toEqual({ tables: merged.sort(), places: ["past"] });
    expect(await countsOf(sql)).toEqual(before);
  });

  test.runIf(mayStopPostgres)("is refused if there is none, or without the right to use it", async () => {
    const url = new URL(await server().databaseWithSchema());
    const owner = openPatiently(url.href);
    onTestFinished(() => owner.close());
    const of = (database: Database) =>
      new ColdSlots(database, { now: () => 0, onError: () => {}, tablespace: "elsewhere" });
    await expect(of(owner).confirmTablespace()).rejects.toThrow(/no tablespace elsewhere.*create it/);
    await owner.sql().query({ text: `create tablespace elsewhere location '${lentFolder()}'`, values: [] });
    await of(owner).confirmTablespace();
    await owner.sql().query({ text: "create role writer login", values: [] });
    url.username = "writer";
    const writer = openPatiently(url.href);
    onTestFinished(() => writer.close());
    await expect(of(writer).confirmTablespace()).rejects.toThrow(/grant create on tablespace elsewhere/);
  });
});

describeOwnPostgres("A server that crashes while old slots are merged", (_fresh, server) => {
  test.runIf(mayStopPostgres && isLong)(
    "a crash leaves a whole index, and copies that are dropped",
    async () => {
      const url = await server().databaseWithSchema(grownSlots);
      const database = openPatiently(url);
      onTestFinished(() => database.close());
      const before = await dumpTables(database, slotlessTables);
      await openSnapshot(database);
      const merging = mergeOldSlots(database.sql(), eager);
      const ended = expect(merging).rejects.toThrow();
      await until("the first copy", () => isFirstCopied(database));
      await server().crash();
      await ended;
      await server().run();
      const again = openPatiently(url);
      onTestFinished(() => again.close());
      expect(await dumpTables(again, slotlessTables)).toEqual(before);
      await dropUnfinished(again.sql());
      expect(await isFirstCopied(again)).toBe(false);
      expect(await mergeOldSlots(again.sql(), eager)).toBe(true);
      expect(await dumpTables(again, slotlessTables)).toEqual(before);
      await expectWholeDirectories(again);
    },
  );
});
