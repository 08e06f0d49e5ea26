import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { ChainEvents } from "../../server/chain/chain-events.js";
import { indexerConnections, RangeIndexer } from "../../server/indexer/batch/range-indexer.js";
import { classifyTrace } from "../../server/indexer/classify/classify-trace.js";
import { TraceClassifier } from "../../server/indexer/classify/trace-classifier.js";
import { backfill } from "../../server/indexer/follow/backfill.js";
import { ChainUnits } from "../../server/indexer/units/chain-units.js";
import {
  type Claim,
  ClaimLostError,
  claimNext,
  planHead,
  planRanges,
  release,
} from "../../server/indexer/work/ranges.js";
import type { Database, Statement } from "../../server/store/database.js";
import { Partitions } from "../../server/store/slots/partitions.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../shared/ton/lite/lite-api.js";
import { masterchain } from "../../shared/ton/tlb/block-id.js";
import { withResolvers } from "../../shared/values/promises.js";
import { endingAt } from "../helpers/chain/ending-at.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { isLong, sized, variants } from "../helpers/effort.js";
import { classifier } from "../helpers/index/classifier.js";
import { follow, indexAll } from "../helpers/index/index-chain.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables } from "../helpers/store/tables.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

async function rows<Row extends object>(database: Database, statement: Statement): Promise<Row[]> {
  return queriesOf(database).query<Row>(statement);
}

/** Events of a chain that is reverted when a test requests it. */
function goingBack(): { events: ChainEvents; goBack: () => void } {
  const listeners: ((mcSeqno: number) => void)[] = [];
  const events: ChainEvents = {
    onHead: () => () => {},
    onReverted(heard) {
      listeners.push(heard);
      return () => {};
    },
    edited: async () => [],
  };
  return {
    events,
    goBack() {
      for (const heard of listeners) heard(0);
    },
  };
}

