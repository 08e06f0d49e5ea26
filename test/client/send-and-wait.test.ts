import { beginCell, Cell, comment, external, internal, SendMode, storeMessage } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type Caller,
  type Client,
  createClient,
  http,
  RpcError,
  sendAndWait,
  waitForSeqno,
} from "../../client/index.js";
import { sendAndWait as sendAndWatch } from "../../client/watch/index.js";
import { clientOf, type RpcRequest, sendJson, serve } from "../helpers/peers/rpc-server.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";
import { minedClock } from "./helpers/mined-clock.js";

/** Another wallet than the prefunded one. */
const other = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) });
const friend = "0:3333333333333333333333333333333333333333333333333333333333333333";

let service: DevnetService;
let client: Client;
beforeAll(async () => {
  service = await sharedService("empty");
  client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
});
afterEach(() => service.mine());
afterAll(async () => {
  client.close();
  await service.close();
});

/** A transfer of the prefunded wallet, packed in one of several ways. */
async function transfer(text: string, pack: (body: Cell, to: WalletContractV4) => Cell = packPlainly) {
  const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
  const wallet = WalletContractV4.create({ workchain: 0, publicKey });
  const seqno = await waitForSeqno(client, wallet.address.toString(), 0);
  const messages = [internal({ to: friend, value: "0.1", bounce: false, body: comment(text) })];
  const body = wallet.createTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
  const init = seqno === 0 ? wallet.init : undefined;
  const boc = init
    ? beginCell()
        .store(storeMessage(external({ to: wallet.address, init, body })))
        .endCell()
    : pack(body, wallet);
  return { boc: boc.toBoc().toString("base64"), wallet: wallet.address.toString(), seqno };
}

function packPlainly(body: Cell, { address }: WalletContractV4): Cell {
  return beginCell()
    .store(storeMessage(external({ to: address, body })))
    .endCell();
}

/** Packed like some wallets do: with an import fee, and the body in the message's own cell. */
function packOddly(body: Cell, { address }: WalletContractV4): Cell {
  return beginCell()
    .storeUint(0b10, 2)
    .storeUint(0, 2)
    .storeAddress(address)
    .storeCoins(5)
    .storeBit(false)
    .storeBit(false)
    .storeSlice(body.beginParse())
    .endCell();
}

