import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backfill } from "../../server/indexer/follow/backfill.js";
import { IndexWatch } from "../../server/indexer/follow/index-watch.js";
import { planRanges } from "../../server/indexer/work/ranges.js";
import { readGaps } from "../../server/store/queries/upkeep/index-gaps.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { follow } from "../helpers/index/index-chain.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { startStoryDevnet } from "../helpers/stories/story-devnet.js";
import { until } from "../helpers/until.js";

const [below, above] = [10, 40];
const gap = `${below + 1}-${above - 1}`;
const tooMany = 1000;

type Rows = {
  transactions: { mc_block_seqno: number; now: number; lt: string; hash: string; account: string }[];
};

describe.each(databaseKinds)(
  "An index of the first and the last blocks of a devnet (%s)",
  (_, openDatabase) => {
    let index: Awaited<ReturnType<typeof open>>;
    /** Closed with the suite, the newest first. */
    const opened: (() => unknown)[] = [];
    beforeAll(async () => {
      index = await open();
    });
    afterAll(async () => {
      for (const close of opened.toReversed()) await close();
    });

    async function open() {
      const devnet = await startStoryDevnet(() => {});
      opened.push(() => devnet.close());
      const { last, init: zeroState } = await devnet.api.getMasterchainInfo();
      const fresh = await openDatabase();
      opened.push(() => fresh.close());
      const { database } = fresh;
      const { follower, reaches } = follow(database, devnet.api, { from: above });
      await reaches(last.seqno);
      await follower.close();
      const fill = async (from: number, to: number) => {
        await planRanges(database.sql(), { from, to });
        const filling = { database, lite: devnet.api, worker: `${from}`, onError: () => {} };
        await backfill(filling, new AbortController().signal);
      };
      const watch = IndexWatch.start({
        database,
        network: "test",
        zeroState,
        chainSeqno: () => last.seqno,
        now: () => Date.now(),
        onReadable: () => {},
        onError: () => {},
      });
      opened.push(() => watch.close());
      await fill(1, below);
      await until("the gap", () => watch.gaps.count === 1);
      const app = await startIndexApp(database, { gaps: () => watch.gaps });
      opened.push(() => app.close());
      const ask = async (path: string) => {
        const { status, headers, json } = await app.ask(`/api/v3/${path}`);
        return { status, gaps: headers.get("X-Index-Gaps"), json };
      };
      return { database, last: last.seqno, fill, watch, app, ask };
    }

    test("names the gap in pages that cross it and in no others", async () => {
      const { ask } = index;
      const page = async (query: string) => {
        const { gaps, json } = await ask(`transactions?${query}`);
        return { gaps, transactions: (json as Rows).transactions };
      };
      const all = (await page(`limit=${tooMany}`)).transactions;
      const older = all.filter(({ mc_block_seqno: seqno }) => seqno <= below).length;
      const newer = all.length - older;
      expect([older > 5, newer > 5]).toEqual([true, true]);
      const seen = [];
      for (const sort of ["desc", "asc"] as const) {
        const first = sort === "desc" ? newer : older;
        for (const offset of [0, first - 4, first - 3, first - 2, first, first + 1]) {
          const { gaps, transactions } = await page(`limit=3&offset=${offset}&sort=${sort}`);
          const sides = new Set(transactions.map(({ mc_block_seqno: seqno }) => seqno <= below));
          expect([sort, offset, gaps]).toEqual([sort, offset, sides.size === 2 ? gap : null]);
          seen.push(sides.size);
        }
        expect((await page(`limit=${tooMany}&offset=${all.length - 2}&sort=${sort}`)).gaps).toBe(null);
      }
      const { account } = all.at(-1)!;
      const own = (sort: string) =>
        page(`account=${account}&end_utime=${all.at(-1)!.now}&limit=9&sort=${sort}`);
      expect((await own("asc")).gaps).toBe(null);
      // A list that ends on the newer side of the gap may lack the gap's entries.
      const unused = `account=0:${"3".repeat(64)}`;
      expect((await page(unused)).gaps).toBe(gap);
      expect((await page(`${unused}&start_utime=${all[0]!.now}`)).gaps).toBe(null);
      expect(seen).toContain(2);
      expect((await page(`limit=${tooMany}&offset=${all.length}`)).gaps).toBe(null);
    });

    test("names it by the bounds of a list and by the block or record that is asked for", async () => {
      const { ask } = index;
      const { transactions } = (await ask(`transactions?limit=${tooMany}`)).json as Rows;
      const oldest = transactions.at(-1)!;
      const newest = transactions[0]!;
      const edge = transactions.find(({ mc_block_seqno: seqno }) => seqno <= below)!;
      const next = transactions.findLast(({ mc_block_seqno: seqno }) => seqno > below)!;
      const gaps = async (path: string) => (await ask(path)).gaps;
      const found = {
        [`transactions?start_utime=${next.now}&limit=${tooMany}`]: null,
        [`transactions?end_utime=${edge.now}&limit=${tooMany}`]: null,
        [`transactions?start_lt=${oldest.lt}&limit=${tooMany}`]: gap,
        [`messages?start_utime=${edge.now}&end_utime=${next.now}&limit=${tooMany}`]: gap,
        [`messages?start_utime=${newest.now + 1}&limit=${tooMany}`]: null,
        [`blocks?limit=${tooMany}`]: gap,
        [`blocks?workchain=-1&seqno=${below}`]: null,
        [`blocks?workchain=-1&seqno=${below + 1}`]: gap,
        [`transactions?mc_seqno=${above}`]: null,
        [`transactionsByMasterchainBlock?seqno=${above}`]: null,
        [`masterchainBlockShardState?seqno=${below + 1}`]: gap,
        [`masterchainBlockShardState?seqno=${above}`]: null,
        [`transactions?hash=${encodeURIComponent(newest.hash)}`]: null,
        [`transactions?hash=${"A".repeat(43)}%3D`]: gap,
        [`traces?limit=${tooMany}`]: gap,
        "jetton/wallets?limit=1": gap,
        "topAccountsByBalance?limit=1": gap,
        "decode?opcodes=0x0f8a7ea5": null,
      };
      for (const [path, expected] of Object.entries(found))
        expect([path, await gaps(path)]).toEqual([path, expected]);
      expect((await ask("transactions?limit=nothing")).gaps).toBe(null);
    });

    test("reports the gap in masterchainInfo, and answers single JSON-RPC calls with the header", async () => {
      const { app, ask, last } = index;
      const blocks = above - below - 1;
      const known = { count: 1, blocks, ranges: [{ from: below + 1, to: above - 1 }] };
      expect((await ask("masterchainInfo")).json).toMatchObject({
        first: { seqno: above },
        last: { seqno: last },
        gaps: known,
      });
      const call = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: { limit: tooMany } });
      const gapsOf = async (path: string, body: unknown) =>
        (await app.post(path, body)).headers.get("X-Index-Gaps");
      expect(await gapsOf("/jsonRPC", call("v3.transactions"))).toBe(gap);
      expect(await gapsOf("/api/v2/jsonRPC", call("v3.transactions"))).toBe(gap);
      expect(await gapsOf("/jsonRPC", [call("v3.transactions")])).toBe(null);
      const { headers } = await app.ask("/api/v3/transactions");
      expect(headers.get("Access-Control-Expose-Headers")).toContain("X-Index-Gaps");
    });

    // The last one, as it fills the gap.
    test("counts each gap, and none once they are filled in", async () => {
      const { database, fill, watch, ask } = index;
      await fill(20, 29);
      const all = { count: 2, blocks: above - below - 1 - 10 };
      const newest = [
        { from: below + 1, to: 19 },
        { from: 30, to: above - 1 },
      ];
      expect(await readGaps(queriesOf(database))).toEqual({ ...all, newest });
      expect(await readGaps(queriesOf(database), 1)).toEqual({ ...all, newest: newest.slice(1) });
      await until("both gaps", () => watch.gaps.count === 2);
      expect((await ask(`transactions?limit=${tooMany}`)).gaps).toBe(`${below + 1}-19, 30-${above - 1}`);
      await fill(below + 1, above - 1);
      expect(await readGaps(queriesOf(database))).toEqual({ count: 0, blocks: 0, newest: [] });
      await until("no gap", () => watch.gaps.count === 0);
      expect((await ask(`transactions?limit=${tooMany}`)).gaps).toBe(null);
      expect((await ask("masterchainInfo")).json).not.toHaveProperty("gaps");
    });
  },
);
