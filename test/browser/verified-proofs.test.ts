import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import { bundledSuites } from "./verified-suite/bundled-suites.js";
import type { CaseOutcome } from "./verified-suite/page/runner.js";
import { serveSuites } from "./verified-suite/suite-server.js";

// The tests of the verifier, unchanged, in a real page: the proofs, flips and lies that the server's own use of it is tested
// with, and the recorded proofs of mainnet.

declare const suites: { run(file: string): Promise<CaseOutcome[]> };

const folder = join(import.meta.dirname, "../shared/ton/proofs/verify");

/** Suites of other parts of the server. */
const ofServers: Readonly<Record<string, string>> = {
  "blameless.test.ts": "a pool of liteservers",
  "lying-tonwire.test.ts": "a proxy, which verified-lies.test.ts has before a page",
  "verifying-pool.test.ts": "a pool of liteservers",
};
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts") && !Object.hasOwn(ofServers, name))
  .sort();

describe.skipIf(!haveChromium())("the verifier's own tests in Chromium", () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof serveSuites>>;
  beforeAll(async () => {
    const env = {
      TONWIRE_TEST_DATA: process.env["TONWIRE_TEST_DATA"],
      TONWIRE_TEST_MODE: process.env["TONWIRE_TEST_MODE"],
    };
    service = await serveSuites(await bundledSuites(folder, files, env));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it.each(files)("%s", async (file) => {
    const { page } = await openPage(browser, service.url, 800);
    try {
      await page.goto(service.url);
      expect(await isLikeBrowsers(page)).toBe(true);
      const cases = await page.evaluate((name) => suites.run(name), file);
      const failed = cases.filter(({ state }) => state === "fail");
      expect(failed.map(({ name, error }) => `${name}: ${error}`)).toEqual([]);
      const skipped = cases.filter(({ state }) => state === "skip").map(({ name }) => name);
      console.log(
        `${file}: ${cases.length - skipped.length} cases in Chromium; skipped: ${skipped.join(", ") || "none"}`,
      );
      expect(cases.length).toBeGreaterThan(0);
    } finally {
      await page.context().close();
    }
  });
});

/** Whether the page has the browser's cryptography and nothing of Node's. */
function isLikeBrowsers(page: Page): Promise<boolean> {
  return page.evaluate(() => crypto.subtle !== undefined && !("process" in globalThis));
}
