import { describe, expect, test } from "vitest";
import type { BlockId } from "../../server/chain/block-id.js";
import { LiteError } from "../../server/chain/lite-api.js";
import type { LitePool } from "../../server/chain/pool/pool.js";
import { until } from "../helpers/until.js";
import { blockId, type FakeLiteServer } from "./fake-chain.js";
import { setUp } from "./pool-of-fakes.js";

const body = Uint8Array.of(1, 2, 3);

describe("a slow server", () => {
  const hedgesOf = ({ pool }: { pool: LitePool }) =>
    pool.status().reduce((sum, { hedges }) => sum + hedges, 0);

  /** Whoever is asked for a block first does not answer before the gate is open. */
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

  test("does not hold up a read, as another one is asked too", async () => {
    const { pool, servers, counts } = await setUp([100, 100, 100]);
    stallFirst(servers);
    const asked = new Set<number>();
    expect((await pool.api.getBlockHeader({ id: blockId(60) }, { asked })).id).toEqual(blockId(60));
    expect(counts().toSorted()).toEqual([0, 1, 1]);
    expect([...asked].toSorted()).toEqual(counts().flatMap((count, index) => (count > 0 ? [index] : [])));
    expect(hedgesOf({ pool })).toBe(1);
    for (const { errors, state } of pool.status()) expect([errors, state]).toEqual([{}, "alive"]);
  });

  test("does not hold up a read when the other one fails, as a third one is asked", async () => {
    const { pool, servers, counts } = await setUp([100, 100, 100]);
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
    expect((await pool.api.getBlockHeader({ id: blockId(60) })).id).toEqual(blockId(60));
    expect([counts(), hedgesOf({ pool })]).toEqual([[1, 1, 1], 2]);
  });

  test("is waited for when the other one fails", async () => {
    const { pool, servers } = await setUp([100, 100]);
    const open = stallFirst(servers);
    for (const server of servers) {
      const stall = server.answer;
      server.answer = (asked) =>
        stall(asked) ??
        (asked.method === "getBlockHeader" ? Promise.reject(new LiteError(-503, "timeout")) : undefined);
    }
    const answer = pool.api.getBlockHeader({ id: blockId(60) });
    await until("the other one's failure", () => pool.status().some(({ errors }) => errors["-503"] === 1));
    open();
    expect((await answer).id).toEqual(blockId(60));
  });

  test("is not made up for by asking everything twice", async () => {
    const { pool, servers, counts } = await setUp([100, 100]);
    const open = stallFirst(servers);
    const answers = Array.from({ length: 40 }, (_, index) =>
      pool.api.getBlockHeader({ id: blockId(index + 1) }),
    );
    await until("second questions", () => hedgesOf({ pool }) === 10);
    open();
    await Promise.all(answers);
    expect(hedgesOf({ pool })).toBe(10);
    expect(counts().reduce((sum, count) => sum + count)).toBe(50);
  });
});
