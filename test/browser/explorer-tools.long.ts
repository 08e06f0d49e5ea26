import { readFile } from "node:fs/promises";
import { Address } from "@ton/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DevnetInfoResult } from "../../client/api.js";
import { accessibilityProblems, haveChromium, layoutShift } from "../helpers/peers/browser.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { friendlyOf } from "../helpers/text-forms.js";
import { browse, type Look, visit } from "./explorer-pages.js";

describe.skipIf(!haveChromium())("conveniences of the explorer in Chromium", () => {
  let service: DevnetService;
  let info: DevnetInfoResult;
  beforeAll(async () => {
    service = await sharedService("story");
    info = await service.run("devnet.info");
  });
  afterAll(() => service?.close());

  /** Runs a test in a page, and checks that it made no external request, threw nothing, fits and has no barrier. */
  const browsing = (path: string, look: Look, run: (page: Page) => Promise<void>) =>
    browse(
      service.url,
      async (page) => {
        await visit(page, path);
        expect(await layoutShift(page)).toBeLessThan(0.1);
        await run(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width ?? 1280);
        expect(await accessibilityProblems(page)).toEqual([]);
      },
      look,
    );
  const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [lightPaper, darkPaper] = ["rgb(250, 250, 248)", "rgb(19, 21, 24)"];

  it.each<"light" | "dark">(["light", "dark"])(
    "switches and keeps the colours, where the system's are %s",
    (colors) =>
      browsing("/blocks", { width: 360, colors }, async (page) => {
        const system = colors === "light" ? lightPaper : darkPaper;
        expect(await background(page)).toBe(system);
        const button = page.locator("[data-theme-switch]");
        expect(await button.getAttribute("aria-label")).toBe("Colours: as the system");
        await button.click();
        expect(await background(page)).toBe(lightPaper);
        await button.click();
        expect([await background(page), await button.getAttribute("aria-label")]).toEqual([
          darkPaper,
          "Colours: dark",
        ]);
        expect(await accessibilityProblems(page)).toEqual([]);
        // The colours are set before the body is there.
        await page.addInitScript(() => {
          new MutationObserver((_, observer) => {
            if (!document.body) return;
            observer.disconnect();
            (globalThis as { firstTheme?: string }).firstTheme = document.documentElement.dataset["theme"]!;
          }).observe(document, { childList: true, subtree: true });
        });
        await page.reload();
        expect(await page.evaluate(() => (globalThis as { firstTheme?: string }).firstTheme)).toBe("dark");
        for (const path of ["/reference", "/docs"]) {
          await page.goto(path);
          expect([path, await background(page)]).toEqual([path, darkPaper]);
        }
        await visit(page, "/blocks");
        await page.click("[data-theme-switch]");
        expect(await background(page)).toBe(system);
        await visit(page, "/blocks");
        expect(await background(page)).toBe(system);
      }),
  );

  it.each([360, 1280])("gives names to addresses, and marks them everywhere, at a width of %i", (width) => {
    const [ann, ben] = info.wallets;
    const path = `/account/${friendlyOf(ben!.address)}`;
    return browsing(path, { width }, async (page) => {
      await page.click("[data-edit]");
      await page.fill("#own-name", '<img src=x onerror="alert(1)">\u202eMum');
      await page.press("#own-name", "Enter");
      await page.waitForSelector("#view[aria-busy=false] [data-edit]");
      await page.waitForSelector("#view[aria-busy=false] [data-edit]");
      expect(await page.innerText("h1 .own")).toBe('<img src=x onerror="alert(1)">\ufffdMum');
      await page.click("[data-edit]");
      await page.fill("#own-name", "Mum");
      await page.press("#own-name", "Enter");
      await page.waitForSelector("#view[aria-busy=false] [data-edit]");
      await page.waitForSelector("#view[aria-busy=false] [data-edit]");
      await page.waitForFunction(() => document.title === "Mum · tonwire");
      expect(await page.locator("img").count()).toBe(0);

      await visit(page, `/account/${friendlyOf(ann!.address)}`);
      await page.fill("[name=other]", ben!.address);
      await page.press("[name=other]", "Enter");
      await page.locator(".sentence a.own", { hasText: "Mum" }).first().waitFor();
      await page.fill("#search input", "mum");
      await page.press("#search input", "Enter");
      await page.waitForURL(service.url + path);
      await page.waitForSelector("h1 .own");

      await page.click("[data-part=own-name] a");
      await page.waitForSelector(".own-names");
      expect(await page.innerText(".own-names .own")).toBe("Mum");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-export]")]);
      const saved = await readFile(await download.path(), "utf8");
      expect(JSON.parse(saved)).toEqual({
        addressBook: 1,
        network: "devnet",
        names: { [ben!.address.toUpperCase()]: "Mum" },
      });
      await page.click("[data-remove]");
      expect(await page.innerText(".empty")).toBe("There are no names yet.");
      const file = (text: string) => ({
        name: "book.json",
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
      await page.setInputFiles("input[type=file]", file("{}"));
      await page.getByText("The file is no address book.").waitFor();
      await page.setInputFiles("input[type=file]", file(saved));
      await page.getByText("1 name added.").waitFor();
      await page.reload();
      await page.waitForSelector(".own-names");
    });
  });

  it.each([360, 1280])("shows forms, link and QR code of an address, at a width of %i", (width) => {
    const { address } = info.wallets[0]!;
    const path = `/account/${friendlyOf(address)}`;
    return browsing(path, { width, colors: "dark" }, async (page) => {
      const loaded: string[] = [];
      page.on("request", (request) => loaded.push(request.url()));
      await page.locator(".forms summary").first().click();
      const copied = await page
        .locator(".forms [data-copy]")
        .evaluateAll((all) => all.map((each) => each.getAttribute("data-copy")));
      expect(copied).toEqual(
        expect.arrayContaining([
          address.toLowerCase(),
          Address.parse(address).toString({ bounceable: false }),
          service.url + path,
        ]),
      );
      await page.click("[data-code] summary");
      const code = page.getByRole("img", { name: `QR code of ${friendlyOf(address)}` });
      await code.waitFor();
      expect(loaded.filter((url) => url.includes("/qr-code-"))).toHaveLength(1);
      const shared = async () => {
        await page.evaluate(() => {
          const share = async (data: ShareData) => void Object.assign(globalThis, { shared: data.url });
          Object.defineProperty(navigator, "share", { value: share, configurable: true });
        });
        await page.click("[data-share]");
        return page.evaluate(() => (globalThis as { shared?: string }).shared);
      };
      expect(await shared()).toBe(service.url + path);
      await page.evaluate(() =>
        Object.defineProperty(navigator, "share", { value: undefined, configurable: true }),
      );
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.click("[data-share]");
      await page.getByText("Copied").waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(service.url + path);
    });
  });

  it("links the last transaction of an account, with its time", () => {
    const { address } = info.wallets[0]!;
    return browsing(`/account/${friendlyOf(address)}`, {}, async (page) => {
      const fact = page.locator(".facts > div", { hasText: "Last transaction" });
      expect(await fact.locator("time").innerText()).toMatch(/ago$|^in /);
      await fact.locator("a").click();
      await page.waitForSelector(".phases");
      expect(await page.locator(".facts > div", { hasText: "Account" }).first().innerText()).toContain(
        "Wallet 0 (Ann)",
      );
    });
  });
});
