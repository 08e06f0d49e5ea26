import { Address, beginCell, Cell, comment } from "@ton/core";
import type * as Sdk from "@tonconnect/sdk";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InjectedDevnetWallet } from "../../client/devnet-wallet/index.js";
import { haveChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { until } from "../helpers/until.js";
import { connect, type Dapp, inject, sendTransaction, serveDapp } from "./dapp.js";

// A dapp that uses TON Connect's own package, and the devnet's wallet in the same page. test/client/devnet-wallet.test.ts has the wallet alone.

declare const connector: Sdk.TonConnect;
declare const wallet: InjectedDevnetWallet;

type Wallet = { address: string; type: string };
type Payment = { in_msg: { hash: string; message?: string; value: string } };
const receiver = Address.parseRaw(`0:${"12".repeat(32)}`);
const friendly = receiver.toString({ bounceable: false });

describe.skipIf(!haveChromium())("the devnet's wallet in a page", () => {
  let service: DevnetService;
  let dapp: Dapp;
  let watched: WatchedPage;
  let page: Page;
  let wallets: readonly Wallet[];
  let network: string;
  let now: number;

  beforeAll(async () => {
    [service, dapp] = await Promise.all([
      startDevnetService({ mining: "message", clock: "wall" }),
      serveDapp(),
    ]);
    const info = await service.run<{ wallets: Wallet[]; global_id: number }>("devnet.info");
    wallets = info.wallets;
    network = String(info.global_id);
  });
  afterAll(async () => {
    dapp?.close();
    await service?.close();
  });
  beforeEach(async () => {
    watched = await dapp.open();
    page = watched.page;
    ({ now } = await service.run<{ now: number }>("devnet.info"));
  });
  afterEach(() => page.context().close());

  const ofVersion = (version: string) => wallets.find(({ type }) => type === version)!.address;

  /** A payment to the receiver is in a block. */
  const arrival = (value: string, said: string) =>
    until(`${value} arrive`, async () => {
      const all = await service.run<Payment[]>("getTransactions", { address: friendly, limit: 100 });
      return all.some(({ in_msg: each }) => each.value === value && (each.message ?? "") === said);
    });

  it.each(["v3r2", "v4r2", "v5r1", "tg"])("is listed, connects and sends, as %s", async (version) => {
    const address = await inject(page, service.url, ofVersion(version));
    const listed = await page.evaluate(() => connector.getWallets());
    expect(listed).toMatchObject([{ name: "Devnet wallet", jsBridgeKey: "tonwireDevnet", injected: true }]);
    const { wallet } = await connect(page);
    expect(wallet?.account).toMatchObject({ address, chain: network });
    const payload = comment(`from ${version}`).toBoc().toString("base64");
    const messages = [
      { address: friendly, amount: "1000", payload },
      { address: friendly, amount: "2000" },
    ];
    const boc = await sendTransaction(page, { validUntil: now + 300, messages });
    await arrival("1000", `from ${version}`);
    await arrival("2000", "");
    const [transaction] = await service.run<Payment[]>("getTransactions", { address, limit: 1 });
    expect(transaction!.in_msg.hash).toBe(Cell.fromBase64(boc).hash().toString("base64"));
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign.filter((url) => !url.startsWith(service.url))).toEqual([]);
  });

  it("proves its address, and signs a cell", async () => {
    const address = await inject(page, service.url);
    const { wallet } = await connect(page, "nonce ü");
    expect(wallet!.connectItems!.tonProof).toMatchObject({ proof: { payload: "nonce ü" } });
    const cell = beginCell().storeStringTail("cell").endCell().toBoc().toString("base64");
    const data = { type: "cell", schema: "text#_ text:Cell = Text;", cell } as const;
    expect(await page.evaluate((asked) => connector.signData(asked), data)).toMatchObject({
      address,
      domain: new URL(dapp.origin).host,
      payload: data,
    });
  });

  it("is still connected when the page is loaded again, until either side ends it", async () => {
    await inject(page, service.url);
    await connect(page);
    const restored = async () => {
      await page.reload();
      await inject(page, service.url);
      return page.evaluate(async () => {
        await connector.restoreConnection();
        return connector.connected;
      });
    };
    expect(await restored()).toBe(true);
    const left = page.evaluate(
      () =>
        new Promise((resolve) => {
          connector.onStatusChange(resolve);
          wallet.disconnect();
        }),
    );
    expect(await left).toBe(null);
    expect(await restored()).toBe(false);
    await connect(page);
    await page.evaluate(() => connector.disconnect());
    expect(await restored()).toBe(false);
  });

  it("lets the user decline", async () => {
    await inject(page, service.url, undefined, ["connect"]);
    expect((await connect(page)).error).toContain("declined");
    await page.reload();
    await inject(page, service.url, undefined, ["sendTransaction"]);
    await connect(page);
    const messages = [{ address: friendly, amount: "1" }];
    await expect(sendTransaction(page, { validUntil: now + 300, messages })).rejects.toThrow(
      /reject|declin/i,
    );
  });

  it("is for pages of this machine only", async () => {
    await page.route("http://dapp.example/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await page.request.get(dapp.origin + pathname) });
    });
    await page.goto("http://dapp.example/");
    await expect(inject(page, service.url)).rejects.toThrow(
      "the devnet's wallet is for pages of this machine",
    );
  });
});
