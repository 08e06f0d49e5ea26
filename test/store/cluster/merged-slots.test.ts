import pg from "pg";
import SQL from "sql-template-tag";
import { expect, it, onTestFinished } from "vitest";
import { dividedTables } from "../../../server/store/cluster/divided-tables.js";
import type { Sql } from "../../../server/store/database.js";
import { mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { askOnce } from "../../helpers/store/ask-once.js";
import { describeCitus } from "../../helpers/store/citus.js";
import { openDivided } from "../../helpers/store/cluster-databases.js";
import { grownContent } from "../../helpers/store/growing-index.js";
import { commitHalf, isOn, shardsOf } from "../../helpers/store/half-commit.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { watchedSql } from "../../helpers/store/watched-sql.js";

/** A group of four is old, and one more slot with it. */
const content = grownContent(9, 10);
const eager = { pauseMs: 5 };
/** Few attempts, so that what cannot be done now is soon left. */
const brief = { ...eager, lockMs: 50, attempts: 3 };
/** The first table, by name, that is copied. */
const first = "account_states";

async function grownCluster() {
  const cluster = await openDivided(content);
  onTestFinished(cluster.close);
  return { ...cluster, sql: cluster.database.sql() };
}

/** A transaction of a node, which has run this statement. */
async function openOn(node: string, statement: string) {
  const client = new pg.Client(node);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin isolation level repeatable read; ${statement}`);
  return { end: () => client.query("commit") };
}

/** A database in which something happens each time before a table is vacuumed. */
function beforeVacuum(sql: Sql, happens: () => Promise<void>): Sql {
  return watchedSql(sql, async (step, run) => {
    if ("text" in step && step.text.startsWith("vacuum")) await happens();
    return run();
  });
}

describeCitus("On a cluster, old slots", () => {
  it("are merged on all nodes, which keep nothing else", async () => {
    const { url, nodes, sql } = await grownCluster();
    expect(await mergeOldSlots(sql, eager)).toBe(true);
    const merged = dividedTables.flatMap(({ name, partitionBy }) => (partitionBy ? [`${name}_0`] : []));
    const shards = await shardsOf(url, merged);
    for (const node of nodes) {
      const own = new Set(shards.filter(isOn(node)).map(({ table_name }) => table_name));
      expect([...own].sort()).toEqual([...merged].sort());
      const left = await askOnce(
        node,
        "select relname from pg_class where relname ~ '_(merging|changed|replaced)_' and relkind = 'r'",
      );
      expect(left).toEqual([]);
    }
  });

  it("wait for a snapshot of any node that is older than their copy", async () => {
    const { nodes, sql } = await grownCluster();
    const open = await openOn(nodes.at(-1)!, "select from pg_class limit 1");
    expect(await mergeOldSlots(sql, brief)).toBe(false);
    const [copied] = await sql.query<{ n: number }>({
      text: `select count(*)::integer as n from ${first}_merging_0`,
      values: [],
    });
    expect(copied!.n).toBeGreaterThan(0);
    await open.end();
    expect(await mergeOldSlots(sql, eager)).toBe(true);
  });

  it("are left until later while a session of any node reads them, or one of its shards", async () => {
    const { url, nodes, sql } = await grownCluster();
    const node = nodes.at(-1)!;
    const [shard] = (await shardsOf(url, [first])).filter(isOn(node));
    for (const name of [first, shard!.shard_name]) {
      const opened: Awaited<ReturnType<typeof openOn>>[] = [];
      // It begins when the copy has been waited for.
      const reading = beforeVacuum(sql, async () => {
        opened.push(await openOn(node, `select from ${name} limit 1`));
      });
      expect(await mergeOldSlots(reading, brief)).toBe(false);
      expect(opened).toHaveLength(1);
      await opened[0]!.end();
    }
    expect(await mergeOldSlots(sql, eager)).toBe(true);
  });

  it("take the place of their partitions while a writer has a table that is not divided", async () => {
    const { url, sql } = await grownCluster();
    const opened: Awaited<ReturnType<typeof openOn>>[] = [];
    const writing = beforeVacuum(sql, async () => {
      // The next table is copied after this one has taken its place, and waits for older transactions.
      if (opened.length === 0) opened.push(await openOn(url, "update index_meta set value = value"));
    });
    expect(await mergeOldSlots(writing, brief)).toBe(false);
    const parts = await sql.query<{ n: number }>({
      text: `select count(*)::integer as n from pg_inherits where inhparent = '${first}'::regclass and inhrelid::regclass::text ~ '_(0|100000)$'`,
      values: [],
    });
    expect(parts).toEqual([{ n: 1 }]);
    await opened[0]!.end();
    expect(await mergeOldSlots(sql, eager)).toBe(true);
  });

  it("have a change that one node has prepared and not committed", async () => {
    const { database, url, nodes, sql } = await grownCluster();
    const open = await openOn(nodes[0]!, "select from pg_class limit 1");
    expect(await mergeOldSlots(sql, brief)).toBe(false);
    const half = await commitHalf({ url, nodes }, { table: first, set: "balance = 77" });
    onTestFinished(() => half.finish());
    await open.end();
    expect(await mergeOldSlots(sql, brief)).toBe(false);
    await half.finish();
    while (!(await mergeOldSlots(sql, eager)));
    expect(
      await queriesOf(database).query(SQL`select distinct balance::integer as balance from account_states`),
    ).toEqual([{ balance: 77 }]);
  });
});
