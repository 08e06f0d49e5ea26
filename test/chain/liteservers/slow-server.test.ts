import { describe, expect, test } from "vitest";
import type { Liteservers } from "../../../server/chain/liteservers/liteservers.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { BlockId } from "../../../shared/ton/tlb/block-id.js";
import { blockId, type FakeLiteServer } from "../../helpers/chain/fake-chain.js";
import { until } from "../../helpers/until.js";
import { setUp } from "./fake-liteservers.js";

const body = Uint8Array.of(1, 2, 3);

describe("a slow server", () => {
  const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
  const hedgesOf = ({ pool }: { pool: Liteservers }) => sum(pool.status().map(({ hedges }) => hedges));

  /** Hedge delay while the latency of a server is unknown. */
  const hedgeMs = 1000;

  /** Delays the first request for each block until the returned function is called. */
  function stallFirst(servers: readonly FakeLiteServer[]) {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const seen = new Set<number>();
    for (const server of servers)
      server.answer = ({ method, request }) => {
        const { id } = request as { id: BlockId };
        if (method !== "getBlockHeader" || seen.has(id.seqno)) return undefined;
        seen.add(id.seqno);
        return gate.then(() => ({ id, headerProof: body }));
      };
    return open;
  }

  test("has its reads hedged to a second server", async () => {
    const { pool, servers, counts, timers } = await setUp([100, 100, 100]);
    stallFirst(servers);
    const asked = new Set<number>();
    const answer = pool.api.getBlockHeader({ id: blockId(60) }, { asked });
    await until("the question", () => asked.size === 1 && sum(counts()) === 1);
    timers.pass(hedgeMs);
    expect((await answer).id).toEqual(blockId(60));
    expect(counts().toSorted()).toEqual([0, 1, 1]);
    expect([...asked].toSorted()).toEqual(counts().flatMap((count, index) => (count > 0 ? [index] : [])));
    expect(hedgesOf({ pool })).toBe(1);
    for (const { errors, state } of pool.status()) expect([errors, state]).toEqual([{}, "alive"]);
  });

  test("has its reads hedged to a third server when the second fails", async () => {
    const { pool, servers, counts, timers } = await setUp([100, 100, 100]);
    stallFirst(servers);
    let isSecond = true;
    for (const server of servers) {
      const stall = server.answer;
      server.answer = (asked) => {
        const stalled = stall(asked);
        if (stalled || asked.method !== "getBlockHeader" || !isSecond) return stalled;
        isSecond = false;
        return Promise.reject(new LiteError(-503, "timeout"));
      };
    }
    const answer = pool.api.getBlockHeader({ id: blockId(60) });
    await until("the question", () => sum(counts()) === 1);
    timers.pass(hedgeMs);
    expect((await answer).id).toEqual(blockId(60));
    expect([counts(), hedgesOf({ pool })]).toEqual([[1, 1, 1], 2]);
  });

  test("is waited for when all hedges fail", async () => {
    const { pool, servers, counts, timers } = await setUp([100, 100]);
    const open = stallFirst(servers);
    for (const server of servers) {
      const stall = server.answer;
      server.answer = (asked) =>
        stall(asked) ??
        (asked.method === "getBlockHeader" ? Promise.reject(new LiteError(-503, "timeout")) : undefined);
    }
    const answer = pool.api.getBlockHeader({ id: blockId(60) });
    await until("the question", () => sum(counts()) === 1);
    timers.pass(hedgeMs);
    await until("the other one's failure", () => pool.status().some(({ errors }) => errors["-503"] === 1));
    open();
    expect((await answer).id).toEqual(blockId(60));
  });

  test("causes no more hedges than the budget allows", async () => {
    const { pool, servers, counts, timers } = await setUp([100, 100]);
    const open = stallFirst(servers);
    const answers = Array.from({ length: 40 }, (_, index) =>
      pool.api.getBlockHeader({ id: blockId(index + 1) }),
    );
    await until("all questions", () => sum(counts()) === 40);
    timers.pass(hedgeMs);
    open();
    await Promise.all(answers);
    expect(hedgesOf({ pool })).toBe(10);
    expect(sum(counts())).toBe(50);
  });
});
