import { createHash, createPublicKey, verify } from "node:crypto";
import { crc32 } from "node:zlib";
import { Address, beginCell, Cell, comment, loadMessageRelaxed, storeStateInit } from "@ton/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type InjectedDevnetWallet,
  injectDevnetWallet,
  type TonConnectBridge,
} from "../../client/devnet-wallet/index.js";
import { type Client, createCaller, createClient, http } from "../../client/index.js";
import { variants } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

// The wallet as a page has it, with the address and the storage of a page. test/browser has it in Chromium, with TON Connect's package.

type Wallet = { address: string; type: string };
type Payment = { in_msg: { hash: string; message?: string; value: string } };
type Reply = { id: string; result?: unknown; error?: { code: number; message: string } };

const receiver = Address.parseRaw(`0:${"12".repeat(32)}`);
const friendly = receiver.toString({ bounceable: false });
const origin = "http://localhost:5173";
const domain = Buffer.from("localhost:5173");

describe("the devnet's wallet", () => {
  let service: DevnetService;
  let client: Client;
  let wallets: readonly Wallet[];
  let network: string;
  let now: number;
  let injected: InjectedDevnetWallet | undefined;
  const stored = new Map<string, string>();

  beforeAll(async () => {
    service = await startDevnetService();
    client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
    const info = await service.run<{ wallets: Wallet[]; global_id: number }>("devnet.info");
    wallets = info.wallets;
    network = String(info.global_id);
  });
  afterAll(async () => {
    client?.close();
    await service?.close();
  });
  beforeEach(async () => {
    vi.stubGlobal("location", new URL(origin));
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    });
    ({ now } = await service.run<{ now: number }>("devnet.info"));
  });
  afterEach(() => {
    injected?.remove();
    stored.clear();
    vi.unstubAllGlobals();
  });

  const ofVersion = (version: string) => wallets.find(({ type }) => type === version)!.address;

  /** Puts the wallet into the page, in the place of an earlier one. */
  async function inject(account?: string, declined: readonly string[] = []): Promise<TonConnectBridge> {
    injected?.remove();
    injected = await injectDevnetWallet({
      client,
      account,
      approve: ({ method }) => !declined.includes(method),
    });
    return (globalThis as unknown as { tonwireDevnet: { tonconnect: TonConnectBridge } }).tonwireDevnet
      .tonconnect;
  }

  const connect = (bridge: TonConnectBridge, ...more: object[]) =>
    bridge.connect(2, { manifestUrl: origin, items: [{ name: "ton_addr" }, ...more] });

  const itemsOf = async <Items>(connecting: Promise<unknown>) =>
    ((await connecting) as { payload: { items: Items } }).payload.items;

  let lastId = 0;
  /** The answer to a method with its only parameter. */
  const ask = (bridge: TonConnectBridge, method: string, parameter: unknown) =>
    bridge.send({ id: String(++lastId), method, params: [JSON.stringify(parameter)] }) as Promise<Reply>;

  /** The newest payments to the receiver, in a block that is made for them. */
  async function arrived(many = 1): Promise<(string | undefined)[][]> {
    await service.mine(2);
    const all = await service.run<Payment[]>("getTransactions", { address: friendly, limit: many });
    return all.map(({ in_msg }) => [in_msg.value, in_msg.message]);
  }

  it.each(variants(["v5r1", "tg"], ["v3r2", "v4r2"]))("connects and sends, as %s", async (version) => {
    const bridge = await inject(ofVersion(version));
    const items = await itemsOf<[{ walletStateInit: string }]>(connect(bridge));
    const address = injected!.address;
    expect(Address.parse(address).equals(Address.parse(ofVersion(version)))).toBe(true);
    expect(items).toMatchObject([{ address, network }]);
    const init = Cell.fromBase64(items[0].walletStateInit);
    expect(init.hash().equals(Address.parse(address).hash)).toBe(true);

    const body = comment(`from ${version}`).toBoc().toString("base64");
    const messages = [
      { address: friendly, amount: "1000", payload: body },
      { address: friendly, amount: "2000" },
    ];
    const { result } = await ask(bridge, "sendTransaction", { valid_until: now + 300, messages });
    expect((await arrived(2)).map(([value]) => value).sort()).toEqual(["1000", "2000"]);
    expect(await arrived(2)).toContainEqual(["1000", `from ${version}`]);
    const [transaction] = await service.run<Payment[]>("getTransactions", { address, limit: 1 });
    expect(transaction!.in_msg.hash).toBe(
      Cell.fromBase64(result as string)
        .hash()
        .toString("base64"),
    );
  });

  it("deploys a contract by its initial state", async () => {
    const bridge = await inject();
    await connect(bridge);
    const code = beginCell().storeUint(0xff00f800, 32).endCell();
    const init = { code, data: beginCell().storeUint(now, 64).endCell() };
    const stateInit = beginCell().store(storeStateInit(init)).endCell();
    const address = new Address(0, stateInit.hash()).toString();
    const message = { address, amount: "50000000", stateInit: stateInit.toBoc().toString("base64") };
    await ask(bridge, "sendTransaction", { messages: [message] });
    await service.mine(2);
    const deployed = await service.run<{ code: string }>("getAddressInformation", { address });
    expect(deployed.code).toBe(code.toBoc().toString("base64"));
  });

  it("proves its address, and signs texts, bytes and cells in the protocol's formats", async () => {
    const bridge = await inject();
    const address = Address.parse(injected!.address);
    const [account, { proof }] = await itemsOf<
      [
        { publicKey: string },
        { proof: { payload: string; domain: object; timestamp: number; signature: string } },
      ]
    >(connect(bridge, { name: "ton_proof", payload: "nonce ü" }));
    const isSigned = (hash: Buffer, signature: string) => {
      const raw = {
        kty: "OKP",
        crv: "Ed25519",
        x: Buffer.from(account.publicKey, "hex").toString("base64url"),
      };
      const key = createPublicKey({ key: raw, format: "jwk" });
      return verify(null, hash, key, Buffer.from(signature, "base64"));
    };
    const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
    const numbers = (timestamp: number, form: "LE" | "BE") => {
      const [length, time] = [Buffer.alloc(4), Buffer.alloc(8)];
      length[`writeUInt32${form}`](domain.length);
      time[`writeBigUInt64${form}`](BigInt(timestamp));
      return { length, time };
    };
    const who = Buffer.concat([Buffer.alloc(4), address.hash]);
    const mark = Buffer.of(0xff, 0xff);

    expect(proof.payload).toBe("nonce ü");
    expect(proof.domain).toEqual({ lengthBytes: domain.length, value: domain.toString() });
    const { length, time } = numbers(proof.timestamp, "LE");
    const item = sha256(
      Buffer.from("ton-proof-item-v2/"),
      who,
      length,
      domain,
      time,
      Buffer.from(proof.payload),
    );
    expect(isSigned(sha256(mark, Buffer.from("ton-connect"), item), proof.signature)).toBe(true);

    const sign = async (data: object) =>
      (await ask(bridge, "signData", data)).result as { signature: string; timestamp: number };
    for (const [data, prefix, bytes] of [
      [{ type: "text", text: "grüezi" }, "txt", Buffer.from("grüezi")],
      [{ type: "binary", bytes: "AQID" }, "bin", Buffer.of(1, 2, 3)],
    ] as const) {
      const signed = await sign(data);
      const repeated = { address: address.toRawString(), domain: domain.toString(), payload: data };
      expect(signed).toMatchObject(repeated);
      const { length, time } = numbers(signed.timestamp, "BE");
      const size = Buffer.alloc(4);
      size.writeUInt32BE(bytes.length);
      const header = [mark, Buffer.from("ton-connect/sign-data/"), who, length, domain, time];
      expect(isSigned(sha256(...header, Buffer.from(prefix), size, bytes), signed.signature)).toBe(true);
    }
    const schema = "text#_ text:Cell = Text;";
    const signed = await sign({ type: "cell", schema, cell: comment("cell").toBoc().toString("base64") });
    const labels = domain.toString().split(".").reverse().join("\0");
    const message = beginCell()
      .storeUint(0x75569022, 32)
      .storeUint(crc32(schema), 32)
      .storeUint(signed.timestamp, 64)
      .storeAddress(address)
      .storeStringRefTail(`${labels}\0`)
      .storeRef(comment("cell"));
    expect(isSigned(message.endCell().hash(), signed.signature)).toBe(true);
  });

  it("sends one message, and as many as Telegram's wallet takes at once", async () => {
    const bridge = await inject(ofVersion("tg"));
    await connect(bridge);
    expect(bridge.deviceInfo.features).toContainEqual(
      expect.objectContaining({ name: "SendTransaction", maxMessages: 255 }),
    );
    const send = (messages: object[]) => ask(bridge, "sendTransaction", { messages });
    await send([{ address: friendly, amount: "77" }]);
    expect(await arrived()).toEqual([["77", ""]]);
    const amounts = Array.from({ length: 9 }, (_, index) => String(1001 + index));
    await send(amounts.map((amount) => ({ address: friendly, amount })));
    expect((await arrived(9)).map(([value]) => value).reverse()).toEqual(amounts);
  });

  it.each(["v5r1", "tg"])(
    "signs a message that another account sends and pays for, as %s",
    async (version) => {
      const bridge = await inject(ofVersion(version));
      await connect(bridge);
      const payload = comment("relayed").toBoc().toString("base64");
      const { result } = await ask(bridge, "signMessage", {
        messages: [{ address: friendly, amount: "3000", payload }],
      });
      const { internalBoc } = result as { internalBoc: string };
      const { info } = loadMessageRelaxed(Cell.fromBase64(internalBoc).beginParse());
      expect((info.dest as Address).toRawString()).toBe(injected!.address);
      await service.run("devnet.relay", { boc: internalBoc });
      expect(await arrived()).toEqual([["3000", "relayed"]]);
    },
  );

  it("is still connected when the page is loaded again, until either side ends it", async () => {
    const restored = async () => (await (await inject()).restoreConnection()).event;
    await connect(await inject());
    expect(await restored()).toBe("connect");
    const events: unknown[] = [];
    const bridge = await inject();
    await bridge.restoreConnection();
    bridge.listen((event) => events.push(event));
    injected!.disconnect();
    expect(events).toMatchObject([{ event: "disconnect", payload: {} }]);
    expect(await restored()).toBe("connect_error");
    const again = await inject();
    await connect(again);
    again.disconnect();
    expect(await (await inject()).restoreConnection()).toMatchObject({
      event: "connect_error",
      payload: { code: 100 },
    });
  });

  it("sends several orders before a block has the first, and goes on after a revert", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const bridge = await inject();
    await connect(bridge);
    const send = (amount: string) =>
      ask(bridge, "sendTransaction", { messages: [{ address: friendly, amount }] });
    for (const amount of ["11", "12", "13"]) expect(await send(amount)).toHaveProperty("result");
    expect((await arrived(3)).map(([value]) => value)).toEqual(["13", "12", "11"]);
    await service.run("devnet.revert", { id });
    await send("14");
    expect(await arrived()).toEqual([["14", ""]]);
  });

  it("lets the user decline", async () => {
    expect(await connect(await inject(undefined, ["connect"]))).toMatchObject({ payload: { code: 300 } });
    const bridge = await inject(undefined, ["sendTransaction", "signData"]);
    await connect(bridge);
    for (const [method, request] of [
      ["sendTransaction", { messages: [{ address: friendly, amount: "1" }] }],
      ["signData", { type: "text", text: "a" }],
    ] as const)
      expect((await ask(bridge, method, request)).error).toEqual({
        code: 300,
        message: `the user declined ${method}`,
      });
  });

  it("refuses orders that are late, for another network or of another account, and sends nothing", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    await service.run("devnet.advanceTime", { seconds: 1000 });
    await service.mine();
    const before = await arrived();
    const bridge = await inject();
    await connect(bridge);
    const messages = [{ address: friendly, amount: "5" }];
    const refused: [object, RegExp][] = [
      // By the devnet's clock.
      [{ valid_until: now + 300 }, /^valid_until \d+ is past: the time of the devnet is \d+$/],
      [{ network: "-239" }, /is in network .*, not "-239"$/],
      [{ from: ofVersion("v3r2") }, /has no account 0:.*: it is connected as 0:/],
    ];
    for (const [members, message] of refused)
      expect((await ask(bridge, "sendTransaction", { messages, ...members })).error).toEqual({
        code: 1,
        message: expect.stringMatching(message),
      });
    expect(await arrived()).toEqual(before);
    await ask(bridge, "sendTransaction", { messages });
    expect(await arrived()).toEqual([["5", ""]]);
    await service.run("devnet.revert", { id });
  });

  it("answers any malformed request with an error", async () => {
    const bridge = await inject();
    const order = (request: unknown) => ({ method: "sendTransaction", params: [JSON.stringify(request)] });
    const message = { address: friendly, amount: "5" };
    expect(await bridge.send({ id: "1", ...order({ messages: [message] }) })).toMatchObject({
      error: { code: 100 },
    });
    await connect(bridge);
    const deep = "[".repeat(200_000);
    const requests: [object, number][] = [
      [{ method: "eth_sendTransaction", params: [] }, 400],
      [{ method: "sendTransaction" }, 1],
      [{ method: "sendTransaction", params: [{}] }, 1],
      [{ method: "sendTransaction", params: ["{"] }, 1],
      [{ method: "sendTransaction", params: [deep] }, 1],
      [{ method: "sendTransaction", params: ["1", "2"] }, 1],
      [order(null), 1],
      [order([]), 1],
      [order({}), 1],
      [order({ messages: [] }), 1],
      [order({ messages: Array(256).fill(message) }), 1],
      [order({ messages: [message], items: [] }), 1],
      [order({ messages: [message], surprise: 1 }), 1],
      [order({ messages: [message], valid_until: "soon" }), 1],
      [order({ messages: [message], valid_until: -1 }), 1],
      [order({ messages: [message], valid_until: 1.5 }), 1],
      [order({ messages: [message], from: "me" }), 1],
      [order({ messages: [null] }), 1],
      [order({ messages: [{ ...message, address: receiver.toRawString() }] }), 1],
      [order({ messages: [{ ...message, address: `${friendly.slice(0, -1)}!` }] }), 1],
      [order({ messages: [{ ...message, amount: "-5" }] }), 1],
      [order({ messages: [{ ...message, amount: 5 }] }), 1],
      [order({ messages: [{ ...message, amount: "9".repeat(70) }] }), 1],
      [order({ messages: [{ ...message, amount: "9".repeat(100_000) }] }), 1],
      [order({ messages: [{ ...message, payload: "no boc" }] }), 1],
      [order({ messages: [{ ...message, payload: "A".repeat(150_000) }] }), 1],
      [order({ messages: [{ ...message, payload: chain(2000).toString("base64") }] }), 1],
      [order({ messages: [{ ...message, stateInit: comment("x").toBoc().toString("base64") }] }), 1],
      [order({ messages: [{ ...message, extra_currency: { a: "1" } }] }), 1],
      [order({ messages: [{ ...message, extra_currency: { 1: "-1" } }] }), 1],
      [{ method: "signData", params: ['{"type":"emotion"}'] }, 1],
      [{ method: "signData", params: ['{"type":"text"}'] }, 1],
      [{ method: "signData", params: ['{"type":"binary","bytes":"*"}'] }, 1],
      [{ method: "signData", params: ['{"type":"cell","schema":"","cell":"AAAA"}'] }, 1],
    ];
    const seqno = () => service.run("getWalletInformation", { address: ofVersion("v5r1") });
    const before = await seqno();
    for (const [index, [request, code]] of requests.entries()) {
      const id = String(index + 10);
      const { error, ...rest } = (await bridge.send({ id, ...request })) as Reply;
      expect([index, rest, error?.code]).toEqual([index, { id }, code]);
      expect(error!.message.length).toBeLessThan(300);
    }
    const noRequests = [
      null,
      5,
      "text",
      [],
      {},
      { id: {} },
      { id: "1".repeat(1000) },
      { id: "10", ...order({}) },
    ];
    for (const request of noRequests) {
      const { id, error } = (await bridge.send(request)) as Reply;
      expect(error?.code).toBe(1);
      expect(id.length).toBeLessThanOrEqual(40);
    }
    expect(await seqno()).toEqual(before);
    const connects: [unknown, unknown][] = [
      [1, { manifestUrl: origin, items: [{ name: "ton_addr" }] }],
      [2, null],
      [2, { manifestUrl: "javascript:1", items: [{ name: "ton_addr" }] }],
      [2, { manifestUrl: origin, items: [] }],
      [2, { manifestUrl: origin, items: Array(21).fill({ name: "ton_addr" }) }],
      [2, { manifestUrl: origin, items: [{ name: "ton_addr", network: "-239" }] }],
      [2, { manifestUrl: origin, items: [{ name: "ton_proof", payload: "x".repeat(129) }] }],
    ];
    for (const [version, request] of connects)
      expect(await bridge.connect(version as number, request)).toMatchObject({
        event: "connect_error",
        payload: { code: 1 },
      });
    expect(await bridge.connect(2, { manifestUrl: origin, items: [{ name: "ton_dns" }] })).toMatchObject({
      payload: { items: [{ name: "ton_dns", error: { code: 400 } }] },
    });
  });

  it("is for pages of this machine only", async () => {
    vi.stubGlobal("location", new URL("http://dapp.example/"));
    await expect(inject()).rejects.toThrow("the devnet's wallet is for pages of this machine");
    expect("tonwireDevnet" in globalThis).toBe(false);
  });

  it("is for devnets only, and for accounts that they have", async () => {
    await expect(inject(friendly)).rejects.toThrow(`the devnet has no wallet ${friendly}`);
    await expect(inject("nobody")).rejects.toThrow("nobody is not an address");
    const answers = [
      { status: 200, json: { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } } },
      { status: 200, json: { jsonrpc: "2.0", id: 1, result: { network: "mainnet" } } },
      { status: 200, json: { jsonrpc: "2.0", id: 1, result: null } },
      { status: 404, json: { detail: "Not Found" } },
    ];
    for (const { status, json } of answers) {
      const fetch = () => Promise.resolve(new Response(JSON.stringify(json), { status }));
      const other = createCaller({ transport: http("http://127.0.0.1:1/jsonRPC", { fetch }) });
      await expect(injectDevnetWallet({ client: other })).rejects.toThrow("the service is not a devnet");
    }
    expect("tonwireDevnet" in globalThis).toBe(false);
  });

  it("takes no name that is taken, and leaves on request", async () => {
    await inject();
    await expect(injectDevnetWallet({ client })).rejects.toThrow(
      "window.tonwireDevnet is there already: name another key",
    );
    injected!.remove();
    expect("tonwireDevnet" in globalThis).toBe(false);
    await inject();
  });
});

/** A bag of cells each of which refers to the next, deeper than a cell may be. */
function chain(length: number): Buffer {
  const cells = Array.from({ length }, (_, index) => {
    const next = index + 1;
    return next < length ? [1, 0, next >> 8, next & 255] : [0, 0];
  }).flat();
  const size = (value: number) => [value >> 8, value & 255];
  const header = [
    0xb5,
    0xee,
    0x9c,
    0x72,
    2,
    2,
    ...size(length),
    ...size(1),
    0,
    0,
    ...size(cells.length),
    0,
    0,
  ];
  return Buffer.from([...header, ...cells]);
}
