import { randomBytes } from "node:crypto";
import { Address } from "@ton/core";
import { TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, type TestSocket } from "../helpers/http/socket.js";
import { loadTonWeb } from "../helpers/peers/tonweb.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const address = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const TonWeb = loadTonWeb();

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

type Answer = { error?: { code: number; message: string; data: object }; result?: unknown };
const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

const socketAt = ({ url, key }: { url: string; key: string }, path: string) =>
  openSocket(url, { path, headers: { "X-API-Key": key } });

async function ask(socket: TestSocket, message: object): Promise<unknown> {
  socket.send(message);
  return socket.next();
}

async function post(path: string, body: object) {
  const { status, json } = await service.post(path, body);
  return { status, answer: json as Answer };
}

describe("/jsonRPC refuses parameters that a method does not have", () => {
  it.each([
    ["v3.transactions", { acount: [address] }, "unknown parameter acount: did you mean account?", "account"],
    ["v3.transactions", { ADRESS: 1 }, expect.stringMatching(/^unknown parameter ADRESS/), undefined],
    ["getAddressState", { adress: address }, "unknown parameter adress: did you mean address?", "address"],
    ["getAddressState", { address, seqNo: 1 }, "unknown parameter seqNo: did you mean seqno?", "seqno"],
    [
      "getAddressState",
      { address, colour: null },
      "unknown parameter colour: the method takes address, seqno",
      undefined,
    ],
    ["rpc.ping", { x: 1 }, "unknown parameter x: the method takes none", undefined],
    [
      "getAddressState",
      { address, 'a"b\nc': 1 },
      'unknown parameter "a\\"b\\nc": the method takes address, seqno',
      undefined,
    ],
    ["devnet.mine", { block: 1 }, "unknown parameter block: did you mean blocks?", "blocks"],
  ])("%s %j", async (method, params, message, meant) => {
    const { answer } = await post("/jsonRPC", call(method, params));
    expect(answer.error).toMatchObject({ code: -32602, message });
    if (meant !== undefined)
      expect(answer.error?.data).toMatchObject({ kind: "invalid-params", did_you_mean: meant });
  });

  it("but for the @type of an object of an answer that is passed on", async () => {
    const id = { "@type": "internal.transactionId", lt: "0", hash: `${"A".repeat(43)}=` };
    const { answer } = await post("/jsonRPC", call("getTransactions", { address, ...id }));
    expect(answer.error?.message ?? "").not.toMatch(/unknown parameter/);
  });

  it("one by one in a batch, and over its WebSocket", async () => {
    const calls = [call("getAddressState", { address, colour: 1 }), call("getAddressState", { address })];
    const { answer } = await post("/jsonRPC", calls);
    const socket = await socketAt(service, "/jsonRPC");
    const overSocket = [await ask(socket, calls), await ask(socket, calls[0]!)];
    socket.close();
    const refused = { error: { code: -32602, data: { param: "colour" } } };
    const two = [expect.objectContaining({ result: "uninitialized" })];
    for (const answers of [answer, overSocket[0]]) {
      const sorted = [...(answers as unknown as Answer[])];
      expect(sorted).toMatchObject([refused, { result: "uninitialized" }]);
      expect(sorted).toEqual(expect.arrayContaining(two));
    }
    expect(overSocket[1]).toMatchObject(refused);
  });

  it("also if the name is long, of which it repeats at most 64 characters", async () => {
    const { answer } = await post("/jsonRPC", call("getAddressState", { address, ["x".repeat(100_000)]: 1 }));
    expect(answer.error?.message).toBe(
      `unknown parameter ${"x".repeat(64)}: the method takes address, seqno`,
    );
  });

  it("but not names that v3 spells in other letters", async () => {
    const { answer } = await post("/jsonRPC", call("v3.transactions", { ACCOUNT: [address] }));
    expect(answer.error?.message ?? "").not.toContain("unknown parameter");
  });
});