describe("a message that is sent", () => {
  it.each([
    ["first, with the wallet's code", "anywhere", packPlainly],
    ["packed in another way", "among its receiver's", packOddly],
  ])("%s, is followed to its transaction %s", async (text, where, pack) => {
    const { boc, wallet, seqno } = await transfer(`${text} ${where}`, pack);
    const clock = minedClock(service);
    const by = where === "anywhere" ? client : withoutIndex(client);
    const { hash, hashNorm, from, transaction } = await sendAndWait(by, boc, { clock, until: "transaction" });
    expect(hash).toBe(Cell.fromBase64(boc).hash().toString("base64"));
    expect(hashNorm).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    if (where !== "anywhere") expect(from).toBe("v2");
    expect(transaction).toMatchObject({ in_msg: { hash } });
    expect(await waitForSeqno(client, wallet, seqno + 1)).toBe(seqno + 1);
    expect(clock.waits).toEqual([]);
  });

  it("to a service without an index has its transaction, and the result says why no more", async () => {
    const { boc } = await transfer("without an index");
    expect(await sendAndWait(client, boc, { clock: minedClock(service) })).toMatchObject({
      ...{ status: undefined, success: undefined, reason: "the service has no index" },
      transaction: { in_msg: { hash: Cell.fromBase64(boc).hash().toString("base64") } },
    });
  });

  it("and refused is rejected immediately, with the contract's exit code", async () => {
    const [first, second] = [await transfer("one"), await transfer("another with its seqno")];
    await sendAndWait(client, first.boc, { clock: minedClock(service) });
    const refused = sendAndWait(client, second.boc);
    await expect(refused).rejects.toMatchObject({ code: "message-rejected", exitCode: 33 });
  });

  it("and was sent before is followed, as wallets send their messages themselves", async () => {
    const [first, second] = [await transfer("by its wallet"), await transfer("not sent, with its seqno")];
    await client.sendBoc({ boc: first.boc });
    const { hash, hashNorm, transaction } = await sendAndWait(client, first.boc, {
      clock: minedClock(service),
    });
    expect(transaction).toMatchObject({ in_msg: { hash } });
    // Its wallet refuses it by now, and would if it had never been sent.
    expect(await sendAndWait(client, first.boc)).toMatchObject({ hash, hashNorm, transaction });
    await expect(sendAndWait(client, second.boc)).rejects.toMatchObject({ code: "message-rejected" });
  });

  it("and whose trace goes on times out after a minute", async () => {
    const boc = packPlainly(comment("lost"), other).toBoc().toString("base64");
    const clock = new FakeClock();
    const answers = { sendBocReturnHash: { hash: "its hash" }, "v3.messageStatus": { status: "included" } };
    const call = async (method: string) => answers[method as keyof typeof answers];
    const caller: Caller = { call: call as Caller["call"], close() {} };
    const sent = sendAndWait(caller, boc, { clock }).catch((error) => error);
    const waits: number[] = [];
    let isOver = false;
    void sent.then(() => (isOver = true));
    await until("the end", () => {
      const [wait] = clock.waits;
      if (wait !== undefined) waits.push(wait);
      clock.advance(wait ?? 0);
      return isOver;
    });
    expect(await sent).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("the trace of"),
      sent: { hash: "its hash", status: { status: "included" } },
    });
    expect(waits.map(Math.round).slice(0, 10)).toEqual([50, 75, 113, 169, 253, 380, 570, 854, 1000, 1000]);
    // The last looks are quicker again, so that what happens shortly before the end is found.
    expect(waits.slice(-5).map(Math.round)).toEqual([769, 384, 192, 96, 50]);
    expect(clock.waits).toEqual([]);
  });

  it("is no longer waited for once its signal fires", async () => {
    const { boc } = await transfer("left");
    const clock = new FakeClock();
    const controller = new AbortController();
    const sent = sendAndWait(client, boc, { clock, signal: controller.signal }).catch((error) => error);
    await until("a look", () => clock.waits.length === 1);
    controller.abort();
    expect(await sent).toMatchObject({ code: "aborted" });
    expect(clock.waits).toEqual([]);
  });

  it("must be an external message", async () => {
    const cell = beginCell().storeUint(0, 32).endCell().toBoc().toString("base64");
    for (const wrong of ["", "nonsense", "te6cckEBAQEAAgAAAEysuc0=", cell])
      await expect(sendAndWait(client, wrong)).rejects.toThrow(TypeError);
  });
});

/** A service without v3 that has the transactions of one account, newest first. */
function busyAccount(clock: FakeClock, wanted: string) {
  const utime = () => Math.floor(clock.now() / 1000);
  const rows: object[] = [];
  const asked: { lt: string | undefined; to_lt: string }[] = [];
  /** One of them received our message, all others received another one. */
  const add = (count: number, boc?: string, at = utime()) => {
    const message = boc ? Cell.fromBase64(boc) : packPlainly(comment("another"), other);
    const messages = beginCell().storeBit(true).storeRef(message).endCell();
    const data = beginCell().storeRef(messages).endCell().toBoc().toString("base64");
    for (let i = 0; i < count; i++) {
      const lt = `${rows.length + 1}`;
      rows.unshift({ data, utime: at, transaction_id: { lt, hash: `hash ${lt}` } });
    }
  };
  type Params = { limit: number; lt?: string; to_lt: string };
  const page = ({ limit, lt, to_lt }: Params) => {
    asked.push({ lt, to_lt });
    const until = Number(lt ?? rows.length);
    return rows.slice(
      rows.length - until,
      Math.min(rows.length - Number(to_lt), rows.length - until + limit),
    );
  };
  const call = async (method: string, params: unknown) =>
    method === "getTransactions" ? page(params as Params) : { hash: "its hash" };
  const caller: Caller = { call: call as Caller["call"], close() {} };
  const sent = sendAndWait(caller, wanted, { clock, until: "transaction" });
  return { sent, add, asked };
}

