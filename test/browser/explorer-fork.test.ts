import { mkdirSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { startFork } from "../helpers/services/forked.js";
import { checkLook, pictures } from "./look.js";

describe.skipIf(!haveChromium())("the explorer of a fork in Chromium", () => {
  let network: DevnetService;
  let fork: DevnetService;
  let browser: Browser;
  beforeAll(async () => {
    network = await startDevnetService({ mining: "message", clock: "wall" });
    [fork, browser] = await Promise.all([startFork({ forkUrl: network.url, index: true }), launchChromium()]);
    mkdirSync(pictures, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await fork?.close();
    await network?.close();
  });

  it.each([
    ["light", 360],
    ["dark", 360],
    ["light", 1280],
    ["dark", 1280],
  ] as const)(
    "has the sign of the fork on each page, in %s colours at a width of %i",
    async (colors, width) => {
      const { page, foreign, complaints } = await openPage(browser, fork.url, width, colors);
      const { seqno } = (await fork.run<{ fork: { block: { seqno: number } } }>("devnet.info")).fork.block;
      const sign = `Fork of ${new URL(network.url).host} at block ${seqno}`;
      for (const [name, path] of [
        ["fork-home", "/"],
        ["fork-devnet", "/devnet"],
        ["fork-blocks", "/blocks"],
      ] as const) {
        await page.goto(fork.url + path);
        await page.waitForSelector("#view[aria-busy=false]");
        const shown = await page.innerText(".fork-sign");
        expect(shown).toContain(`${sign} (believed, not proven)`);
        const elsewhere = `${new URL(network.url).host} too, and on any network with the id -20250: impersonate`;
        expect(shown).toContain(`A message signed here is valid on ${elsewhere}`);
        await checkLook(page, { name, colors, width });
      }
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
      await page.context().close();
    },
  );

  it("shows the requests to the network among the facts of the devnet", async () => {
    const { page } = await openPage(browser, fork.url, 1280);
    await page.goto(`${fork.url}/devnet`);
    await page.waitForSelector("#view[aria-busy=false]");
    const facts = await page.innerText("[data-part=info]");
    expect(facts).toMatch(/Fork of\s+127\.0\.0\.1:\d+ at block \d+, believed; \d+ requests, 0 waiting/);
    await page.context().close();
  });

  it("has no sign on the explorer of a devnet that is no fork", async () => {
    const { page } = await openPage(browser, network.url, 1280);
    await page.goto(network.url);
    await page.waitForSelector("#view[aria-busy=false]");
    expect(await page.locator(".fork-sign").count()).toBe(0);
    await page.context().close();
  });
});