describe("everything else ignores them, as the reference does", () => {
  const params = { address, colour: "red" };

  it.each([
    ["/api/v2/jsonRPC", call("getAddressState", params)],
    ["/api/v2/jsonRPC", [call("getAddressState", params)]],
    ["/", call("getAddressState", params)],
    ["/", [call("getAddressState", params)]],
    ["/api/v2/getAddressState", params],
  ])("%s with %j", async (path, body) => {
    const { status, answer } = await post(path, body);
    expect(status).toBe(200);
    expect([answer].flat()).toMatchObject([{ result: "uninitialized" }]);
  });

  it("and the WebSocket below /api/", async () => {
    const socket = await socketAt(service, "/api/v2/jsonRPC");
    expect(await ask(socket, call("getAddressState", params))).toMatchObject({
      result: "uninitialized",
    });
    socket.close();
  });

  it("and REST names them, at most five, by names alone", async () => {
    const ignored = async (path: string) => (await service.get(path)).headers.get("X-Ignored-Params");
    const state = `/api/v2/getAddressState?address=${address}`;
    expect(await ignored(state)).toBeNull();
    expect(await ignored(`${state}&colour=secret&api_key=${service.key}&x_timeout=5`)).toBe("colour");
    // As before, from what was read of an equal query.
    expect(await ignored(`${state}&colour=secret&api_key=${service.key}&x_timeout=5`)).toBe("colour");
    expect(await ignored(`${state}&a=1&b=1&c=1&d=1&e=1&f=1`)).toBe("a, b, c, d, e");
    expect(await ignored(`${state}&a%0d%0ab=1&%F0%9F%98%80=1&a-b=1&a[]=1`)).toBeNull();
    expect(await ignored("/api/v2/getAddressState?adress=x")).toBe("adress");
    expect(await ignored("/api/v3/masterchainInfo?colour=1")).toBe("colour");
    const posted = await service.post("/api/v2/getAddressState", { address, colour: "red" });
    expect(posted.headers.get("X-Ignored-Params")).toBe("colour");
    expect(posted.headers.get("Access-Control-Expose-Headers")).toContain("X-Ignored-Params");
  });
});

describe("unchanged clients at /jsonRPC", () => {
  const endpoint = () => `${service.url}/jsonRPC`;

  it("TonClient passes on members that its callers gave, and sends its version", async () => {
    const client = new TonClient({ endpoint: endpoint(), apiKey: service.key });
    const options = { limit: 5, colour: "red" };
    expect(await client.getTransactions(Address.parse(address), options)).toEqual([]);
    const { answer } = await post("/jsonRPC", call("getTransactions", { address, ...options }));
    expect(answer.error?.data).toMatchObject({ param: "colour" });
  });

  it("tonweb sends no member that a method does not have", async () => {
    const provider = new TonWeb.HttpProvider(endpoint(), { apiKey: service.key });
    const { publicKey, secretKey } = TonWeb.utils.keyPairFromSeed(randomBytes(32));
    const wallet = new TonWeb.Wallets.all["v4R2"]!(provider, { publicKey, wc: 0 });
    const own = (await wallet.getAddress()).toString(true, true, true);
    await service.run("devnet.faucet", { address: own });
    expect(await wallet.deploy(secretKey).estimateFee()).toMatchObject({ "@type": "query.fees" });
    expect(await wallet.deploy(secretKey).send()).toEqual({ "@type": "ok" });
    await service.mine();
    const { seqno } = (await provider.getMasterchainInfo()).last;
    const whole = "-9223372036854775808";
    const [{ transaction_id: last }] = (await provider.getTransactions(own)) as unknown as [
      { transaction_id: { lt: string; hash: string } },
    ];
    const reads = [
      wallet.methods.seqno().call(),
      provider.getTransactions(own, 1, last.lt, last.hash, undefined, true),
      provider.getBalance(own),
      provider.getAddressInfo(own),
      provider.getExtendedAddressInfo(own),
      provider.getWalletInfo(own),
      provider.call2(own, "seqno"),
      provider.getConfigParam(0),
      provider.getBlockShards(seqno),
      provider.getBlockTransactions(-1, whole, seqno, 5),
      provider.getBlockHeader(-1, whole, seqno),
    ];
    expect((await Promise.allSettled(reads)).filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it("members that a caller of tonweb adds are refused, unless the setting allows them", async () => {
    const params = { address, colour: "red" };
    const send = ({ url, key }: { url: string; key: string }) =>
      new TonWeb.HttpProvider(`${url}/jsonRPC`, { apiKey: key }).send("getAddressState", params);
    await expect(send(service)).rejects.toMatchObject({ code: -32602 });
    const lenient = await startDevnetService({ unknownParams: "ignore" });
    expect(await send(lenient)).toBe("uninitialized");
    const socket = await socketAt(lenient, "/jsonRPC");
    expect(await ask(socket, call("getAddressState", params))).toMatchObject({
      result: "uninitialized",
    });
    socket.close();
    await lenient.close();
  });
});