describe("among the transactions of a busy account", () => {
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 1) });
  const boc = packPlainly(comment("ours"), wallet).toBoc().toString("base64");

  it("the transaction is found behind many newer ones, and none is read twice", async () => {
    const clock = new FakeClock();
    const { sent, add, asked } = busyAccount(clock, boc);
    await until("the first look", () => clock.waits.length === 1);
    expect(asked).toEqual([{ lt: undefined, to_lt: "0" }]);
    add(30);
    clock.advance(1000);
    await until("the second look", () => clock.waits.length === 1);
    add(1, boc);
    add(45);
    clock.advance(1000);
    expect(await sent).toMatchObject({
      from: "v2",
      hash: "its hash",
      transaction: { transaction_id: { lt: "31" } },
    });
    expect(asked.slice(1)).toEqual([
      { lt: undefined, to_lt: "0" },
      { lt: "11", to_lt: "0" },
      { lt: undefined, to_lt: "30" },
      { lt: "57", to_lt: "30" },
      { lt: "38", to_lt: "30" },
    ]);
  });

  it("those from before it was sent are left alone", async () => {
    const clock = new FakeClock();
    const { sent, add, asked } = busyAccount(clock, boc);
    add(1000, undefined, Math.floor(clock.now() / 1000) - 3600);
    add(30);
    await until("the first look", () => clock.waits.length === 1);
    expect(asked).toHaveLength(2);
    add(1, boc);
    clock.advance(1000);
    expect(await sent).toMatchObject({ transaction: { transaction_id: { lt: "1031" } } });
    expect(asked.slice(2)).toEqual([{ lt: undefined, to_lt: "1030" }]);
  });

  it("a search ends after a thousand transactions", async () => {
    const clock = new FakeClock();
    const { sent, add, asked } = busyAccount(clock, boc);
    add(1500);
    await until("the first look", () => clock.waits.length === 1);
    expect(asked).toHaveLength(50);
    add(1, boc);
    clock.advance(1000);
    await sent;
    expect(asked).toHaveLength(51);
  });
});

/** The client of a service that has no v3. */
function withoutIndex({ call, close }: Client): Caller {
  const refuse = async () => Promise.reject(new RpcError("unknown-method", "Unknown method"));
  const ask = (method: string, ...args: never[]) =>
    method.startsWith("v3.") ? refuse() : call(method as string, ...args);
  return { call: ask as Caller["call"], close };
}

describe("a service with an index", () => {
  const message = packPlainly(comment("x"), other).toBoc().toString("base64");

  it("is asked there, by the normalised hash, until it knows; its troubles are waited out and looked past", async () => {
    let asked = 0;
    const { url, requests } = await serve(({ body }, response) => {
      const answer = ({ id, method }: RpcRequest) => {
        if (method === "sendBocReturnHash")
          return { jsonrpc: "2.0", id, result: { hash: "sent", hash_norm: "normalised" } };
        if (method === "getTransactions") return { jsonrpc: "2.0", id, result: [] };
        if (++asked === 2)
          return {
            jsonrpc: "2.0",
            id,
            error: { code: -32000, message: "late", data: { code: 503, kind: "unavailable" } },
          };
        return { jsonrpc: "2.0", id, result: { transactions: asked > 2 ? [{ hash: "found" }] : [] } };
      };
      sendJson(response, Array.isArray(body) ? body.map(answer) : answer(body));
    });
    const clock = new FakeClock();
    const sent = sendAndWait(clientOf(url), message, { clock, until: "transaction" });
    for (let i = 0; i < 2; i++) {
      await until("a wait", () => clock.waits.length === 1);
      clock.advance(1000);
    }
    expect(await sent).toEqual({
      hash: "sent",
      hashNorm: "normalised",
      from: "v3",
      transaction: { hash: "found" },
    });
    const calls = requests.flatMap(({ body }) => body);
    expect(calls.map(({ method }) => method)).toEqual([
      "sendBocReturnHash",
      "v3.transactionsByMessage",
      "v3.transactionsByMessage",
      "getTransactions",
      "v3.transactionsByMessage",
    ]);
    expect(calls[1]!.params).toEqual({ direction: "in", limit: 1, msg_hash: "normalised" });
  });
});

