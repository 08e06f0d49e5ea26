import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DevnetInfoResult } from "../../client/api.js";
import { haveChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { startStoryService } from "../helpers/stories/story-service.js";
import { browse, looks, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

describe.skipIf(!haveChromium())("the explorer of a fork in Chromium", () => {
  let network: DevnetService;
  let fork: DevnetService;
  beforeAll(async () => {
    network = await startDevnetService({ mining: "message", clock: "wall" });
    fork = await startDevnetService({
      devnetSeed: "fork",
      mining: "message",
      clock: "wall",
      forkUrl: network.url,
      index: true,
    });
  });
  afterAll(async () => {
    await fork?.close();
    await network?.close();
  });

  it.each(looks)("has the sign of the fork on each page, in $colors colours at a width of $width", (look) =>
    browse(
      fork.url,
      async (page) => {
        const { utime, block } = (await fork.run<DevnetInfoResult>("devnet.info")).fork!;
        const { seqno } = block;
        const { host } = new URL(network.url);
        for (const [name, path] of [
          ["fork-home", "/"],
          ["fork-blocks", "/blocks"],
          ["fork-devnet", "/devnet"],
        ] as const) {
          await visit(page, path);
          const shown = await page.innerText(".fork-sign");
          expect(shown).toContain(`Fork of ${host} at block ${seqno} (believed, not proven)`);
          const elsewhere = `${host} too, and on any network with the id -20250: impersonate`;
          expect(shown).toContain(`A message signed here is valid on ${elsewhere}`);
          await checkLook(page, name, look);
          if (path !== "/") continue;
          const begun = new Date(utime * 1000).toISOString().slice(0, 19).replace("T", " ");
          const [facts] = await text(page, "[aria-labelledby=fork-facts]");
          expect(facts).toContain(`A fork of ${host} since block ${seqno}`);
          expect(facts).toContain(`made at ${begun} UTC`);
        }
        expect(await text(page, "[data-part=info]")).toEqual([
          expect.stringMatching(/Fork of\s+127\.0\.0\.1:\d+ at block \d+, believed; \d+ requests, 0 waiting/),
        ]);
      },
      look,
    ),
  );

  it("shows the tokens of an account that only the network knows", async () => {
    const story = await startStoryService();
    onTestFinished(() => story.close());
    const tokens = await startDevnetService({ devnetSeed: "fork", forkUrl: story.url, index: true });
    onTestFinished(() => tokens.close());
    const { wallets } = await story.run<{ wallets: { address: string }[] }>("devnet.info");
    const shownIn = async ({ url }: DevnetService) => {
      let shown: string[] = [];
      await browse(url, async (page) => {
        await visit(page, `/account/${wallets[0]!.address}`);
        await page.waitForSelector(".tokens li");
        shown = await text(page, ".tokens li");
      });
      return shown;
    };
    const shown = await shownIn(tokens);
    expect(shown).toContainEqual(expect.stringMatching(/^Acorn\s+wallet\s+18,500/));
    const theirs = await shownIn(story);
    // Names of items are in documents, which the fork does not fetch.
    const jettons = (list: string[]) => list.filter((each) => each.includes("wallet"));
    expect(jettons(shown)).toEqual(jettons(theirs));
    expect(shown).toHaveLength(theirs.length);
  });

  it("has no sign on the explorer of a devnet that is no fork", () =>
    browse(network.url, async (page) => {
      await visit(page, "/");
      expect(await page.locator(".fork-sign, [aria-labelledby=fork-facts]").count()).toBe(0);
    }));
});
