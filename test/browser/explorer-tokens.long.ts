import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, DevnetInfoResult, JettonWallets, NftItems } from "../../client/api.js";
import { explorerPage } from "../../server/web/pages/shells/explorer-shell.js";
import type { Address } from "../../shared/values/address.js";
import { Address as AnyAddress } from "../../shared/values/address.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { storyIndexed } from "../helpers/stories/story.js";
import { copyStoryService } from "../helpers/stories/story-service.js";
import { until } from "../helpers/until.js";
import { looks, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";
import { type PictureProxy, png, startPictureProxy, svg } from "./picture-proxy.js";
import {
  collector,
  deployStrangeTokens,
  holders,
  itemCount,
  overridesOfItems,
  strangeCollection,
  strangeJettons,
} from "./strange-tokens.js";

describe.skipIf(!haveChromium())("pages of tokens in Chromium", () => {
  const jettons = strangeJettons(png, svg);
  let service: DevnetService;
  let proxy: PictureProxy;
  let info: DevnetInfoResult;
  beforeAll(async () => {
    const data = folderInRun("tonwire-explorer-tokens-");
    const metadataOverrides = join(folderInRun("tonwire-overrides-"), "overrides.json");
    writeFileSync(metadataOverrides, JSON.stringify(overridesOfItems()));
    [proxy] = await Promise.all([startPictureProxy(), copyStoryService(data)]);
    service = await startDevnetService({
      data,
      index: true,
      story: true,
      metadataOverrides,
      imageProxy: `${proxy.url}/pictures`,
      imageProxyKey: "01",
      imageProxySalt: "02",
    });
    await storyIndexed(service);
    await deployStrangeTokens(service, jettons);
    info = await service.run("devnet.info");
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
  });

  const named = (name: string) => friendly(info.contracts.find((each) => each.name === name)!.address);
  const friendly = (address: string | Address) =>
    (typeof address === "string" ? AnyAddress.read(address)!.address : address).toFriendly();
  const fact = async (page: Page, name: string) =>
    (await text(page, `.facts > div:has(dt:text-is("${name}")) dd`)).map((each) => each.replace(/\s+/g, " "));
  /** Opens a page for a test, and checks afterwards that it asked the service and its proxy only. */
  const browsing = async (run: (page: Page) => Promise<void>, { isProxied = true } = {}) => {
    const { page, foreign, complaints } = await openPage(await sharedChromium(), service.url, 1280);
    await run(page);
    const strangers = foreign.filter((url) => !isProxied || new URL(url).origin !== proxy.url);
    // Chromium notes pictures that could not be loaded.
    const others = complaints.filter((each) => !isProxied || !each.includes("Failed to load resource"));
    expect({ strangers, others }).toEqual({ strangers: [], others: [] });
    expect(await page.evaluate("globalThis.scripted")).toBe(undefined);
    await page.context().close();
  };

  /** One address of each kind of page, and those of tokens that mean harm. */
  const addresses = (): Record<string, string> => ({
    "jetton-page": `/jetton/${named("ACORN")}`,
    "jetton-long": `/jetton/${friendly(jettons["long"]!.address)}`,
    "jetton-markup": `/jetton/${friendly(jettons["markup"]!.address)}`,
    "jetton-blank": `/jetton/${friendly(jettons["blank"]!.address)}`,
    "nft-page": `/nft/${named("Tree 5")}`,
    "nft-sale": `/nft/${named("Tree 7")}`,
    "nft-auction": `/nft/${named("Tree 11")}`,
    "nft-domain": `/nft/${named("devnet.ton")}`,
    "nft-username": `/nft/${friendly(info.contracts.findLast(({ kind }) => kind === "telemint_item")!.address)}`,
    "nft-long": `/nft/${friendly(strangeCollection.item(0n))}`,
    "nft-scam": `/nft/${friendly(strangeCollection.item(1n))}`,
    "collection-page": `/collection/${named("Trees of Eve")}`,
    "collection-names": `/collection/${named("User names")}`,
    "collection-long": `/collection/${friendly(strangeCollection.address)}`,
    "domain-page": "/domain/devnet.ton",
    "domain-auction": "/domain/forest.ton",
    "no-jetton": `/jetton/${named("Tree 5")}`,
    "account-long": `/account/${friendly(collector)}`,
    "account-jetton": `/account/${friendly(jettons["long"]!.address)}`,
    "account-item": `/account/${friendly(strangeCollection.item(0n))}`,
  });

  it.each(looks)(
    "have no barrier, move nothing and fit in $colors colours at a width of $width",
    async (look) => {
      const { page } = await openPage(await sharedChromium(), service.url, look.width, look.colors);
      for (const [name, path] of Object.entries(addresses())) {
        await visit(page, path);
        await checkLook(page, name, look);
      }
      await page.context().close();
    },
  );

  it("show the supply of a jetton, its admin, and its holders with shares", () =>
    browsing(async (page) => {
      const acorn = named("ACORN");
      await visit(page, `/account/${acorn}`);
      await page.click(".crumb a:text-is('jetton page')");
      await page.waitForURL(`**/jetton/${acorn}`);
      await page.waitForSelector("#view[aria-busy=false] .holders");
      expect(await text(page, "h1")).toEqual([expect.stringMatching(/^Acorn\s+ACORN/)]);
      expect(await fact(page, "Supply")).toEqual(["995,250 ACORN"]);
      expect(await fact(page, "Mintable")).toEqual(["yes"]);
      expect(await fact(page, "Admin")).toEqual([expect.stringContaining("Wallet 2 (Cleo)")]);
      const { jetton_wallets } = await service.run<JettonWallets>("v3.jetton.wallets", {
        jetton_address: [acorn],
        exclude_zero_balance: true,
      });
      const balances = jetton_wallets.map(({ balance }) => BigInt(balance));
      const shares = (await text(page, ".holders .line-value")).map((each) => /([\d.]+) %/.exec(each)![1]);
      expect(shares.slice(0, balances.length)).toEqual(
        balances.map((balance) => {
          const hundredths = String((balance * 10_000n) / 995_250_000_000_000n).padStart(3, "0");
          return String(Number(`${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`));
        }),
      );
      const transfers = () => page.locator("[data-part=transfers] .rows > li").count();
      const first = await transfers();
      expect(first).toBeGreaterThan(3);
    }));

  it("list all holders of a jetton page by page, each once", () =>
    browsing(async (page) => {
      await visit(page, `/jetton/${friendly(jettons["long"]!.address)}`);
      const owners = () =>
        page.locator(".holders .holder a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
      expect(await owners()).toHaveLength(25);
      await page.click("[data-part=holders] .more button");
      const listed = await until("the second page", async () => {
        const all = await owners();
        return all.length > 25 ? all : undefined;
      });
      expect([...listed].sort()).toEqual(holders.map((each) => `/account/${friendly(each)}`).sort());
      expect(await page.locator("[data-part=holders] .more button").count()).toBe(0);
      expect(await fact(page, "Supply")).toEqual([expect.stringMatching(/^1,000,465 W{16}…$/)]);
    }));

  it("call amounts units if the decimals cannot be used, and say that there is no admin", () =>
    browsing(async (page) => {
      await visit(page, `/jetton/${friendly(jettons["markup"]!.address)}`);
      expect(await fact(page, "Supply")).toEqual([
        expect.stringMatching(/^1,000,000,000,000 units of <img src=x/),
      ]);
      await visit(page, `/jetton/${friendly(jettons["blank"]!.address)}`);
      expect(await fact(page, "Admin")).toEqual(["no admin"]);
      await visit(page, `/account/${named("ACORN of Ann")}`);
      expect(await fact(page, "Jetton balance")).toEqual([expect.stringMatching(/^[\d,.]+ ACORN$/)]);
    }));

  it("show the owner, price and royalty of an NFT on sale, and what happened to it", () =>
    browsing(async (page) => {
      await visit(page, `/nft/${named("Tree 7")}`);
      const { nft_items } = await service.run<NftItems>("v3.nft.items", { address: [named("Tree 7")] });
      expect(nft_items[0]!.real_owner).not.toBe(nft_items[0]!.owner_address);
      const owner = page.locator('.facts > div:has(dt:text-is("Owner")) a').first();
      expect(await owner.getAttribute("href")).toBe(`/account/${friendly(nft_items[0]!.real_owner!)}`);
      expect(await fact(page, "Owner")).toEqual([expect.stringContaining("held by Sale of tree 7")]);
      expect(await fact(page, "Metadata")).toEqual([expect.stringMatching(/^within the link itself\s*$/)]);
      expect(await page.getAttribute(".token-head .picture img", "src")).toMatch(/^data:image\/png;base64,/);
      expect(await text(page, ".token-head p")).toContain("Eve planted this maple.");
      expect(await fact(page, "Price")).toEqual([expect.stringMatching(/^[\d,.]+ TON$/)]);
      expect(await fact(page, "Royalty")).toEqual([expect.stringMatching(/^5 % to Wallet 4 \(Eve\)/)]);
      const sentences = await text(page, "[data-part=history] .sentence");
      expect(sentences.length).toBeGreaterThan(1);
      await page.click('.facts > div:has(dt:text-is("Collection")) a');
      await page.waitForURL(`**/collection/${named("Trees of Eve")}`);
      await page.waitForSelector("#view[aria-busy=false] .gallery");
      expect(await fact(page, "Owner")).toEqual([expect.stringContaining("Wallet 4 (Eve)")]);

      await visit(page, `/nft/${named("Tree 11")}`);
      expect(await fact(page, "Highest bid")).toEqual([expect.stringMatching(/^[\d,.]+ TON by /)]);
      expect(await fact(page, "Ends")).toEqual([expect.stringContaining("UTC")]);
    }));

  it("show attributes that are names and values, and flags of the operator", () =>
    browsing(async (page) => {
      await visit(page, `/nft/${friendly(strangeCollection.item(0n))}`);
      const shown = await text(page, ".attributes > li");
      expect(shown).toHaveLength(4);
      expect([shown[0], shown[3]]).toEqual(["Bark rough", "Height 7"]);
      expect(shown[1]!.length).toBeLessThan(130);
      await visit(page, `/nft/${friendly(strangeCollection.item(1n))}`);
      expect(await text(page, "h1 .pill")).toEqual(["scam", "not safe to show"]);
      expect(await page.locator(".attributes").count()).toBe(0);
    }));

  it("list the items of a collection page by page, each once", () =>
    browsing(async (page) => {
      await visit(page, `/collection/${friendly(strangeCollection.address)}`);
      expect(await page.locator(".gallery > li").count()).toBe(24);
      await page.click("[data-part=items] .more button");
      await page
        .locator(".gallery > li")
        .nth(itemCount - 1)
        .waitFor();
      const paths = await page
        .locator(".gallery > li > a")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")!));
      const items = Array.from({ length: itemCount }, (_, index) => strangeCollection.item(BigInt(index)));
      expect(paths.sort()).toEqual(items.map((each) => `/nft/${friendly(each)}`).sort());
    }));

  it("show a domain with owner, end, item and history, and one in auction with its bid", () =>
    browsing(async (page) => {
      await visit(page, "/domain/devnet.ton");
      expect(await fact(page, "Owner")).toEqual([expect.stringContaining("Ann")]);
      expect(await fact(page, "Expires")).toEqual([expect.stringContaining("unless it is renewed")]);
      expect(await fact(page, "Wallet")).toEqual([expect.stringContaining("Wallet 0 (Ann)")]);
      expect(await page.locator("[data-part=history] .sentence").count()).toBeGreaterThan(0);
      await page.click('.facts > div:has(dt:text-is("NFT")) a');
      await page.waitForURL(`**/nft/${named("devnet.ton")}`);
      await page.waitForSelector("#view[aria-busy=false] .token-head");
      expect(await fact(page, "Domain")).toEqual(["devnet.ton"]);
      await visit(page, "/domain/forest.ton");
      expect(await fact(page, "Highest bid")).toEqual([expect.stringMatching(/^[\d,.]+ TON by /)]);
      expect(await fact(page, "Auction ends")).toEqual([expect.stringContaining("UTC")]);
      expect(await fact(page, "Expires")).toEqual([]);
    }));

  it("lead from the tokens of an account, and from actions, to the pages of tokens", () =>
    browsing(async (page) => {
      await visit(page, `/account/${friendly(info.wallets[0]!.address)}`);
      await page
        .locator(`[data-part=tokens] a[href="/jetton/${named("ACORN")}"]`)
        .first()
        .waitFor();
      const { actions } = await service.run<{ actions: Action[] }>("v3.actions", {
        account: named("ACORN"),
        action_type: ["jetton_transfer", "jetton_mint"],
      });
      await visit(page, `/trace/${Buffer.from(actions[0]!.trace_id!, "base64").toString("hex")}`);
      await page.click(`.action-list a.amount[href="/jetton/${named("ACORN")}"]`);
      await page.waitForURL("**/jetton/*");
      await page.waitForSelector("#view[aria-busy=false] .token-head");
    }));

  it("load pictures from the proxy alone, run nothing in them, and do without those that fail", () =>
    browsing(async (page) => {
      const pictureOf = async (name: string) => {
        await visit(page, `/jetton/${friendly(jettons[name]!.address)}`);
        const box = page.locator(".token-head .picture");
        const settled = () => box.evaluate(({ childElementCount: many }) => many === 1);
        if (name !== "slow") await until(`the picture ${name}`, settled);
        return box.evaluate(({ lastElementChild: last }) => {
          if (!(last instanceof HTMLImageElement)) return "placeholder";
          return last.src.startsWith("data:") ? last.src.slice(0, 15) : new URL(last.src).origin;
        });
      };
      const shown: Record<string, string> = {};
      for (const name of Object.keys(jettons)) shown[name] = await pictureOf(name);
      expect(shown).toEqual({
        long: "placeholder",
        markup: "placeholder",
        blank: "placeholder",
        png: proxy.url,
        svg: proxy.url,
        html: "placeholder",
        slow: proxy.url,
        broken: "placeholder",
        internal: "placeholder",
        own: "data:image/png;",
        ownSvg: "placeholder",
        wide: "placeholder",
        embedded: "data:image/png;",
        embeddedSvg: "placeholder",
      });
      expect([...proxy.asked].every((url) => url.startsWith("https://stranger.example/"))).toBe(true);
    }));

  it("draw placeholders in place of linked pictures without a proxy", () =>
    browsing(
      async (page) => {
        const path = `/jetton/${friendly(jettons["png"]!.address)}`;
        // The page that the service would send without a proxy.
        const body = explorerPage({ network: "devnet", isIndexed: true });
        await page.route(service.url + path, (route) => route.fulfill({ body, contentType: "text/html" }));
        await visit(page, path);
        expect(await page.locator(".token-head .picture svg").count()).toBe(1);
        expect(await page.locator("img").count()).toBe(0);
      },
      { isProxied: false },
    ));
});