describe("TON Center, which has no statuses", () => {
  const boc = packPlainly(comment("x"), other).toBoc().toString("base64");

  it.each([
    ["polls", sendAndWait],
    ["watches", sendAndWatch],
  ])("gets questions for the transaction, and the result has no status, if one %s", async (_, by) => {
    const asked: string[] = [];
    const { url } = await serve(({ path, body }, response) => {
      const { id, method = path.split("?")[0]! } = (body as RpcRequest | undefined) ?? {};
      asked.push(method);
      if (method === "sendBocReturnHash")
        sendJson(response, {
          ok: true,
          result: { hash: "sent", hash_norm: "normalised" },
          jsonrpc: "2.0",
          id,
        });
      else if (method === "/api/v3/transactionsByMessage")
        sendJson(response, { transactions: asked.length > 6 ? [{ hash: "found" }] : [] });
      else if (path.startsWith("/api/v3/")) sendJson(response, { error: `Cannot GET ${method}` }, 404);
      else sendJson(response, { ok: false, error: "failed to parse", code: 422 }, 422);
    });
    expect(await by(clientOf(url), boc, { everyMs: 1 })).toEqual({
      hash: "sent",
      hashNorm: "normalised",
      status: undefined,
      success: undefined,
      reason: "the service has no v3.messageStatus",
      from: "v3",
      transaction: { hash: "found" },
    });
    // The status is requested once.
    expect(asked.filter((method) => method.endsWith("messageStatus"))).toHaveLength(1);
  });
});

describe("a service that does not answer", () => {
  const call = { sent: sendAndWait, watched: waitForSeqno };
  const boc = packPlainly(comment("x"), other).toBoc().toString("base64");

  it.each([
    ["is asked for the seqno", 0, (by: Client, options: object) => call.watched(by, friend, 1, options)],
    ["is sent a message", 0, (by: Client, options: object) => call.sent(by, boc, options)],
    ["is asked for the transaction", 1, (by: Client, options: object) => call.sent(by, boc, options)],
  ])("when it %s is waited for until the timeout, and no longer", async (_, answers, wait) => {
    const { url, requests } = await serve(({ body }, response) => {
      const { id } = body as RpcRequest;
      if (id <= answers) sendJson(response, { jsonrpc: "2.0", id, result: { hash: "h", hash_norm: "n" } });
    });
    const clock = new FakeClock();
    const waiting = wait(clientOf(url, { clock }), { clock, timeoutMs: 2000 }).catch((error) => error);
    await until("the question", () => requests.length === answers + 1);
    clock.advance(2000);
    expect(await waiting).toMatchObject({ code: "timeout" });
    expect(clock.waits).toEqual([]);
  });
});

describe("waiting for a seqno", () => {
  it("ends at once where it is reached, and counts a wallet without code as 0", async () => {
    expect(await waitForSeqno(client, friend, 0)).toBe(0);
  });

  it("rejects an object that is no wallet", async () => {
    const elector = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
    const waiting = waitForSeqno(client, elector, 0);
    await expect(waiting).rejects.toMatchObject({ code: "invalid-params", exitCode: 11 });
  });
});
