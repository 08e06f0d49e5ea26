import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../client/api.js";
import { haveChromium } from "../helpers/peers/browser.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { hexOf } from "../helpers/text-forms.js";
import { browse, text, visit } from "./explorer-pages.js";

// The debugger with "verify in this browser"; the long suite beside this one has services that lie.

describe.skipIf(!haveChromium())("the debugger without trust in Chromium", () => {
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

  it("runs a transaction in the page, and asks for no run of the service", async () => {
    await browse(service.url, async (page) => {
      const runs: string[] = [];
      page.on("request", (request) => {
        if (request.postData()?.includes("v3.debug.")) runs.push(request.postData()!);
      });
      await page.addInitScript(() => localStorage.setItem("tonwire-verify", "on"));
      await visit(page, `/tx/${hexOf(transaction.hash)}/debug`);
      await page.waitForSelector(".debug-now strong");
      expect(await text(page, ".debug-proof .pill")).toEqual(["exact"]);
      expect(await text(page, ".debug-proven .pill")).toEqual(["proven"]);
      const [first] = await text(page, ".debug-now strong");
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(
        (before) => document.querySelector(".debug-now strong")?.textContent !== before,
        first,
      );
      expect(runs).toEqual([]);
    });
  });
});
