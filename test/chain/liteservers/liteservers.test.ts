import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Liteservers } from "../../../server/chain/liteservers/liteservers.js";
import { NoAnswerError } from "../../../server/chain/no-answer-error.js";
import { UnavailableError } from "../../../server/chain/unavailable-error.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { blockId, FakeLiteServer } from "../../helpers/chain/fake-chain.js";
import { freePort } from "../../helpers/free-port.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { openLiteservers, openLiteserversForTest, silent } from "../../helpers/peers/open-liteservers.js";
import { until } from "../../helpers/until.js";
import { passPauses, setUp } from "./fake-liteservers.js";

const body = Uint8Array.of(1, 2, 3);
const duplicate = new LiteError(0, "cannot send external message : duplicate message");
const unavailable = new UnavailableError();

describe("the pool", () => {
  test("reports head, lag and history of each server", async () => {
    const { pool } = await setUp([100, 100, 90], ([, second]) => {
      second!.oldest = 37;
    });
    expect(pool.status()).toEqual(
      [
        { head: 100, lag: 0, oldest: 1 },
        { head: 100, lag: 0, oldest: 37 },
        { head: 90, lag: 10, oldest: 1 },
      ].map((facts) =>
        expect.objectContaining({ ...facts, state: "alive", host: "127.0.0.1", inFlight: 0, errors: {} }),
      ),
    );
  });

  test("moves its head with the first server that has a new block", async () => {
    const { pool, servers } = await setUp([100, 100]);
    const heads: number[] = [];
    pool.onHead(({ seqno }) => heads.push(seqno));
    servers[1]!.grow(101);
    await until("the news", () => pool.head?.seqno === 101);
    servers[0]!.grow(101);
    servers[0]!.grow(103);
    await until("more of it", () => pool.head?.seqno === 103);
    expect(heads).toEqual([101, 103]);
    expect((await pool.api.getMasterchainInfo()).last.seqno).toBe(103);
  });

  test("never reports an older head than before", async () => {
    const { pool, servers } = await setUp([100, 99]);
    servers[0]!.answer = ({ method }) =>
      method === "getMasterchainInfo" ? Promise.reject(new LiteError(-503, "timeout")) : undefined;
    const answer = pool.api.getMasterchainInfo();
    await until("the second server to be asked to wait", () => servers[0]!.questions.length === 1);
    servers[1]!.grow(100);
    expect((await answer).last.seqno).toBe(100);
  });

  test("waits for the block a call names in waitSeqno", async () => {
    const { pool, servers } = await setUp([100, 100]);
    const answer = pool.api.getBlockHeader({ id: blockId(50) }, { waitSeqno: 102 });
    servers[0]!.grow(102);
    await answer;
    await expect(pool.api.getTime({}, { waitSeqno: 203 })).rejects.toEqual(
      new LiteError(651, "too big masterchain block seqno"),
    );
  });

  test("sends requests for old blocks to servers that have them", async () => {
    const { pool, counts } = await setUp([100, 100, 100], ([first, second]) => {
      first!.oldest = 50;
      second!.oldest = 90;
    });
    for (let i = 0; i < 5; i++) await pool.api.getBlockHeader({ id: blockId(20) });
    expect(counts()).toEqual([0, 0, 5]);
  });

  test("retries at the server with the longest history when data are missing", async () => {
    const { pool, servers } = await setUp([100, 100, 100], ([first, second]) => {
      first!.oldest = 50;
      second!.oldest = 90;
    });
    const gone = new LiteError(-400, "cannot compute block with specified transaction: lt not in db");
    for (const server of servers.slice(0, 2))
      server.answer = ({ method }) => (method === "getTransactions" ? Promise.reject(gone) : undefined);
    servers[2]!.answer = ({ method }) =>
      method === "getTransactions" ? Promise.resolve({ ids: [], transactions: body }) : undefined;
    const query = { account: { workchain: 0, id: blockId(1).rootHash }, lt: 1n, hash: body, count: 1 };
    const asked = { ...query, hash: blockId(1).rootHash };
    expect(await pool.api.getTransactions(asked)).toEqual({ ids: [], transactions: body });
    expect(servers.slice(0, 2).filter(({ questions }) => questions.length > 0).length).toBeLessThan(2);
  });

  test("prefers the longest history for archival calls, and reports which servers were asked", async () => {
    const { pool, servers, counts } = await setUp([100, 100, 80], ([first, second]) => {
      first!.oldest = 50;
      second!.oldest = 20;
    });
    for (const server of servers)
      server.answer = ({ method }) =>
        method === "getTransactions" ? Promise.resolve({ ids: [], transactions: body }) : undefined;
    const { rootHash: id } = blockId(1);
    const question = { account: { workchain: 0, id }, lt: 1n, hash: id, count: 1 };
    const asked = new Set<number>();
    await pool.api.getTransactions(question, { archival: true, asked });
    expect(counts()).toEqual([0, 0, 1]);
    expect(asked).toEqual(new Set([2]));
    // A lagging archive's "not found" is not final.
    servers[2]!.answer = ({ method }) =>
      method === "getTransactions"
        ? Promise.reject(new LiteError(-400, "cannot compute block with specified transaction: lt not in db"))
        : undefined;
    await pool.api.getTransactions(question, { archival: true, asked });
    expect(counts()).toEqual([0, 1, 2]);
    expect(asked).toEqual(new Set([2, 1]));
  });

  test('accepts "not found" from three servers, or from all there are', async () => {
    const missing = new LiteError(651, "block (0,8000000000000000,7) is not in db");
    const askedBy = async (count: number, seqno: number) => {
      const { pool, servers, counts } = await setUp(Array.from({ length: count }, () => 100));
      for (const server of servers)
        server.answer = ({ method }) => (method === "getBlock" ? Promise.reject(missing) : undefined);
      await expect(pool.api.getBlock({ id: blockId(seqno) })).rejects.toEqual(missing);
      return counts().reduce((sum, each) => sum + each);
    };
    expect(await askedBy(5, 60)).toBe(3);
    expect(await askedBy(2, 60)).toBe(2);
    // For a block past the head one server is enough.
    expect(await askedBy(5, 101)).toBe(1);
  });

  test("finds data that only the server with the newest block has", async () => {
    const { pool, servers, timers } = await setUp([100, 100, 100, 100, 100]);
    const early = new LiteError(-400, "cannot compute block with specified transaction: lt not in db");
    const { rootHash: id } = blockId(1);
    const question = { account: { workchain: 0, id }, lt: 1n, hash: id, count: 1 };
    for (const [index, first] of servers.entries()) {
      const head = 101 + index;
      for (const server of servers)
        server.answer = ({ method }) => {
          if (method !== "getTransactions") return undefined;
          return server.head < head
            ? Promise.reject(early)
            : Promise.resolve({ ids: [], transactions: body });
        };
      first.grow(head);
      await until("the news", () => pool.head?.seqno === head);
      expect(await pool.api.getTransactions(question)).toEqual({ ids: [], transactions: body });
      for (const server of servers) server.grow(head);
      await until("all others to have it", () => pool.status().every((each) => each.head === head));
    }
    // After the retries, the "not found" of lagging servers is accepted.
    for (const server of servers)
      server.answer = ({ method }) => (method === "getTransactions" ? Promise.reject(early) : undefined);
    servers[0]!.grow(200);
    await until("the last news", () => pool.head?.seqno === 200);
    const refused = expect(pool.api.getTransactions(question)).rejects.toEqual(early);
    await passPauses(timers, 100, 200);
    await refused;
  });

  test("retries after a pause when data are not there yet", async () => {
    const { pool, servers, timers } = await setUp([100]);
    const early = new LiteError(651, "block (0,8000000000000000,7) is not applied");
    let refusals = 2;
    servers[0]!.answer = ({ method }) =>
      method === "getBlock" && refusals-- > 0 ? Promise.reject(early) : undefined;
    const refused = expect(pool.api.getBlock({ id: blockId(60) })).rejects.toEqual(
      new LiteError(-400, "getBlock is not here"),
    );
    await passPauses(timers, 100, 200);
    await refused;
    expect(servers[0]!.questions).toHaveLength(3);
  });

  test("accepts a refusal from three servers, not from the first alone", async () => {
    const { pool, servers, counts } = await setUp([100, 100, 100, 100]);
    const refusal = new LiteError(-400, "getBlock is not here");
    await expect(pool.api.getBlock({ id: blockId(60) })).rejects.toEqual(refusal);
    expect(counts().reduce((sum, count) => sum + count)).toBe(3);
    let refusals = 2;
    for (const server of servers)
      server.answer = ({ method }) =>
        method === "getBlockHeader" && refusals-- > 0 ? Promise.reject(refusal) : undefined;
    expect((await pool.api.getBlockHeader({ id: blockId(60) })).id).toEqual(blockId(60));
    expect(counts().reduce((sum, count) => sum + count)).toBe(3 + 3);
  });

  test("has 32 requests per server in flight, 256 waiting, and rejects more", async () => {
    const { pool, servers } = await setUp([100, 100]);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    for (const server of servers)
      server.answer = ({ method }) =>
        method === "getBlockHeader" ? gate.then(() => ({ id: blockId(5), headerProof: body })) : undefined;
    const answers = Array.from({ length: 400 }, () =>
      pool.api.getBlockHeader({ id: blockId(5) }).catch((error: unknown) => error),
    );
    await until("both to be busy", () => servers.every(({ questions }) => questions.length === 32));
    open();
    const refused = (await Promise.all(answers)).filter((answer) => answer instanceof UnavailableError);
    expect(refused).toHaveLength(400 - 64 - 256);
    expect(refused[0]).toEqual(unavailable);
  });

  test("gives a free slot to the first waiting call that can use it", async () => {
    const { pool, servers } = await setUp([100, 100], ([first]) => {
      first!.oldest = 50;
    });
    const gates = servers.map(() => {
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      return { open, opened };
    });
    for (const [index, server] of servers.entries())
      server.answer = ({ method, request }) =>
        method === "getBlockHeader" && (request as { stateUpdate?: boolean }).stateUpdate
          ? gates[index]!.opened.then(() => ({ id: blockId(60), headerProof: body }))
          : undefined;
    const slow = Array.from({ length: 64 }, () =>
      pool.api.getBlockHeader({ id: blockId(60), stateUpdate: true }),
    );
    await until("both to be busy", () => servers.every(({ questions }) => questions.length === 32));
    const old = pool.api.getBlockHeader({ id: blockId(20) });
    const recent = pool.api.getBlockHeader({ id: blockId(70) });
    gates[0]!.open();
    expect((await recent).id).toEqual(blockId(70));
    gates[1]!.open();
    await expect(old).resolves.toMatchObject({ id: blockId(20) });
    await Promise.all(slow);
  });

  test("does not suspend a server after a timeout of 50 ms", async () => {
    const { pool, servers, timers } = await setUp([100]);
    servers[0]!.answer = ({ method }) => (method === "getBlockHeader" ? new Promise(() => {}) : undefined);
    const hasty = pool.api.getBlockHeader({ id: blockId(50) }, { deadline: timers.now() + 50 });
    await until("the question", () => servers[0]!.questions.length === 1);
    timers.pass(50);
    await expect(hasty).rejects.toEqual(new NoAnswerError());
    expect(pool.status()).toMatchObject([{ state: "alive", errors: { 652: 1 } }]);
  });

  test("rejects with unavailable when no server can be reached", async () => {
    const address = { host: "127.0.0.1", port: await freePort(), publicKey: randomBytes(32) };
    const timers = new ManualTimers();
    const pool = new Liteservers({
      servers: [address],
      zeroState: blockId(0),
      timers,
      random: Math.random,
      randomBytes,
      log: silent,
    });
    const refused = expect(pool.api.getTime()).rejects.toEqual(unavailable);
    await until("its refusal", () => pool.status()[0]!.lastError !== undefined);
    expect(pool.status()).toMatchObject([
      { state: "unreachable", lastError: expect.stringContaining("ECONNREFUSED") },
    ]);
    timers.pass(1000);
    await refused;
    const ready = pool.ready(10);
    timers.pass(10);
    expect(await ready).toBe(false);
    pool.close();
    await expect(pool.api.getTime()).rejects.toEqual(unavailable);
  });

  test("does not use a server of another network", async () => {
    const stranger = await FakeLiteServer.start(500);
    stranger.answer = ({ method }) =>
      method === "getMasterchainInfoExt"
        ? Promise.resolve({
            last: blockId(500),
            stateRootHash: blockId(0).rootHash,
            init: { ...blockId(0), rootHash: new Uint8Array(32).fill(9) },
            version: 1,
            capabilities: 1n,
            now: 1,
            lastUtime: 1,
          })
        : undefined;
    const own = await FakeLiteServer.start(100);
    const servers = [stranger.address, own.address];
    const pool = await openLiteserversForTest(FakeLiteServer.info, servers, { timers: new ManualTimers() });
    await until("its ban", () => pool.status()[0]!.state === "foreign");
    expect(pool.head).toEqual(blockId(100));
  });
});