describeWithChain("The first blocks of mainnet, indexed", (chain) => {
  const newest = sized(30, chain.newest);
  const lite = () => endingAt(replayOf(chain.folder), newest);

  /** The blocks up to the newest one, each with its transactions. */
  function recordedBlocks() {
    const ends = new Map<string, number>();
    for (let seqno = 1; seqno <= newest; seqno++)
      // The state of a shard before its first block is in no package.
      for (const top of chain.shardsAt(seqno)) if (top !== undefined) ends.set(top.shard, top.seqno);
    return chain
      .recordedBlocks()
      .filter(({ workchain, shard, seqno }) =>
        workchain === masterchain ? seqno <= newest : seqno <= (ends.get(shard) ?? 0),
      );
  }

  async function expectTransactions(database: Database): Promise<void> {
    const stored = await rows<{ id: string; tx_count: number; gen_utime: bigint; rows: bigint }>(
      database,
      SQL`
        select concat_ws(',', workchain, to_hex(shard), seqno) as id, tx_count, gen_utime,
          coalesce(t.rows, 0) as rows
        from blocks b left join (
          select block_workchain as workchain, block_shard as shard, block_seqno as seqno, count(*) as rows
          from transactions group by 1, 2, 3) t using (workchain, shard, seqno)`,
    );
    const recorded = recordedBlocks().map(({ workchain, shard, seqno, n_txs, gen_utime }) => ({
      id: `${workchain},${shard},${seqno}`,
      tx_count: n_txs,
      gen_utime: BigInt(gen_utime),
      rows: BigInt(n_txs),
    }));
    expect(stored.sort(byId)).toEqual(recorded.sort(byId));
    expect(await rows(database, SQL`select * from indexed_range`)).toEqual([{ first: 1, last: newest }]);
  }

  describeDatabases("in", (fresh) => {
    let whole: Record<string, string[]> | undefined;
    /** The content of an index filled in one run. */
    const indexedInOneGo = async () => {
      if (whole) return whole;
      const database = await fresh();
      await indexAll(database, lite(), { classifier });
      whole = await dumpTables(database);
      return whole;
    };

    test("are there with their transactions and traces, of which none fails to be classified", async () => {
      const database = await fresh();
      const failures: string[] = [];
      const noting = new TraceClassifier({
        thread: { run: async (jobs) => jobs.map((job) => classifyTrace(job)) },
        onFailure: (_, reason) => failures.push(reason),
      });
      await indexAll(database, lite(), { classifier: noting });
      whole = await dumpTables(database);
      expect(failures).toEqual([]);
      await expectTransactions(database);
      await expectCounts(database);
      await expectClassified(database);
    });

    test("are there too where the zero states are not", async () => {
      const database = await fresh();
      const absent = () => Promise.reject(new LiteError(liteErrorCode.notReady, "state is not in db"));
      await indexAll(database, { ...lite(), getState: absent });
      expect(await rows(database, SQL`select * from indexed_range`)).toEqual([{ first: 1, last: newest }]);
      expect(await rows(database, SQL`select key from index_meta where key = 'zero_state_utime'`)).toEqual(
        [],
      );
    });

    test.runIf(isLong)("are the same for any batch size", async () => {
      const expected = await indexedInOneGo();
      const piecemeal = await fresh();
      await indexAll(piecemeal, lite(), { classifier, limits: { blocks: 3, rows: 1 } });
      expect(await dumpTables(piecemeal)).toEqual(expected);
    });

    test.runIf(isLong)("are the same when several workers fill ranges of them", async () => {
      const expected = await indexedInOneGo();
      const database = await fresh();
      await planRanges(database.sql(), { from: 1, to: newest, blocks: Math.ceil(newest / 15) });
      const signal = new AbortController().signal;
      const fill = (worker: string) =>
        backfill(
          {
            database,
            lite: lite(),
            classifier,
            worker,
            limits: { blocks: 3, rows: 1000 },
            onError(error) {
              throw error;
            },
          },
          signal,
        );
      await Promise.all(["first", "second", "third"].map(fill));
      expect(await dumpTables(database)).toEqual(expected);
      const ranges = await rows(database, SQL`select from_seqno, done_to, state, joined from index_ranges`);
      expect(ranges).toEqual([{ from_seqno: 1, done_to: newest, state: 2, joined: false }]);
      expect(await rows(database, SQL`select * from indexed_range`)).toEqual([{ first: 1, last: newest }]);
    });

    const at = (share: number) => Math.ceil(share * newest);
    const plans: [string, { from: number; to: number; isFilled: boolean }[], number][] = [
      ["later than now", [], at(0.6)],
      ["after others were filled in", [{ from: 1, to: at(0.7), isFilled: true }], at(0.4)],
      ["while others are planned", [{ from: at(0.2), to: at(0.3), isFilled: false }], at(0.1)],
    ];
    test.each(variants(plans.slice(1, 2), plans.toSpliced(1, 1)))(
      "are all there from any block on when it began %s",
      async (_, planned, first) => {
        const expected = await indexedInOneGo();
        const database = await fresh();
        const signal = new AbortController().signal;
        const setting = { database, lite: lite(), classifier, worker: "filler", onError: () => {} };
        for (const { from, to, isFilled } of planned) {
          await planRanges(database.sql(), { from, to, blocks: 9 });
          if (isFilled) await backfill(setting, signal);
        }
        await indexAll(database, lite(), { classifier, from: first });
        const { follower } = follow(database, lite(), { classifier });
        onTestFinished(() => follower.close());
        await until("everything to be connected", async () => {
          const [range] = await rows<{ first: number; last: number }>(
            database,
            SQL`select * from indexed_range`,
          );
          const learning = await rows(
            database,
            SQL`select 1 from unknown_contracts union all
            select 1 from traces where state = 1 and classification_state = 0`,
          );
          return range?.first === 1 && range.last === newest && learning.length === 0;
        });
        await follower.close();
        expect(await dumpTables(database)).toEqual(expected);
      },
    );

    /** Stores the first blocks of a claimed range. */
    async function storeFirst(database: Database, claim: Claim | undefined): Promise<void> {
      const indexer = await RangeIndexer.open({
        database: database.sql({ connections: indexerConnections }),
        isConcurrent: database.isConcurrent,
        partitions: new Partitions(queriesOf(database)),
        units: new ChainUnits({ lite: lite() }),
        claim: { ...claim! },
        classifier,
      });
      await indexer.indexTo(3, new AbortController().signal);
    }

    test("are not stored by an earlier claim, not even of the same worker", async () => {
      const database = await fresh();
      const sql = queriesOf(database);
      await planRanges(sql, { from: 1, to: newest });
      const earlier = await claimNext(sql, "late");
      await release(sql, earlier!);
      const later = await claimNext(sql, "late");
      await expect(storeFirst(database, earlier)).rejects.toThrow(ClaimLostError);
      expect(await rows(database, SQL`select from transactions limit 1`)).toHaveLength(0);
      await storeFirst(database, later);
      expect(await rows(database, SQL`select from transactions limit 1`)).toHaveLength(1);
    });

    test("are stored once if a worker does not know that it has stored them", async () => {
      const database = await fresh();
      const sql = queriesOf(database);
      await planRanges(sql, { from: 1, to: newest });
      const claim = await claimNext(sql, "twice");
      const store = () => storeFirst(database, claim);
      await store();
      const once = await dumpTables(database);
      expect(await rows(database, SQL`select from transactions limit 1`)).toHaveLength(1);
      // As after a commit whose answer was lost.
      await expect(store()).rejects.toThrow(ClaimLostError);
      expect(await dumpTables(database)).toEqual(once);
    });

    test("are left to others by a worker that is stopped", async () => {
      const database = await fresh();
      await planRanges(database.sql(), { from: 1, to: newest });
      const stop = new AbortController();
      const stopped = {
        database,
        lite: lite(),
        worker: "stopped",
        limits: { blocks: 5, rows: 1000 },
        onError: () => {},
        onStored: () => stop.abort(),
      };
      await backfill(stopped, stop.signal);
      const [range] = await rows<{ state: number; done_to: number }>(
        database,
        SQL`select state, done_to from index_ranges`,
      );
      expect(range).toEqual({ state: 0, done_to: expect.any(Number) });
      expect(range!.done_to).toBeLessThan(newest);
      const signal = new AbortController().signal;
      await backfill({ database, lite: lite(), worker: "other", onError: () => {} }, signal);
      expect(await rows(database, SQL`select * from indexed_range`)).toEqual([{ first: 1, last: newest }]);
    });

    test("are looked at again when the chain goes back while they are stored", async () => {
      const database = await fresh();
      const recorded = lite();
      const { events, goBack } = goingBack();
      const lookedAgain = withResolvers<void>();
      let hasWaited = false;
      const standing: LiteApi = {
        ...recorded,
        getMasterchainInfo(request, call) {
          if (call?.waitSeqno !== undefined) hasWaited = true;
          else if (hasWaited) lookedAgain.resolve();
          return recorded.getMasterchainInfo(request, call);
        },
      };
      const { follower } = follow(database, standing, { events, onStored: goBack });
      onTestFinished(() => follower.close());
      await lookedAgain.promise;
    });

    test("are read anew, which is no failure, when the chain goes back while they are read", async () => {
      const database = await fresh();
      const recorded = lite();
      const { events, goBack } = goingBack();
      const failures: Error[] = [];
      let isGone = false;
      const going: LiteApi = {
        ...recorded,
        getBlock(query, call) {
          if (isGone) return recorded.getBlock(query, call);
          isGone = true;
          goBack();
          return Promise.reject(new LiteError(liteErrorCode.notReady, "block is not in db"));
        },
      };
      await indexAll(database, going, { events, onError: (error) => failures.push(error) });
      expect([isGone, failures]).toEqual([true, []]);
    });

    test("are planned where they are in no range yet", async () => {
      const database = await fresh();
      const store = database.sql();
      await planHead(store, 61);
      await planRanges(store, { from: 20, to: 29, blocks: 4 });
      await planRanges(store, { from: 10, to: 80, blocks: 20 });
      const ranges = await rows<{ from_seqno: number; to_seqno: number }>(
        database,
        SQL`select from_seqno, to_seqno from index_ranges order by from_seqno`,
      );
      expect(ranges.map(({ from_seqno, to_seqno }) => [from_seqno, to_seqno])).toEqual([
        [10, 19],
        [20, 23],
        [24, 27],
        [28, 29],
        [30, 49],
        [50, 60],
        [61, 2_147_483_647],
      ]);
    });

    test("cannot begin later than they do", async () => {
      const database = await fresh();
      await planHead(database.sql(), 2);
      await expect(indexAll(database, lite(), { from: 3 })).rejects.toThrow(
        "the index goes on with block 2: to begin with 3 would leave a gap",
      );
    });
  });
});

/** The counts of traces match their rows. */
async function expectCounts(database: Database): Promise<void> {
  const wrong = await rows(
    database,
    SQL`
      with t as materialized (select * from traces), x as materialized (select hash, trace_id from transactions),
        m as materialized (select tx_hash from messages where direction = 0 or destination is null)
      select encode(trace_id, 'hex') from t
      where (nodes_, edges_, pending_edges_) <> (
        (select count(*) from x where trace_id = t.trace_id),
        (select count(*) from m join x on x.hash = m.tx_hash where x.trace_id = t.trace_id),
        (select count(*) from open_edges where trace_id = t.trace_id))`,
  );
  expect(wrong).toEqual([]);
}

/** Traces that are complete have their actions; there are others, which have no end yet. */
async function expectClassified(database: Database): Promise<void> {
  const states = await rows<{ state: number; classification_state: number }>(
    database,
    SQL`select distinct state, classification_state from traces order by 1, 2`,
  );
  expect(states).toEqual(expect.arrayContaining([{ state: 1, classification_state: 2 }]));
  for (const { state, classification_state } of states)
    expect(classification_state).toBe(state === 1 ? 2 : 0);
  expect(await rows(database, SQL`select from actions limit 1`)).toHaveLength(1);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
