import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Trace } from "../../client/api.js";
import { type MadeStep, madeTrace } from "../helpers/made-trace.js";
import { accessibilityProblems, haveChromium } from "../helpers/peers/browser.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";
import { browse } from "./explorer-pages.js";

const failed = {
  type: "ord",
  aborted: true,
  compute_ph: { skipped: false, success: false, exit_code: 13, gas_fees: "1", gas_used: "1", gas_limit: "1" },
};
const hash = "ab".repeat(32);
const payout = (index: number, value = "10000000"): MadeStep => ({
  account: `0:${index.toString(16).padStart(64, "0")}`,
  message: { value, opcode: null },
});

/** A trace as the service answers it, whose transactions are those of `root`. */
function answered(root: MadeStep): Trace {
  const trace = madeTrace(root);
  const transactions = Object.values(trace.transactions!);
  for (const transaction of transactions)
    Object.assign(transaction, {
      now: 1_700_000_000,
      block_ref: { workchain: 0, shard: "8000000000000000", seqno: 5 },
      hash: transaction.hash,
    });
  return {
    ...trace,
    trace_id: Buffer.from(hash, "hex").toString("base64"),
    external_hash: null,
    start_utime: 1_700_000_000,
    end_utime: 1_700_000_012,
    mc_seqno_start: "5",
    mc_seqno_end: "6",
    is_incomplete: false,
    actions: [],
    trace_info: {
      trace_state: "complete",
      transactions: transactions.length,
      messages: transactions.length,
      pending_messages: 0,
    } as Trace["trace_info"],
  };
}