describe("a message", () => {
  test("goes to three servers, and is accepted once one accepts it", async () => {
    const { pool, servers, counts } = await setUp([100, 100, 100, 100]);
    const answers = [
      () => Promise.reject(duplicate),
      () => new Promise<never>(() => {}),
      () => Promise.resolve({ status: 1 }),
      () => Promise.reject(duplicate),
    ];
    for (const [index, server] of servers.entries())
      server.answer = ({ method }) => (method === "sendMessage" ? answers[index]!() : undefined);
    expect(await pool.api.sendMessage({ body })).toEqual({ status: 1 });
    await until("all three to be asked", () => counts().join() === "1,1,1,0");
  });

  test("is accepted when one server does not answer and the others call it a duplicate", async () => {
    const { pool, servers, counts, timers } = await setUp([100, 100, 100]);
    for (const [index, server] of servers.entries())
      server.answer = ({ method }) => {
        if (method !== "sendMessage") return undefined;
        return index === 1 ? new Promise(() => {}) : Promise.reject(duplicate);
      };
    const answer = pool.api.sendMessage({ body });
    await until("the question", () => counts().join() === "1,1,1");
    timers.pass(5000);
    expect(await answer).toEqual({ status: 1 });
  });

  const late = new LiteError(-503, "timeout");
  const refusal = new LiteError(0, "cannot apply external message to current state : exit code 33");
  test.each<[title: string, refusals: [LiteError, LiteError, LiteError], outcome: object]>([
    ["rejected as a duplicate when all servers call it one", [duplicate, duplicate, duplicate], duplicate],
    ["accepted when one times out and the others call it one", [late, duplicate, duplicate], { status: 1 }],
    ["timed out, not rejected, when all servers time out", [late, late, late], late],
    ["rejected with the reason when no server accepts it", [refusal, refusal, refusal], refusal],
  ])("is %s", async (_, refusals, outcome) => {
    const { pool, servers, counts } = await setUp([100, 100, 100, 100]);
    const left = [...refusals];
    for (const server of servers)
      server.answer = ({ method }) =>
        method === "sendMessage" ? Promise.reject(left.shift() ?? refusals[0]) : undefined;
    expect(await pool.api.sendMessage({ body }).catch((error: unknown) => error)).toEqual(outcome);
    for (const count of counts()) expect(count).toBeLessThan(2);
  });
});

describe("a closed pool", () => {
  test("rejects waiting calls and closes all connections", async () => {
    const server = await FakeLiteServer.start(100);
    const pool = await openLiteservers(FakeLiteServer.info, [server.address], { timers: new ManualTimers() });
    const waiting = [
      pool.api.getTime({}, { waitSeqno: 101 }),
      pool.api.getBlockHeader({ id: blockId(50) }, { waitSeqno: 150 }),
    ].map((answer) => answer.catch((error: unknown) => error));
    pool.close();
    expect(await Promise.all(waiting)).toEqual([unavailable, unavailable]);
    expect(pool.status()).toMatchObject([{ state: "unreachable" }]);
  });
});
