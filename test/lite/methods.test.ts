import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import { NoAnswerError } from "../../server/chain/no-answer-error.js";
import { UnavailableError } from "../../server/chain/unavailable-error.js";
import { maxLiteQuery } from "../../shared/methods/lite.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { type LiteApi, LiteError } from "../../shared/ton/lite/lite-api.js";
import { liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { wire } from "../../shared/ton/tl/codecs.js";
import { encodeQuery, liteMethods, queryOf } from "../../shared/ton/tl/lite-functions.js";
import { latestSeqno, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { Address } from "../../shared/values/address.js";
import { codeOf, place } from "../helpers/contracts/contracts.js";
import { byJsonRpc, startLiteApp } from "../helpers/http/lite-app.js";
import { openSocket } from "../helpers/http/socket.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";

type Answers = Partial<Record<keyof LiteApi, (request: object) => Promise<unknown>>>;

const hash = new Uint8Array(32).fill(5);
const block = { workchain: -1, shard: wholeShard, seqno: 7, rootHash: hash, fileHash: hash };
const head = { last: block, stateRootHash: hash, init: { workchain: -1, rootHash: hash, fileHash: hash } };
const account = { workchain: 0, id: hash };
const state = { id: block, shardblk: block, shardProof: hash, proof: hash, state: hash };

/** A contract that accepts every message, and a message to it. */
const acceptAll = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";
const messageOf = (number: number) =>
  serializeBoc(
    externalMessage(Address.read(acceptAll)!.address, beginCell().storeUint(number, 32).endCell(), undefined),
  );

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const textOf = (...[method, request = {}]: [keyof LiteApi, object?]) =>
  base64(encodeQuery(queryOf(method, request)));
const waitFor = (seqno: number, timeoutMs: number) =>
  wire.encode("liteServer.waitMasterchainSeqno", { seqno, timeoutMs });

/** The interface over a chain with these answers, and the number of calls of each function. */
async function start(answers: Answers = {}, options: Parameters<typeof startLiteApp>[1] = {}) {
  const calls = new Map<string, number>();
  const given: Answers = { getMasterchainInfo: async () => head, ...answers };
  const lite = liteApiFrom(liteMethods, async (method, request) => {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    return given[method]!(request);
  });
  const app = await startLiteApp(lite, options);
  calls.clear();
  onTestFinished(() => app.close());
  const call = async (query: unknown) => {
    const message = { jsonrpc: "2.0", id: 1, method: "lite.query", params: { query } };
    return (await app.post("/jsonRPC", message)).json as { result?: { answer: string }; error?: object };
  };
  const read = async (query: string) =>
    wire.decode(Buffer.from((await call(query)).result!.answer, "base64"));
  return { app, calls, call, read };
}

const liteError = (code: number, message: unknown) => ({
  name: "liteServer.error",
  value: { code, message },
});

describe("lite.query", () => {
  it("answers unknown functions, wrappers and invalid TL with errors in TL", async () => {
    const { read } = await start();
    const getTime = wire.encode("liteServer.getTime");
    const unknown = [
      Buffer.from([1, 2, 3, 4]),
      wire.encode("liteServer.query", { data: getTime }),
      wire.encode("liteServer.nonfinal.getValidatorGroups", { mode: 0 }),
      wire.encode("tcp.ping", { randomId: 1n }),
      wire.encode("liteServer.currentTime", { now: 1 }),
    ];
    for (const query of unknown) expect(await read(base64(query))).toEqual(liteError(621, "unknown query"));
    const whole = Buffer.from(encodeQuery(queryOf("getAccountState", { id: block, account })));
    for (let length = 1; length < whole.length; length++)
      expect(await read(base64(whole.subarray(0, length)))).toEqual(
        liteError(621, expect.stringMatching(/^cannot parse query: /)),
      );
    const tooMuch = [
      Buffer.concat([getTime, getTime]),
      Buffer.concat([waitFor(1, 1), waitFor(1, 1), getTime]),
    ];
    for (const query of tooMuch)
      expect(await read(base64(query))).toMatchObject({ name: "liteServer.error", value: { code: 621 } });
    const list = Buffer.concat([
      wire.encode("liteServer.getLibraries", { libraryList: [] }).subarray(0, 4),
      Buffer.from([0xff, 0xff, 0xff, 0x7f]),
    ]);
    expect(await read(base64(list))).toEqual(liteError(621, expect.stringContaining("no room for")));
  });

  it("refuses queries that are no base64, empty or too long", async () => {
    const { call, calls } = await start();
    const reasons = [
      [undefined, "failed to parse post request: query is required"],
      [7, "failed to parse post request: failed to parse query"],
      ["%%%%", "failed to parse post request: failed to parse query"],
      ["", "failed to validate request: empty query"],
      [
        base64(new Uint8Array(maxLiteQuery + 1)),
        `failed to validate request: query is too long: at most ${maxLiteQuery} bytes`,
      ],
    ];
    for (const [query, message] of reasons)
      expect(await call(query)).toMatchObject({ error: { code: -32602, message } });
    expect(calls.size).toBe(0);
  });

  it("accepts a message of the greatest length, and refuses a longer one as liteservers do", async () => {
    const { read, calls } = await start({ sendMessage: async () => ({ status: 1 }) });
    expect(await read(textOf("sendMessage", { body: new Uint8Array(65_536) }))).toEqual(
      liteError(0, expect.stringContaining("external message too large, rejecting")),
    );
    expect(await read(textOf("sendMessage", { body: new Uint8Array(65_535) }))).toEqual(
      liteError(0, expect.stringContaining("external message is not a valid bag of cells")),
    );
    expect(calls.size).toBe(0);
  });

  it("caches answers about a named block permanently, and others until the next head", async () => {
    const { app, calls, read } = await start({
      getAccountState: async () => state,
      getTime: async () => ({ now: 1 }),
    });
    const named = textOf("getAccountState", { id: block, account });
    const newest = textOf("getAccountState", { id: { ...block, seqno: latestSeqno }, account });
    for (let round = 0; round < 3; round++)
      for (const query of [named, newest, textOf("getMasterchainInfo"), textOf("getTime")]) await read(query);
    expect(Object.fromEntries(calls)).toEqual({ getAccountState: 2, getMasterchainInfo: 1, getTime: 3 });
    app.head.move({ ...block, seqno: 8 });
    for (const query of [named, newest, textOf("getMasterchainInfo")]) await read(query);
    expect(Object.fromEntries(calls)).toEqual({ getAccountState: 3, getMasterchainInfo: 2, getTime: 3 });
    expect(app.cacheReads.filter((outcome) => outcome === "hit")).toHaveLength(7);
  });

  it("caches no errors", async () => {
    let known = false;
    const { read } = await start({
      async getBlock() {
        if (!known) throw new LiteError(651, "block is not applied");
        return { id: block, data: hash };
      },
    });
    const query = textOf("getBlock", { id: block });
    expect(await read(query)).toEqual(liteError(651, "block is not applied"));
    known = true;
    expect((await read(query)).name).toBe("liteServer.blockData");
  });

  it("shares equal calls in flight, but sends each message", async () => {
    const open: (() => void)[] = [];
    const gate = () => new Promise<void>((resolve) => open.push(resolve));
    const { call, calls } = await start({
      async getTime() {
        await gate();
        return { now: 1 };
      },
      async sendMessage() {
        await gate();
        return { status: 1 };
      },
    });
    const reads = Promise.all([1, 2, 3].map(() => call(textOf("getTime"))));
    await until("the read", () => open.length === 1);
    const sends = Promise.all([1, 2, 3].map(() => call(textOf("sendMessage", { body: messageOf(1) }))));
    await until("the messages", () => open.length === 4);
    for (const each of open) each();
    expect(new Set((await reads).map(({ result }) => result!.answer)).size).toBe(1);
    await sends;
    expect(Object.fromEntries(calls)).toEqual({ getTime: 1, sendMessage: 3 });
  });

  it("costs points by the function, with a block to wait for before it too", async () => {
    const spent: number[] = [];
    const { app, call } = await start(
      { getBlock: async () => ({ id: block, data: hash }), getTime: async () => ({ now: 1 }) },
      {
        spend(points) {
          spent.push(points);
          return { granted: points, headers: {} };
        },
      },
    );
    const getBlock = encodeQuery(queryOf("getBlock", { id: block }));
    await call(textOf("getTime"));
    await call(base64(getBlock));
    await call(base64(Buffer.concat([waitFor(1, 1), getBlock])));
    for (const unreadable of ["AA", "%%", 5, null]) await call(unreadable);
    expect(spent).toEqual([1, 1, 4, 1, 4, 1, 1, 1, 1]);
    spent.length = 0;
    const batch = [base64(getBlock), textOf("getTime")].map((query, id) => ({
      ...{ jsonrpc: "2.0", id, method: "lite.query" },
      params: { query },
    }));
    expect((await app.post("/jsonRPC", batch)).json).toHaveLength(2);
    expect(spent).toEqual([1, 5]);
  });

  it("reports an unavailable chain and a missing answer as errors of the call", async () => {
    const { call } = await start({
      getTime: () => Promise.reject(new UnavailableError()),
      getVersion: () => Promise.reject(new NoAnswerError()),
      getOutMsgQueueSizes: () => Promise.reject(new TypeError("secret")),
    });
    const kindOf = async (method: keyof LiteApi) =>
      ((await call(textOf(method))) as { error: { data: { kind: string } } }).error.data.kind;
    expect(await kindOf("getTime")).toBe("unavailable");
    expect(await kindOf("getVersion")).toBe("timeout");
    expect(await kindOf("getOutMsgQueueSizes")).toBe("internal");
  });

  it("reports each call to the log and the metrics, with nothing of its content", async () => {
    const { app, read } = await start({ getTime: async () => ({ now: 1 }) });
    await read(textOf("getTime"));
    await read(base64(Uint8Array.of(1, 2, 3, 4)));
    expect(app.reports.map(({ method, code }) => [method, code])).toEqual([
      ["lite.query", undefined],
      ["lite.query", undefined],
    ]);
  });
});

describe("lite.query of a devnet", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("empty");
  });
  afterAll(() => service.close());

  it("answers by HTTP, in batches and by WebSocket", async () => {
    const query = textOf("getMasterchainInfo");
    const { answer } = await service.run<{ answer: string }>("lite.query", { query });
    const { last } = await service.run<{ last: { seqno: number; root_hash: string } }>("getMasterchainInfo");
    const { value } = wire.decode(Buffer.from(answer, "base64"));
    const told = value["last"] as { seqno: number; rootHash: Uint8Array };
    expect([told.seqno, base64(told.rootHash)]).toEqual([last.seqno, last.root_hash]);
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: "lite.query", params: { query } });
    const { json } = await service.post("/jsonRPC", [call(1), call(2)]);
    expect(json).toMatchObject([1, 2].map((id) => ({ id, result: { answer } })));
    const socket = await openSocket(service.url, { headers: { "X-API-Key": service.key } });
    socket.send(call(3));
    expect(await socket.next()).toMatchObject({ id: 3, result: { answer } });
    socket.close();
  });

  it("waits until a block is made", async () => {
    const { last } = await service.run<{ last: { seqno: number } }>("getMasterchainInfo");
    const waiting = Buffer.concat([
      waitFor(last.seqno + 1, 2 ** 31 - 1),
      encodeQuery(queryOf("getMasterchainInfo", {})),
    ]);
    const answered = service.run<{ answer: string }>("lite.query", { query: base64(waiting) });
    await service.mine();
    const { value } = wire.decode(Buffer.from((await answered).answer, "base64"));
    expect(value["last"]).toMatchObject({ seqno: last.seqno + 1 });
  });

  it("sends messages, and answers their rejections as liteservers do", async () => {
    await place(service, { address: acceptAll, code: codeOf("FF00F800"), balance: "1000000000000" });
    const ask = byJsonRpc(service);
    const send = async (body: Uint8Array) =>
      wire.decode(await ask(encodeQuery(queryOf("sendMessage", { body }))));
    expect(await send(messageOf(1))).toEqual({ name: "liteServer.sendMsgStatus", value: { status: 1 } });
    expect(await send(messageOf(1))).toEqual(liteError(0, expect.stringContaining("duplicate message")));
    // Another layout of the same message.
    const again = serializeBoc(parseBocRoot(messageOf(1)), { index: true });
    expect(await send(again)).toEqual(liteError(0, expect.stringContaining("duplicate message")));
    expect(await send(serializeBoc(beginCell().storeUint(5, 8).endCell()))).toEqual(
      liteError(0, expect.stringContaining("not a (Message Any)")),
    );
    await service.mine();
    const { balance } = await service.run<{ balance: string }>("getAddressInformation", {
      address: acceptAll,
    });
    expect(BigInt(balance)).toBeLessThan(1_000_000_000_000n);
  });
});
