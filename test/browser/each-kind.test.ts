import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DevnetInfoResult, Transaction } from "../../client/api.js";
import type { ExplorerPath } from "../../server/web/pages/explorer-paths.js";
import { isLong } from "../helpers/effort.js";
import {
  haveChromium,
  layoutShift,
  openPage,
  sharedChromium,
  type WatchedPage,
} from "../helpers/peers/browser.js";
import { RewritingProxy } from "../helpers/peers/rewriting-proxy.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { friendlyOf, hexOf } from "../helpers/text-forms.js";
import { browse, ready, text, visit } from "./explorer-pages.js";

// One address of each kind of page, and one way to use it. The long suites beside this one have all of them.

/** Views that the tests of ways to use them open and read. */
const opened: ReadonlySet<string> = new Set<ExplorerPath>([
  "/",
  "/account/:address",
  "/devnet",
  "/trace/:hash",
]);

/** Shows another view without another page, as a link within the explorer does. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(
    (href) => Object.assign(document.body.appendChild(document.createElement("a")), { href }).click(),
    address,
  );
  await ready(page);
}

/** An address of a page, and an element that it shows, with its text. */
type Shown = [address: string, selector: string, content: RegExp];

describe.skipIf(!haveChromium())("a story in Chromium", () => {
  let service: DevnetService;
  let info: DevnetInfoResult;
  let transaction: Transaction;
  beforeAll(async () => {
    service = await sharedService("story");
    await streamsReady(service);
    info = await service.run("devnet.info");
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [info.contracts.find(({ kind }) => kind === "jetton_wallet")!.address],
      limit: 1,
    });
    transaction = transactions[0]!;
  });
  afterAll(() => service?.close());

  const named = (name: string) => friendlyOf(info.contracts.find((each) => each.name === name)!.address);
  const wallet = (place = 0) => info.wallets[place]!.address;

  const views: Record<ExplorerPath, () => Shown> = {
    "/": () => ["/", ".rows .line", /./],
    "/account/:address": () => [
      `/account/${wallet()}`,
      ".tokens li",
      /^Acorn\s+wallet\s+18,500\.000000001 ACORN$/,
    ],
    "/tx/:hash": () => [`/tx/${hexOf(transaction.hash)}`, ".phases h3", /^Compute exit code/],
    "/tx/:hash/debug": () => [`/tx/${hexOf(transaction.hash)}/debug`, ".debug-proof .pill", /^exact$/],
    "/debug/:run": () => [`/debug/tx:${hexOf(transaction.hash)}`, ".debug-values dt", /^s0/],
    "/trace/:hash": () => [`/trace/${hexOf(transaction.trace_id!)}`, ".action-list li", /ACORN/],
    "/block/:workchain/:shard/:seqno": () => [
      "/block/-1/8000000000000000/46",
      ".facts > div",
      /^Proof\s+signed by 1 validator/,
    ],
    "/blocks": () => ["/blocks?to=40", ".blocks a", /^40$/],
    "/transactions": () => ["/transactions?ticks=1", ".kind", /^tick-tock$/],
    "/domain/:name": () => ["/domain/devnet.ton", ".facts > div", /^Wallet\s+Wallet 0 \(Ann\)$/],
    "/address-book": () => ["/address-book", ".empty", /^There are no names yet\.$/],
    "/validators": () => ["/validators", ".hint", /--devnet-elections/],
    "/pools": () => ["/pools", "h1", /./],
    "/pool/:address": () => [`/pool/${wallet()}`, "h1", /^No nominator pool$/],
    "/config": () => ["/config", ".param h2", /^-123 Code of Telegram's wallet/],
    "/supply": () => ["/supply", "[data-part=top] tbody td", /^[\d,]{6}/],
    "/jetton/:address": () => [`/jetton/${named("ACORN")}`, ".facts > div", /^Supply\s+995,250 ACORN$/],
    "/nft/:address": () => [
      `/nft/${named("Tree 7")}`,
      ".facts > div",
      /^Royalty\s+5 % to\s+Wallet 4 \(Eve\)/,
    ],
    "/collection/:address": () => [`/collection/${named("Trees of Eve")}`, ".gallery > li", /Tree/],
    "/devnet": () => ["/devnet", "[data-part=info]", /fixed, one second per block/],
  };

  describe("has its data, moves nothing and fits a phone in the view", () => {
    let watched: WatchedPage;
    beforeAll(async () => {
      watched = await openPage(await sharedChromium(), service.url, 360);
    });
    afterAll(() => watched?.page.context().close());

    const kinds = Object.entries(views).filter(([kind]) => isLong || !opened.has(kind));
    it.each(kinds)("%s", async (_kind, view) => {
      const [address, selector, content] = view();
      const { page, foreign, complaints } = watched;
      const isLoaded = isLong || page.url() === "about:blank";
      await (isLoaded ? visit : follow)(page, address);
      expect(await text(page, selector)).toContainEqual(expect.stringMatching(content));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      if (isLoaded) expect(await layoutShift(page)).toBeLessThanOrEqual(0.1);
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    });
  });

  it("is searched", () =>
    browse(service.url, async (page) => {
      await visit(page, "/");
      await page.fill("#search input", "tree 4");
      await page.press("#search input", "Enter");
      await page.waitForURL(`**/account/${named("Tree 4")}`);
      await page.fill("#search input", "acor");
      await page.locator(".suggestion", { hasText: "ACORN" }).first().waitFor();
      await page.press("#search input", "ArrowDown");
      const chosen = await page.getAttribute(".suggestion[aria-selected=true]", "href");
      await page.press("#search input", "Enter");
      await page.waitForURL(`**${chosen}`);
    }));

  it("shows live what a wallet of the devnet sends", () =>
    browse(service.url, async (page) => {
      const receiver = `0:${"7".repeat(64)}`;
      await visit(page, "/");
      await page.waitForSelector(".dot.live");
      await follow(page, "/devnet");
      await page.fill("#from-wallet [name=to]", receiver);
      await page.fill("#from-wallet [name=amount]", "1.25");
      await page.uncheck("#from-wallet [name=bounce]");
      await page.click("#from-wallet button[type=submit]");
      await page.click("#from-wallet .done a");
      await page.waitForSelector(".step.pending");
      await service.mine(2);
      await page.waitForSelector("h1 .pill.good");
      expect(await text(page, ".action-list li")).toEqual([
        expect.stringMatching(/^Wallet 0 \(Ann\) sent 1\.25 TON to /),
      ]);
    }));

  it("is verified in the browser, which contradicts a false balance", async () => {
    const proxy = await RewritingProxy.before(service.url);
    const mark = '#view .proof-mark[aria-label^="balance:"]';
    await browse(proxy.url, async (page) => {
      await visit(page, `/account/${wallet()}`);
      await page.getByRole("switch", { name: "Verify in this browser" }).click();
      await page.waitForSelector(`${mark}[data-proof=proven]`);
      proxy.rewrite = (method, result) =>
        method === "getAddressInformation" ? { ...(result as object), balance: "1" } : result;
      await page.reload();
      await page.waitForSelector("#view .contradicted");
      expect(await page.innerText(".verify-bar [role=alert]")).toMatch(/CONTRADICTED$/);
    });
  });
});

it.skipIf(!haveChromium())("the reference shows the answer of a call in Chromium", async () => {
  const service = await sharedService("empty");
  onTestFinished(() => service.close());
  const address = `0:${"7".repeat(64)}`;
  await browse(service.url, async (page) => {
    await page.goto(`/methods/packAddress?address=${address}`);
    await page.waitForSelector("html.scripted");
    await page.click("form#call button[type=submit]");
    await page.waitForSelector(".pill.good");
    const [answer] = await text(page, "#console .answer pre");
    expect(JSON.parse(answer!)).toMatchObject({ ok: true, result: friendlyOf(address) });
  });
});