describe.skipIf(!haveChromium())("the picture of a trace in Chromium", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
  });
  afterAll(() => service?.close());

  /** Opens the page of a trace that the service seems to have, and checks it afterwards. */
  const seeing = (root: MadeStep, width: number, run: (page: Page) => Promise<void>) => {
    const result = { traces: [answered(root)], address_book: {}, metadata: {} };
    const answerOf = (call: { id: unknown; method: string }, answers: { id: unknown }[]) =>
      call.method === "v3.traces"
        ? { jsonrpc: "2.0", id: call.id, result }
        : answers.find(({ id }) => id === call.id);
    return browse(
      service.url,
      async (page) => {
        await page.route("**/jsonRPC", async (route) => {
          const asked = route.request().postDataJSON();
          const answers = [await (await route.fetch()).json()].flat();
          const all = [asked].flat().map((call) => answerOf(call, answers));
          await route.fulfill({ json: Array.isArray(asked) ? all : all[0] });
        });
        await page.goto(`/trace/${hash}`);
        await page.waitForSelector(".trace-picture");
        await run(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        expect(await accessibilityProblems(page)).toEqual([]);
      },
      { width },
    );
  };
  const scaleOf = async (page: Page) => Number.parseInt(await page.innerText("[data-scale]"), 10);
  const scrolled = (page: Page) =>
    page.$eval(".trace-picture", ({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-description") ?? "");

  const big: MadeStep = {
    children: Array.from({ length: 333 }, (_, index) => ({
      ...payout(index, String(1_000_000 + index)),
      children: Array.from({ length: 11 }, (__, below) => ({
        ...payout(below, String(1000 + below)),
        ...(index === 200 && below === 5 && { description: failed }),
      })),
    })),
  };

  it.each([360, 1280])("draws what is visible of 3,997 transactions, at a width of %i", (width) =>
    seeing(big, width, async (page) => {
      expect(await page.innerText(".trace-summary")).toMatch(
        /3,997 transactions\s*334 accounts\s*fees .* TON\s*took 12 s\s*1 failed/,
      );
      const steps = page.locator("[role=treeitem]");
      expect(await steps.count()).toBeLessThan(200);
      await steps.first().focus();
      await page.keyboard.press("End");
      expect(await page.getAttribute(":focus", "data-step")).toBe("3996");
      expect((await scrolled(page))[1]).toBeGreaterThan(10_000);
      expect(await steps.count()).toBeLessThan(200);

      await page.click("[data-use=failure]");
      expect(await page.locator(".trace-step h2").innerText()).toContain("exit code 13");
      expect(await focused(page)).toContain("exit code 13");
      // The way to the failure is marked.
      expect(await page.getAttribute(".edge.bad", "d")).toMatch(/^M/);
      await page.click("[data-use=fit]");
      expect(await scaleOf(page)).toBeLessThan(30);
      expect(await page.locator(".trace text").count()).toBe(0);
      await page.click(".trace-below summary");
      await page.waitForSelector("tbody tr");
      expect(await page.locator("tbody tr").count()).toBe(200);
      await page.click("[data-rows]");
      expect(await page.locator("tbody tr").count()).toBe(400);
    }),
  );

  const payouts: MadeStep = {
    children: [
      ...Array.from({ length: 29 }, (_, index) => payout(index)),
      payout(50, "20000000"),
      { ...payout(51), description: failed },
    ],
  };

  it.each([360, 1280])("folds equal messages, and opens them on demand, at a width of %i", (width) =>
    seeing(payouts, width, async (page) => {
      const steps = page.locator("[role=treeitem]");
      const fold = page.locator(".fold-step");
      expect(await steps.count()).toBe(4);
      expect(await fold.locator("text").allTextContents()).toEqual([
        "29 × 0.01 TON",
        "plain transfer",
        "29 accounts",
        "success · fees 0.029",
      ]);
      await steps.first().focus();
      await page.keyboard.press("ArrowRight");
      expect(await focused(page)).toBe(
        "29 equal messages, folded, 29 accounts, plain transfer, 0.01 TON each, success, fees 0.029 TON",
      );
      await page.keyboard.press("ArrowRight");
      expect(await steps.count()).toBe(32);
      expect(await page.getAttribute(":focus", "aria-posinset")).toBe("1");
      expect(await page.getAttribute(":focus", "aria-setsize")).toBe("31");
      await page.click("[data-use=fold]");
      expect(await steps.count()).toBe(4);
      await page.click("[data-use=fold]");
      expect(await steps.count()).toBe(32);
      await page.click("[data-use=fold]");
      await fold.locator("rect").last().click();
      expect(await steps.count()).toBe(32);
      expect(await page.locator(".trace-step").isVisible()).toBe(false);
    }),
  );

  it("is zoomed by wheel, buttons and keys, and moved by dragging and keys", () =>
    seeing(big, 1280, async (page) => {
      const place = (await page.locator(".trace-picture").boundingBox())!;
      const middle = { x: place.x + place.width / 2, y: place.y + place.height / 2 };
      await page.mouse.move(middle.x, middle.y);
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -100);
      await until("a larger picture", async () => (await scaleOf(page)) > 100);
      await page.keyboard.up("Control");
      const large = await scaleOf(page);
      const above = (await scrolled(page))[1]!;
      await page.mouse.wheel(0, 300);
      // The browser scrolls by and by.
      await until("the whole way down", async () => (await scrolled(page))[1] === above + 300);
      expect(await scaleOf(page)).toBe(large);

      const before = await scrolled(page);
      await page.mouse.down();
      await page.mouse.move(middle.x + 60, middle.y - 90, { steps: 4 });
      await page.mouse.up();
      expect(await scrolled(page)).toEqual([before[0]! - 60, before[1]! + 90]);
      expect(await page.locator(".trace-step").isVisible()).toBe(false);

      await page.click("[data-use=whole]");
      expect(await scaleOf(page)).toBe(100);
      await page.click("[data-use=out]");
      expect(await scaleOf(page)).toBe(80);
      await page.focus(".trace-picture");
      await page.keyboard.press("+");
      expect(await scaleOf(page)).toBe(100);
      await page.locator("[role=treeitem][tabindex='0']").focus();
      await page.keyboard.press("-");
      expect(await scaleOf(page)).toBe(80);
      await page.keyboard.press("0");
      const from = await scrolled(page);
      await page.keyboard.press("Shift+ArrowDown");
      expect((await scrolled(page))[1]).toBe(from[1]! + 60);
      await page.focus(".trace-picture");
      await page.keyboard.press("ArrowDown");
      await until("the browser scrolls", async () => (await scrolled(page))[1]! > from[1]! + 60);
    }));

  it("is zoomed by two fingers", () =>
    seeing(payouts, 360, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await page.reload();
      await page.locator(".trace-picture").scrollIntoViewIfNeeded();
      const place = (await page.locator(".trace-picture").boundingBox())!;
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart?: number) => {
        const sides = apart === undefined ? [] : [-apart, apart];
        const touchPoints = sides.map((side, id) => ({ id, x: place.x + 150 + side, y: place.y + 100 }));
        return session.send("Input.dispatchTouchEvent", { type, touchPoints });
      };
      await touch("touchStart", 40);
      await touch("touchMove", 60);
      await touch("touchMove", 80);
      await touch("touchEnd");
      await until("a larger picture", async () => (await scaleOf(page)) === 200);
    }));
});
