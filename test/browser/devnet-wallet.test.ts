import { createHash, createPublicKey, verify } from "node:crypto";
import { crc32 } from "node:zlib";
import { Address, beginCell, Cell, comment, loadMessageRelaxed, storeStateInit } from "@ton/core";
import type * as Sdk from "@tonconnect/sdk";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as DevnetWallet from "../../client/devnet-wallet/index.js";
import type { TonConnectBridge } from "../../client/devnet-wallet/index.js";
import type * as Tonwire from "../../client/index.js";
import { haveChromium, launchChromium, openPage, type WatchedPage } from "../helpers/peers/browser.js";
import { type ServedFiles, serveFiles } from "../helpers/peers/served-page.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { until } from "../helpers/until.js";

// A dapp that uses TON Connect's own package, and the devnet's wallet in the same page.

declare const dapp: typeof Tonwire & typeof DevnetWallet & Pick<typeof Sdk, "TonConnect">;
declare const tonwireDevnet: { tonconnect: TonConnectBridge };
declare const connector: Sdk.TonConnect;
declare const wallet: DevnetWallet.InjectedDevnetWallet;
declare const client: Tonwire.Client;

async function bundleDapp(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import "./client/examples/vite/src/buffer.ts";
        export * from "./client/index.ts";
        export * from "./client/devnet-wallet/index.ts";
        export { TonConnect } from "@tonconnect/sdk";`,
      resolveDir: new URL("../..", import.meta.url).pathname,
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    globalName: "dapp",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}

type Wallet = { address: string; type: string; mnemonic: string };
type Payment = { in_msg?: { hash: string; message?: string; value: string; source: string } };
/** The wallet's entry in the form of wallet lists for dapps. */
const listedWallet = {
  ...{
    app_name: "tonwire-devnet",
    name: "Devnet wallet",
    image: "data:,",
    about_url: "data:,",
    platforms: ["linux"],
  },
  bridge: [{ type: "js", key: "tonwireDevnet" }],
  features: [],
};
const versions = ["v3r2", "v4r2", "v5r1"] as const;
const receiver = Address.parseRaw(`0:${"12".repeat(32)}`);
const friendly = receiver.toString({ bounceable: false });

describe.skipIf(!haveChromium())("the devnet's wallet in a page", () => {
  let service: DevnetService;
  let browser: Browser;
  let files: ServedFiles;
  let watched: WatchedPage;
  let page: Page;
  let wallets: readonly Wallet[];
  let network: string;
  let now: number;

  beforeAll(async () => {
    const script = await bundleDapp();
    [service, browser, files] = await Promise.all([
      startDevnetService({ mining: "message", clock: "wall" }),
      launchChromium(),
      serveFiles({
        "/": '<!doctype html><link rel="icon" href="data:,"><script src="/dapp.js"></script>',
        "/dapp.js": script,
        "/wallets.json": JSON.stringify([listedWallet]),
      }),
    ]);
    const info = await service.run<{ wallets: Wallet[]; global_id: number }>("devnet.info");
    wallets = info.wallets;
    network = String(info.global_id);
  });
  afterAll(async () => {
    await browser?.close();
    files?.close();
    await service?.close();
  });
  beforeEach(async () => {
    watched = await openPage(browser, files.origin, 800);
    page = watched.page;
    await page.goto(files.origin);
    ({ now } = await service.run<{ now: number }>("devnet.info"));
  });
  afterEach(() => page.context().close());

  const ofVersion = (version: string) => wallets.find(({ type }) => type === version)!.address;

  /** Puts the wallet into the page and makes the dapp's connector; `declined` are methods that the user declines. */
  function inject(account?: string, declined: readonly string[] = []): Promise<string> {
    return page.evaluate(
      async ({ url, account, declined }) => {
        const client = dapp.createClient({ transport: dapp.http(`${url}/jsonRPC`) });
        const approve = ({ method }: DevnetWallet.Approval) => !declined.includes(method);
        const wallet = await dapp.injectDevnetWallet({ client, account, approve });
        const connector = new dapp.TonConnect({
          manifestUrl: `${location.origin}/tonconnect-manifest.json`,
          walletsListSource: `${location.origin}/wallets.json`,
          analytics: { mode: "off" },
        });
        Object.assign(globalThis, { client, wallet, connector });
        return wallet.address;
      },
      { url: service.url, account, declined },
    );
  }

  /** Presses "connect"; resolves with the wallet as the dapp sees it, or with the error. */
  function connect(tonProof?: string) {
    return page.evaluate(
      (tonProof) =>
        new Promise<{ wallet?: Sdk.Wallet; error?: string }>((resolve) => {
          connector.onStatusChange(
            (wallet) => wallet && resolve({ wallet }),
            (error) => resolve({ error: error.message }),
          );
          connector.connect({ jsBridgeKey: "tonwireDevnet" }, tonProof ? { tonProof } : {});
        }),
      tonProof,
    );
  }

  const sendTransaction = (request: Sdk.SendTransactionRequest) =>
    page.evaluate((request) => connector.sendTransaction(request).then(({ boc }) => boc), request);

  /** The wallet's answer to an unmodified request. */
  const send = (request: unknown) =>
    page.evaluate((request) => tonwireDevnet.tonconnect.send(request), request) as Promise<{
      id: string;
      result?: unknown;
      error?: { code: number; message: string };
    }>;

  /** A payment to the receiver is in a block. */
  const arrival = (value: string, comment: string) =>
    until(`${value} arrive`, async () =>
      (await received()).some((each) => each.value === value && (each.message ?? "") === comment),
    );

  const received = async () =>
    (await service.run<Payment[]>("getTransactions", { address: friendly, limit: 100 })).map(
      ({ in_msg }) => in_msg!,
    );

  it.each(versions)("is listed, connects and sends, as %s", async (version) => {
    const address = await inject(ofVersion(version));
    const listed = await page.evaluate(() => connector.getWallets());
    expect(listed).toMatchObject([{ name: "Devnet wallet", jsBridgeKey: "tonwireDevnet", injected: true }]);
    const { wallet } = await connect();
    expect(wallet?.account).toMatchObject({ address, chain: network });
    expect(Address.parse(address).equals(Address.parse(ofVersion(version)))).toBe(true);
    const init = Cell.fromBase64(wallet!.account.walletStateInit);
    expect(init.hash().equals(Address.parse(address).hash)).toBe(true);

    const payload = comment(`from ${version}`).toBoc().toString("base64");
    const messages = [
      { address: friendly, amount: "1000", payload },
      { address: friendly, amount: "2000" },
    ];
    const boc = await sendTransaction({ validUntil: now + 300, messages });
    await arrival("1000", `from ${version}`);
    await arrival("2000", "");
    const [transaction] = await service.run<Payment[]>("getTransactions", { address, limit: 1 });
    expect(transaction!.in_msg!.hash).toBe(Cell.fromBase64(boc).hash().toString("base64"));
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign.filter((url) => !url.startsWith(service.url))).toEqual([]);
  });

  it("deploys a contract by its initial state", async () => {
    await inject();
    await connect();
    const code = beginCell().storeUint(0xff00f800, 32).endCell();
    const init = { code, data: beginCell().storeUint(now, 64).endCell() };
    const stateInit = beginCell().store(storeStateInit(init)).endCell();
    const contract = new Address(0, stateInit.hash());
    const message = { address: contract.toString(), amount: "50000000" };
    await sendTransaction({
      validUntil: now + 300,
      messages: [{ ...message, stateInit: stateInit.toBoc().toString("base64") }],
    });
    await until("the contract", async () => {
      const { code: deployed } = await service.run<{ code: string }>("getAddressInformation", {
        address: contract.toString(),
      });
      return deployed === code.toBoc().toString("base64");
    });
  });

  it("proves its address, and signs texts, bytes and cells in the protocol's formats", async () => {
    const address = Address.parse(await inject());
    const { wallet } = await connect("nonce ü");
    const { account, connectItems } = wallet!;
    const isSigned = (hash: Buffer, signature: string) => {
      const raw = {
        kty: "OKP",
        crv: "Ed25519",
        x: Buffer.from(account.publicKey!, "hex").toString("base64url"),
      };
      const key = createPublicKey({ key: raw, format: "jwk" });
      return verify(null, hash, key, Buffer.from(signature, "base64"));
    };
    const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
    const domain = Buffer.from(new URL(files.origin).host);
    const numbers = (timestamp: number, form: "LE" | "BE") => {
      const [length, time] = [Buffer.alloc(4), Buffer.alloc(8)];
      length[`writeUInt32${form}`](domain.length);
      time[`writeBigUInt64${form}`](BigInt(timestamp));
      return { length, time };
    };
    const who = Buffer.concat([Buffer.alloc(4), address.hash]);
    const mark = Buffer.of(0xff, 0xff);

    const reply = connectItems!.tonProof!;
    if (!("proof" in reply)) throw new Error("there is no proof");
    const { proof } = reply;
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

    const sign = (data: Sdk.SignDataPayload) =>
      page.evaluate((data) => connector.signData(data), data as never) as Promise<Sdk.SignDataResponse>;
    for (const [data, prefix, bytes] of [
      [{ type: "text", text: "grüezi" }, "txt", Buffer.from("grüezi")],
      [{ type: "binary", bytes: "AQID" }, "bin", Buffer.of(1, 2, 3)],
    ] as const) {
      const signed = await sign(data);
      expect(signed).toMatchObject({
        address: address.toRawString(),
        domain: domain.toString(),
        payload: data,
      });
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

  it("signs a message that another account sends and pays for", async () => {
    const address = await inject(ofVersion("v5r1"));
    await connect();
    const messages = [
      { address: friendly, amount: "3000", payload: comment("relayed").toBoc().toString("base64") },
    ];
    const { result } = await send({ id: "7", method: "signMessage", params: [JSON.stringify({ messages })] });
    const { internalBoc } = result as { internalBoc: string };
    const { info, body } = loadMessageRelaxed(Cell.fromBase64(internalBoc).beginParse());
    expect((info.dest as Address).toRawString()).toBe(address);
    await service.run("devnet.impersonate", {
      ...{ from: ofVersion("v4r2"), to: address, value: "100000000" },
      body: body.toBoc().toString("base64"),
    });
    await arrival("3000", "relayed");
  });

  it("is still connected when the page is loaded again, until either side ends it", async () => {
    await inject();
    await connect();
    const restored = async () => {
      await page.reload();
      await inject();
      return page.evaluate(async () => {
        await connector.restoreConnection();
        return connector.connected;
      });
    };
    expect(await restored()).toBe(true);
    expect(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            connector.onStatusChange(resolve);
            wallet.disconnect();
          }),
      ),
    ).toBe(null);
    expect(await restored()).toBe(false);
    await connect();
    expect(await restored()).toBe(true);
    await page.evaluate(() => connector.disconnect());
    expect(await restored()).toBe(false);
    const other = await page.evaluate(() => tonwireDevnet.tonconnect.restoreConnection());
    expect(other).toMatchObject({ event: "connect_error", payload: { code: 100 } });
  });

  it("sends several orders before a block has the first", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    await service.run("devnet.setMining", { mode: "manual" });
    try {
      await inject();
      await connect();
      for (const amount of ["11", "12", "13"])
        await sendTransaction({ validUntil: now + 300, messages: [{ address: friendly, amount }] });
      await service.mine();
      for (const amount of ["11", "12", "13"]) await arrival(amount, "");
      await service.run("devnet.revert", { id });
      await sendTransaction({ validUntil: now + 300, messages: [{ address: friendly, amount: "14" }] });
      await service.mine();
      await arrival("14", "");
    } finally {
      await service.run("devnet.setMining", { mode: "message" });
    }
  });

  it("lets the user decline", async () => {
    await inject(undefined, ["connect"]);
    expect((await connect()).error).toContain("declined");
    await page.reload();
    await inject(undefined, ["sendTransaction", "signData"]);
    await connect();
    await expect(
      sendTransaction({ validUntil: now + 300, messages: [{ address: friendly, amount: "1" }] }),
    ).rejects.toThrow(/reject|declin/i);
    const { error } = await send({ id: "9", method: "signData", params: ['{"type":"text","text":"a"}'] });
    expect(error).toEqual({ code: 300, message: "the user declined signData" });
  });

  it("refuses orders that are late, for another network or of another account, and sends nothing", async () => {
    await inject();
    await connect();
    const before = (await received()).length;
    const messages = [{ address: friendly, amount: "5" }];
    const refused: [object, RegExp][] = [
      [{ valid_until: now - 1 }, /^valid_until \d+ is past: the time of the devnet is \d+$/],
      [{ network: "-239" }, /is in network .*, not "-239"$/],
      [{ from: ofVersion("v3r2") }, /has no account 0:.*: it is connected as 0:/],
    ];
    for (const [index, [members, message]] of refused.entries()) {
      const params = [JSON.stringify({ messages, ...members })];
      const { id, error } = await send({ id: String(index + 1), method: "sendTransaction", params });
      expect([id, error]).toEqual([
        String(index + 1),
        { code: 1, message: expect.stringMatching(message) as string },
      ]);
    }
    expect((await received()).length).toBe(before);
  });

  it("measures the time of orders by the devnet's clock", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    try {
      await service.run("devnet.advanceTime", { seconds: 1000 });
      await service.mine();
      await inject();
      await connect();
      const messages = [{ address: friendly, amount: "31" }];
      const late = {
        id: "1",
        method: "sendTransaction",
        params: [JSON.stringify({ messages, valid_until: now + 300 })],
      };
      expect((await send(late)).error?.message).toMatch(/^valid_until \d+ is past/);
      await send({ id: "2", method: "sendTransaction", params: [JSON.stringify({ messages })] });
      await arrival("31", "");
    } finally {
      await service.run("devnet.revert", { id });
    }
  });

  it("answers any malformed request with an error", async () => {
    await inject();
    const order = (request: unknown) => ({ method: "sendTransaction", params: [JSON.stringify(request)] });
    const message = { address: friendly, amount: "5" };
    expect((await send({ id: "1", ...order({ messages: [message] }) })).error?.code).toBe(100);
    await connect();
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
      const { error, ...rest } = await send({ id, ...request });
      expect([index, rest, error?.code]).toEqual([index, { id }, code]);
      expect(error!.message.length).toBeLessThan(300);
    }
    for (const request of [
      null,
      5,
      "text",
      [],
      {},
      { id: {} },
      { id: "1".repeat(1000) },
      { id: "10", ...order({}) },
    ]) {
      const { id, error } = await send(request);
      expect(error?.code).toBe(1);
      expect(id.length).toBeLessThanOrEqual(40);
    }
    expect(await seqno()).toEqual(before);
    const connects: [unknown, unknown][] = [
      [1, { manifestUrl: files.origin, items: [{ name: "ton_addr" }] }],
      [2, null],
      [2, { manifestUrl: "javascript:1", items: [{ name: "ton_addr" }] }],
      [2, { manifestUrl: files.origin, items: [] }],
      [2, { manifestUrl: files.origin, items: Array(21).fill({ name: "ton_addr" }) }],
      [2, { manifestUrl: files.origin, items: [{ name: "ton_addr", network: "-239" }] }],
      [2, { manifestUrl: files.origin, items: [{ name: "ton_proof", payload: "x".repeat(129) }] }],
    ];
    for (const [version, request] of connects)
      expect(
        await page.evaluate(
          ([version, request]) => tonwireDevnet.tonconnect.connect(version as number, request),
          [version, request],
        ),
      ).toMatchObject({ event: "connect_error", payload: { code: 1 } });
    const unknown = await page.evaluate(() =>
      tonwireDevnet.tonconnect.connect(2, { manifestUrl: location.origin, items: [{ name: "ton_dns" }] }),
    );
    expect(unknown).toMatchObject({ payload: { items: [{ name: "ton_dns", error: { code: 400 } }] } });
  });

  it("is for pages of this machine only", async () => {
    await page.route("http://dapp.example/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await page.request.get(files.origin + pathname) });
    });
    await page.goto("http://dapp.example/");
    await expect(inject()).rejects.toThrow("the devnet's wallet is for pages of this machine");
    expect(await page.evaluate(() => "tonwireDevnet" in globalThis)).toBe(false);
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
    for (const answer of answers) {
      const attempt = page.evaluate(async ({ status, json }) => {
        const reply = () => Promise.resolve(new Response(JSON.stringify(json), { status }));
        const client = dapp.createCaller({
          transport: dapp.http("http://127.0.0.1:1/jsonRPC", { fetch: reply }),
        });
        await dapp.injectDevnetWallet({ client });
      }, answer);
      await expect(attempt).rejects.toThrow("the service is not a devnet");
    }
    expect(await page.evaluate(() => "tonwireDevnet" in globalThis)).toBe(false);
  });

  it("takes no name that is taken, and leaves on request", async () => {
    await inject();
    await expect(inject()).rejects.toThrow("window.tonwireDevnet is there already: name another key");
    await page.evaluate(() => wallet.remove());
    expect(await page.evaluate(() => "tonwireDevnet" in globalThis)).toBe(false);
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
