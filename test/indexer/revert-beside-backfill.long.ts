import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { classifyLate } from "../../server/indexer/classify/stored-traces.js";
import { backfill } from "../../server/indexer/follow/backfill.js";
import { joinRanges } from "../../server/indexer/follow/join-ranges.js";
import { planHead, planRanges } from "../../server/indexer/work/ranges.js";
import type { Table } from "../../server/store/declare/table.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { lockNumbers } from "../../server/store/sql/locks.js";
import { tables } from "../../server/store/tables/all-tables.js";
import { handledLater } from "../../shared/values/promises.js";
import { ton } from "../helpers/chain/devnet.js";
import { classifier } from "../helpers/index/classifier.js";
import { follow, indexAll } from "../helpers/index/index-chain.js";
import { dumpSorted } from "../helpers/store/citus.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { expectWholeDirectories } from "../helpers/store/slot-directories.js";
import { traceTables } from "../helpers/store/tables.js";
import { type Watch, watchedDatabase } from "../helpers/store/watched-sql.js";
import { startStoryDevnet } from "../helpers/stories/story-devnet.js";

/** The tables except those of slots, and contents by hash, which a reverted block may leave behind. */
const chainTables = [
  ...traceTables.filter((name) => name !== "account_slots"),
  ...["latest_account_states", "actions", "action_accounts"],
];
/** Blocks of the story that are at the head, and slots of the whole of it. */
const atHead = 5;
const slots = 8n;

const written = Object.values<Table>(tables).flatMap(({ name, divideBy, partitionBy }) =>
  divideBy || partitionBy ? [name] : [],
);
const writing = new RegExp(`\\b(?:insert into|update|delete from) (?:${written.join("|")})\\b`);

/** Tells what is written to shards by a transaction that does not hold the schema. */
function schemaHeld(tell: (text: string) => void): Watch {
  const holding = new WeakSet<object>();
  return (step, run, within) => {
    const isHeld = within && holding.has(within);
    if ("target" in step) {
      if (!isHeld && written.includes(step.target.table)) tell(`copy ${step.target.table}`);
    } else if (
      within &&
      step.text.includes("pg_advisory_xact_lock") &&
      step.values[0] === lockNumbers.migration
    )
      holding.add(within);
    else if (!isHeld && writing.test(step.text)) tell(step.text);
    return run();
  };
}

describeServers("An index whose past is filled", (fresh) => {
  test("while its head is reverted, has the rows of an index of one server that was filled in order", async () => {
    const devnet = await startStoryDevnet((error) => {
      throw error;
    });
    onTestFinished(() => devnet.close());
    const { api, events, controls } = devnet;
    const { last } = await api.getMasterchainInfo();
    const unheld: string[] = [];
    const database = watchedDatabase(
      await fresh(),
      schemaHeld((text) => unheld.push(text)),
    );
    const sql = database.sql();
    const width = String((1_000_000n * BigInt(last.seqno)) / slots);
    await queriesOf(database).query(SQL`update index_meta set value = ${width} where key = 'lt_grid'`);
    const head = last.seqno - atHead;
    await planHead(sql, head);
    await planRanges(sql, { from: 1, to: head - 1, blocks: Math.ceil(head / 12) });

    const errors: Error[] = [];
    const onError = (error: Error) => errors.push(error);
    const limits = { blocks: 2, rows: 500 };
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const edited = (seqno: number) => events.edited(seqno);
    const fill = (worker: string) =>
      backfill({ database, lite: api, edited, classifier, worker, limits, onError }, ending.signal);
    const { follower, reaches } = follow(database, api, {
      ...{ events, classifier, limits, onError, from: head, mayRevert: true },
    });
    onTestFinished(() => follower.close());
    await reaches(last.seqno);

    let isFilled = false;
    const filling = handledLater(
      Promise.all(["first", "second"].map(fill)).finally(() => {
        isFilled = true;
      }),
    );
    for (let round = 1; round <= 2 || !isFilled; round++) {
      const accounts = [round, 100 + round].map((byte) => ({
        workchain: 0,
        id: new Uint8Array(32).fill(byte),
      }));
      const snapshot = await controls.snapshot();
      await controls.faucet(accounts[0]!, ton);
      await controls.setBalance(accounts[1]!, ton);
      const { block } = await controls.faucet(accounts[1]!, ton);
      await reaches(block.seqno);
      await controls.revert(snapshot.id);
      await controls.faucet(accounts[0]!, 2n * ton);
      // Further than before, because an equal seqno would prove nothing.
      const after = await controls.mine(4);
      await reaches(after.block.seqno);
    }
    await filling;
    await follower.close();
    await joinRanges(sql);
    await classifyLate(sql, classifier);
    expect(errors).toEqual([]);
    if (await sql.isDivided()) expect(unheld).toEqual([]);
    await expectWholeDirectories(database, { reverted: true });

    const clean = await openPglite();
    onTestFinished(() => clean.close());
    await indexAll(clean, api, { events, classifier });
    expect(await dumpSorted(database, chainTables)).toEqual(await dumpSorted(clean, chainTables));
  });
});
