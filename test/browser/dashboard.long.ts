import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePage } from "../example/page.js";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

const live = (page: Page) => page.waitForSelector("body:not(.lost) #state:text-is('live')");

describe.skipIf(!haveChromium())("the dashboard of a devnet", () => {
  let service: DevnetService;
  let dashboard: Awaited<ReturnType<typeof servePage>>;
  beforeAll(async () => {
    [service, dashboard] = await Promise.all([startDevnetService({ mining: "message" }), servePage()]);
  });
  afterAll(async () => {
    dashboard?.close();
    await service?.close();
  });

  it("shows head, wallets and transactions, sends messages, and batches its calls into few requests", async () => {
    const { page, complaints } = await openPage(await sharedChromium(), dashboard.url, 360);
    await page.goto(`${dashboard.url}?${new URLSearchParams({ service: service.url, key: service.key })}`);
    const shown = (selector: string) => page.locator(selector).allInnerTexts();
    // Read together, because the counters keep changing.
    const counts = await page.waitForFunction(() => {
      const [state, seqno, calls, requests] = ["state", "seqno", "calls", "requests"].map(
        (id) => document.getElementById(id)!.textContent!,
      );
      return state === "live" && { seqno: Number(seqno), calls: Number(calls), requests: Number(requests) };
    });
    const { wallets } = await service.run<{ wallets: { address: string }[] }>("devnet.info");
    expect(await shown("#wallets td:nth-child(2)")).toEqual(wallets.map(({ address }) => address));
    const first = await counts.jsonValue();
    if (!first) throw new Error("the page is not live");
    expect(first.seqno).toBeGreaterThan(0);
    // Two calls per wallet go into one request per poll.
    expect(first.calls - first.requests).toBeGreaterThanOrEqual(2 * wallets.length - 1);

    const receiver = wallets[1]!.address;
    const before = await service.run<string>("getAddressBalance", { address: receiver });
    await page.selectOption("#receiver", receiver);
    await page.fill("#amount", "2.25");
    await page.click("#send button");
    await page.waitForFunction(() => document.getElementById("sent")?.textContent?.startsWith("arrived"));
    const after = await service.run<string>("getAddressBalance", { address: receiver });
    // The account pays a small storage fee.
    expect(BigInt(after) - BigInt(before)).toBeGreaterThan(2_249_000_000n);
    await page.waitForFunction(
      () => document.querySelector("#transactions td.number:last-child")?.textContent === "2.25",
    );

    await live(page);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.context().close();
  });

  it("shows errors", async () => {
    const { page } = await openPage(await sharedChromium(), dashboard.url, 800);
    await page.goto(`${dashboard.url}?${new URLSearchParams({ service: service.url, key: "nobody's" })}`);
    await page.waitForSelector("body.lost");
    expect(await page.innerText("#state")).toBe("unknown-key: API key does not exist");
    await page.context().close();
  });

  it("shows that it is disconnected, and continues after it has reconnected", async () => {
    const { page } = await openPage(await sharedChromium(), dashboard.url, 360);
    let away = true;
    await page.route(`${service.url}/**`, (route) => (away ? route.abort() : route.continue()));
    await page.goto(`${dashboard.url}?${new URLSearchParams({ service: service.url, key: service.key })}`);
    await page.waitForSelector("body.lost");
    expect(await page.innerText("#state")).toMatch(/^network: no answer from /);
    away = false;
    await live(page);
    const blocks = await page.innerText("#seqno");
    away = true;
    await page.waitForSelector("body.lost");
    // The last values are still shown, marked as stale.
    expect(await page.innerText("#seqno")).toBe(blocks);
    expect(await page.evaluate(() => getComputedStyle(document.querySelector("header")!).opacity)).toBe(
      "0.45",
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    away = false;
    await live(page);
    await page.context().close();
  });
});
