import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Transaction } from "../../client/api.js";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import type * as TvmEntry from "../../client/verified/tvm/index.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { flippedAt } from "../helpers/peers/lite-lies.js";
import { liteQueryService } from "../helpers/peers/lite-query-service.js";
import { LyingTonwire } from "../helpers/peers/lying-tonwire.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";
import { RewritingProxy } from "../helpers/peers/rewriting-proxy.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { describeWithChain } from "../helpers/test-data.js";
import { hexOf } from "../helpers/text-forms.js";
import { looks, ready, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

declare const tonwire: typeof Tonwire & typeof Verified & typeof TvmEntry;

const sources = `
  export { http } from "./index.ts";
  export * from "./verified/index.ts";
  export * from "./verified/tvm/index.ts";`;

describeWithChain("transactions debugged without trust in Chromium", (chain) => {
  let service: DevnetService;
  let transaction: Transaction;
  beforeAll(async () => {
    service = await sharedService("story");
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      limit: 50,
    });
    transaction = transactions.find(({ description }) => description.type === "ord")!;
  });
  afterAll(() => service?.close());

  const address = () => `/tx/${hexOf(transaction.hash)}/debug`;

  async function opened(origin: string, width = 1280, colors: "light" | "dark" = "light"): Promise<Page> {
    const { page } = await openPage(await sharedChromium(), origin, width, colors);
    onTestFinished(() => page.context().close());
    await page.addInitScript(() => localStorage.setItem("tonwire-verify", "on"));
    return page;
  }

  it.skipIf(!haveChromium()).each(looks)("look well in $colors at $width", async ({ colors, width }) => {
    const page = await opened(service.url, width, colors);
    await visit(page, address());
    await page.waitForSelector(".debug-now strong");
    await checkLook(page, "debugger-proven", { colors, width });
  });

  it.skipIf(!haveChromium())("are the service's again when verification is turned off", async () => {
    const page = await opened(service.url);
    await visit(page, address());
    await page.waitForSelector(".debug-proven");
    await page.getByRole("switch", { name: "Verify in this browser" }).click();
    await page.waitForSelector(".debug-proven", { state: "detached" });
    await page.waitForSelector(".debug-now strong");
    await page.getByRole("switch", { name: "Verify in this browser" }).click();
    await page.waitForSelector(".debug-proven");
  });

  it
    .skipIf(!haveChromium())
    .each([
      "lookupBlockWithProof",
      "listBlockTransactionsExt",
      "getAccountState",
      "getConfigAll",
      "getConfigParams",
    ])("show that a service lies: %s", async (method) => {
    const liar = await LyingTonwire.before(service.url);
    liar.lie = (exchange) => (exchange.query.method === method ? flippedAt(0.6)(exchange) : undefined);
    const page = await opened(liar.url);
    await page.goto(address());
    await page.waitForSelector(".debug-lie");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the evidence" }).click(),
    ]);
    const evidence = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(evidence).toMatchObject({ outcome: "contradicted", service: liar.url });
    expect(evidence.answers.map((answer: { method: string }) => answer.method)).toContain(method);
  });

  it.skipIf(!haveChromium())("show that an index lies", async () => {
    const proxy = await RewritingProxy.before(service.url);
    proxy.rewrite = (method, result) =>
      method === "v3.transactions"
        ? { transactions: [{ ...(result as { transactions: object[] }).transactions[0], lt: "1000000" }] }
        : result;
    const page = await opened(proxy.url);
    await page.goto(address());
    await page.waitForSelector(".debug-lie");
    expect((await text(page, ".debug-lie"))[0]).toContain("transaction.hash");
    proxy.rewrite = (_method, result) => result;
    await page.reload();
    await ready(page);
    await page.waitForSelector(".debug-proven");
  });

  it.skipIf(!haveChromium())("are those of mainnet's recorded blocks", async () => {
    const lite = replayOf(chain.folder);
    const { url } = await liteQueryService(lite, {
      pages: {
        "/": '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
        "/client.js": await pageBundle(sources),
      },
    });
    const { id } = await lite.lookupBlock({
      id: { workchain: -1, shard: 1n << 63n, seqno: 3 },
      bySeqno: true,
    });
    const { ids } = await lite.listBlockTransactions({ id, count: 8, account: true, lt: true });
    const places = ids.map(({ account, lt }) => ({ account: `-1:${bytesToHex(account!)}`, lt: String(lt) }));
    const { page } = await openPage(await sharedChromium(), url, 800);
    onTestFinished(() => page.context().close());
    await page.goto(new URL("/", url).href);
    const levels = await page.evaluate(
      async ([trustedBlock, places, emulator]) => {
        const client = tonwire.createVerifiedClient({
          ...{ transport: tonwire.http("/jsonRPC"), trustedBlock, storage: tonwire.memoryStorage() },
          ...{ timeoutMs: 0 },
        });
        const verified = tonwire.withTvm(client, tonwire.emulatorAt(emulator));
        const levels: string[] = [];
        for (const place of places) {
          levels.push((await verified.debug(place)).run.proof.level);
        }
        return levels;
      },
      [presentBlockId(await zeroStateOf(lite)), places, service.url] as const,
    );
    expect(levels).toHaveLength(places.length);
    // In 2019 a message's fees were divided otherwise.
    expect([...new Set(levels)].sort()).toEqual(["exact", "state"]);
  });
});
