import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { RangeIndexer } from "../../server/indexer/batch/range-indexer.js";
import { joinRanges } from "../../server/indexer/follow/join-ranges.js";
import { revert } from "../../server/indexer/follow/revert.js";
import { type Claim, claimHead, claimNext, planHead, planRanges } from "../../server/indexer/work/ranges.js";
import { withBodies } from "../../server/present/v3/message.js";
import type { Database } from "../../server/store/database.js";
import { listMessages } from "../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../server/store/queries/slots/offset-bookmarks.js";
import { Partitions } from "../../server/store/slots/partitions.js";
import { keepText } from "../../server/store/sql/row-bytes.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { describeDatabase } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables, traceTables } from "../helpers/store/tables.js";
import { describeWithTraces } from "../helpers/test-data.js";
import { GoldenChain } from "./golden-chain.js";

const signal = new AbortController().signal;

describeWithTraces("A chain with traces of many blocks", (cases) => {
  const chain = new GoldenChain(cases);
  if (chain.length < 20) {
    test.skip("needs traces of at least 20 blocks", () => {});
    return;
  }

  async function fill(database: Database, claim: Claim, to = claim.to): Promise<void> {
    const sql = database.sql();
    const limits = { blocks: 50, rows: 500 };
    const setting = { database: sql, partitions: new Partitions(sql), units: chain, claim, limits };
    const indexer = await RangeIndexer.open(setting);
    await indexer.indexTo(to, signal);
  }

  async function sequential(database: Database, to = chain.length): Promise<Claim> {
    await planHead(database.sql(), 1);
    const claim = await claimHead(database.sql(), "sequential");
    await fill(database, claim, to);
    return claim;
  }

  const rangesOf = (database: Database) =>
    queriesOf(database).query(SQL`select from_seqno, to_seqno, state from index_ranges order by from_seqno`);

  /** Hashes of all listed messages, and of all stored ones. */
  async function listedAndStored(database: Database) {
    const queries = queriesOf(database);
    const page = { limit: 1_000_000, offset: 0, sort: "asc" } as const;
    const listed = await listMessages(queries, {}, page, new OffsetBookmarks(), keepText);
    const stored = await queries.query<{ hash: string }>(SQL`
      select wire_hash(msg_hash) as hash from messages group by msg_hash, coalesce(created_lt, tx_lt)`);
    const hashes = listed.map(({ text }) => (JSON.parse(withBodies(text)) as { hash: string }).hash);
    return { listed: hashes.sort(), stored: stored.map(({ hash }) => hash).sort() };
  }

  describeDatabase("in", (empty) => {
    /** The chain takes a few slots, as a busy network would; each costs a partition of every table. */
    const fresh = async () => {
      const database = await empty();
      const width = String(chain.lastLt / 6n + 1n);
      await queriesOf(database).query(SQL`update index_meta set value = ${width} where key = 'lt_grid'`);
      return database;
    };

    test("is the same when ranges are filled in any order and then connected", async () => {
      const whole = await fresh();
      await sequential(whole);
      const expected = await dumpTables(whole, traceTables);
      for (const { blocks, joinEvery } of [
        { blocks: 1 + Math.floor(chain.length / 20), joinEvery: 1 },
        { blocks: 1 + Math.floor(chain.length / 7), joinEvery: 100 },
      ]) {
        const database = await fresh();
        const sql = database.sql();
        await planRanges(sql, { from: 1, to: chain.length, blocks });
        const claims: Claim[] = [];
        for (let next = await claimNext(sql, "w"); next; next = await claimNext(sql, "w")) claims.push(next);
        // Every third, then the rest, so that neighbours come late.
        const order = [0, 2, 1].flatMap((rest) => claims.filter((_, i) => i % 3 === rest));
        for (const [i, claim] of order.entries()) {
          await fill(database, claim);
          if (i % joinEvery === 0) await joinRanges(sql);
        }
        await joinRanges(sql);
        expect(await dumpTables(database, traceTables)).toEqual(expected);
        const { listed, stored } = await listedAndStored(database);
        expect(listed).toEqual(stored);
        expect(await rangesOf(database)).toEqual([{ from_seqno: 1, to_seqno: chain.length, state: 2 }]);
      }
    });

    test("is the same when it is filled backwards behind the head", async () => {
      const whole = await fresh();
      await sequential(whole);
      const expected = await dumpTables(whole, traceTables);
      const database = await fresh();
      const sql = database.sql();
      const middle = Math.floor(chain.length / 2);
      const end = Math.floor((3 * chain.length) / 4);
      await planHead(sql, middle);
      await fill(database, await claimHead(sql, "head"), end);
      for (const to of [middle - 1, Math.floor(middle / 2)]) {
        const from = to === middle - 1 ? Math.floor(middle / 2) + 1 : 1;
        await planRanges(sql, { from, to });
        await fill(database, (await claimNext(sql, "filler"))!);
        expect(await joinRanges(sql)).toBe(1);
      }
      const head = { from_seqno: middle, to_seqno: 2_147_483_647, state: 1 };
      expect(await rangesOf(database)).toEqual([{ from_seqno: 1, to_seqno: middle - 1, state: 2 }, head]);
      await fill(database, await claimHead(sql, "head"), chain.length);
      expect(await dumpTables(database, traceTables)).toEqual(expected);
    });

    test("is unchanged after a revert", async () => {
      for (const kept of [Math.floor(chain.length / 3), chain.length - 5]) {
        const short = await fresh();
        await sequential(short, kept);
        const expected = await dumpTables(short, traceTables);
        const database = await fresh();
        const claim = await sequential(database);
        expect(await revert(database.sql(), claim, revertedChain(kept))).toBe(kept);
        expect(await dumpTables(database, traceTables)).toEqual(expected);
        await fill(database, await claimHead(database.sql(), "again"), chain.length);
        const again = await dumpTables(database, traceTables);
        const whole = await fresh();
        await sequential(whole);
        expect(again).toEqual(await dumpTables(whole, traceTables));
      }
    });
  });

  /** The chain after it went back to a block. */
  function revertedChain(seqno: number) {
    const last = chain.id(seqno);
    const lite = {
      getMasterchainInfo: async () => ({ last, stateRootHash: last.rootHash, init: last }),
      lookupBlock: async ({ id }: { id: { seqno: number } }) => ({
        id: chain.id(id.seqno),
        headerProof: new Uint8Array(),
      }),
      getState: () => Promise.reject(new Error("there is no state")),
    } satisfies Partial<LiteApi>;
    return { lite, units: chain, zeroState: last };
  }
});
