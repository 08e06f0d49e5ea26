import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { DevnetInfoResult, Transaction } from "../../client/api.js";
import {
  accessibilityProblems,
  haveChromium,
  openPage,
  sharedChromium,
  type WatchedPage,
} from "../helpers/peers/browser.js";
import { flippedAt } from "../helpers/peers/lite-lies.js";
import { LyingTonwire } from "../helpers/peers/lying-tonwire.js";
import { RewritingProxy } from "../helpers/peers/rewriting-proxy.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { friendlyOf, hexOf } from "../helpers/text-forms.js";
import { looks, ready, visit } from "./explorer-pages.js";
import { checkLook, keepPicture } from "./look.js";

// The switch "verify in this browser", in front of an honest service and of services that lie.

/** A page whose switch was turned on before. */
async function opened(
  origin: string,
  width = 1280,
  colors: "light" | "dark" = "light",
): Promise<WatchedPage> {
  const watched = await openPage(await sharedChromium(), origin, width, colors);
  onTestFinished(() => watched.page.context().close());
  await watched.page.addInitScript(() => localStorage.setItem("tonwire-verify", "on"));
  return watched;
}

describe.skipIf(!haveChromium())("verification in the explorer", () => {
  let service: DevnetService;
  let wallet: string;
  let transaction: Transaction;
  beforeAll(async () => {
    service = await sharedService("story");
    const info = await service.run<DevnetInfoResult>("devnet.info");
    wallet = info.wallets[0]!.address;
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [info.contracts.find(({ kind }) => kind === "jetton_wallet")!.address],
      limit: 1,
    });
    transaction = transactions[0]!;
  });
  afterAll(() => service?.close());

  const account = (): string => `/account/${friendlyOf(wallet)}`;
  /** Waits until a proof of every visible value has ended; the kinds of ends. Folded parts wait until they are opened. */
  async function ends(page: Page): Promise<(string | undefined)[]> {
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll<HTMLElement>("#view .proof-mark")];
      const open = all.find((each) => each.checkVisibility() && each.dataset["proof"] === "proving");
      open?.scrollIntoView();
      return all.length > 0 && !open;
    });
    return page.evaluate(() => {
      window.scrollTo(0, 0);
      const all = [...document.querySelectorAll<HTMLElement>("#view .proof-mark")];
      const shown = all.filter((each) => each.checkVisibility());
      return [...new Set(shown.map((each) => each.dataset["proof"]))].sort();
    });
  }

  const mark = (page: Page, name: string) =>
    page.locator(`#view .proof-mark[aria-label^="${name}:"]`).first();
  const panel = (page: Page) => page.locator("dialog[open]");
  const savedEvidence = async (page: Page) => {
    const save = panel(page).getByRole("button", { name: "Save the evidence" });
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
    return JSON.parse(await readFile(await download.path(), "utf8"));
  };
  const bar = (page: Page) => page.locator(".verify-bar button");

  /** A page of each kind that has proofs. */
  const addresses = (): Record<string, string> => ({
    "verified-home": "/",
    "verified-account": account(),
    "verified-transactions": "/transactions",
    "verified-transaction": `/tx/${hexOf(transaction.hash)}`,
    "verified-block": "/block/0/8000000000000000/49",
    "verified-masterchain": "/block/-1/8000000000000000/46",
    "verified-config": "/config",
  });

  it.each(looks)(
    "proves all that it marks, has no barrier and moves nothing, in $colors colours at a width of $width",
    async (look) => {
      const { page, foreign, complaints } = await opened(service.url, look.width, look.colors);
      for (const [name, path] of Object.entries(addresses())) {
        await visit(page, path);
        expect([name, await ends(page)]).toEqual([name, ["proven"]]);
        await checkLook(page, name, look);
      }
      await visit(page, account());
      await ends(page);
      await mark(page, "balance").click();
      await checkLook(page, "verified-proof", look);
      await page.keyboard.press("Escape");
      await bar(page).click();
      await panel(page).locator("summary").first().click();
      await checkLook(page, "verified-chain", look);
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    },
  );

  it("is off at first, loads its script when it is turned on by the keyboard, and stays on", async () => {
    const { page, complaints } = await openPage(await sharedChromium(), service.url, 1280);
    onTestFinished(() => page.context().close());
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
    await visit(page, account());
    const toggle = page.getByRole("switch", { name: "Verify in this browser" });
    expect(await toggle.getAttribute("aria-checked")).toBe("false");
    expect(await page.locator(".proof-mark").count()).toBe(0);
    expect(scripts).not.toContain("/explorer/verifying.js");
    await toggle.focus();
    await page.keyboard.press("Space");
    expect(await toggle.getAttribute("aria-checked")).toBe("true");
    expect(await ends(page)).toEqual(["proven"]);
    expect(scripts).toContain("/explorer/verifying.js");
    await page.reload();
    await ready(page);
    expect(await ends(page)).toEqual(["proven"]);
    await toggle.click();
    expect(await page.locator(".proof-mark, .verify-bar").count()).toBe(0);
    await page.reload();
    await ready(page);
    expect(await toggle.getAttribute("aria-checked")).toBe("false");
    expect(complaints).toEqual([]);
  });

  it("shows the path of a proof, from the value to the start that the service gave", async () => {
    const { page } = await opened(service.url);
    await visit(page, account());
    await ends(page);
    await mark(page, "balance").focus();
    await page.keyboard.press("Enter");
    const steps = await panel(page).locator(".proof-path > li > strong").allInnerTexts();
    expect(steps).toEqual([
      "State of the account",
      "Block of the shard",
      "Block of the masterchain",
      "Start",
    ]);
    const text = await panel(page).innerText();
    expect(text).toMatch(/1 validator with 100 % of the weight signed it/);
    expect(text).toContain("This service itself named the start");
    expect(text).toContain("Names, tokens, prices and words for what happened are from the index");
    const evidence = await savedEvidence(page);
    expect(evidence).toMatchObject({
      outcome: "proven",
      claimed: evidence.claimed,
      proven: evidence.claimed,
    });
    expect(evidence.answers.map(({ method }: { method: string }) => method)).toContain("getAccountState");
    await panel(page).locator("a[href^='/block/0/']").first().click();
    await ready(page);
    expect(await panel(page).count()).toBe(0);
    expect(await ends(page)).toEqual(["proven"]);
  });

  it("proves the transactions of an account by the chain of their hashes", async () => {
    const { page } = await opened(service.url);
    await visit(page, account());
    await page.click("[data-part=history] .segments span:text-is('Transactions')");
    await page.waitForSelector("[data-part=history] .line");
    expect(await ends(page)).toEqual(["proven"]);
    await page.locator("[data-part=history] .proof-mark").nth(2).click();
    expect(await panel(page).innerText()).toContain("This is number 3 back from the last one");
  });

  it.each([
    ["balance", (): string => account(), "getAddressInformation", "balance"],
    ["fees", (): string => `/tx/${hexOf(transaction.hash)}`, "v3.transactions", "total_fees"],
    ["time", (): string => "/block/-1/8000000000000000/46", "getBlockHeader", "gen_utime"],
  ] as const)("contradicts a false value: %s", async (name, path, method, member) => {
    const proxy = await RewritingProxy.before(service.url);
    const changed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(changed);
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value).map(([key, each]) => {
        if (key !== member) return [key, changed(each)];
        return [key, typeof each === "number" ? each + 1000 : `${BigInt(each as string) + 1_000_000_000n}`];
      });
      return Object.fromEntries(entries);
    };
    proxy.rewrite = (called, result) => (called === method ? changed(result) : result);
    const { page } = await opened(proxy.url, 360);
    await visit(page, path());
    expect(await ends(page)).toContain("contradicted");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await keepPicture(page, `contradicted-${name}-360-light`);
    const loud = page
      .locator("#view .contradicted", { has: page.locator(`.proof-mark[aria-label^="${name}:"]`) })
      .first();
    expect(await loud.innerText()).toContain(`${name} proven:`);
    expect(await page.locator(".verify-bar [role=alert]").innerText()).toMatch(/CONTRADICTED$/);
    await mark(page, name).click();
    expect(await panel(page).getByRole("heading", { level: 2 }).innerText()).toBe("CONTRADICTED");
    expect(await panel(page).locator("table").innerText()).toContain("Claimed by the service");
    expect(await accessibilityProblems(page)).toEqual([]);
    const evidence = await savedEvidence(page);
    expect(evidence.claimed[member]).not.toEqual(evidence.proven[member]);
    expect(evidence.answers.length).toBeGreaterThan(0);
  });

  it("contradicts parameters of the configuration, alone those that are false", async () => {
    const proxy = await RewritingProxy.before(service.url);
    const honest = await service.run<{ config: { bytes: string } }>("getConfigAll");
    const other = await startDevnetService();
    onTestFinished(() => other.close());
    const false_ = await other.run<{ config: { bytes: string } }>("getConfigAll");
    expect(false_.config.bytes).not.toBe(honest.config.bytes);
    proxy.rewrite = (called, result) => (called === "getConfigAll" ? false_ : result);
    const { page } = await opened(proxy.url);
    await visit(page, "/config");
    expect(await ends(page)).toEqual(["contradicted", "proven"]);
  });

  it("contradicts a value whose proof is forged, with the bytes", async () => {
    const proxy = await LyingTonwire.before(service.url);
    proxy.lie = (exchange) =>
      exchange.query.method === "getAccountState" ? flippedAt(0.5)(exchange) : undefined;
    const { page } = await opened(proxy.url);
    await visit(page, account());
    expect(await ends(page)).toEqual(["contradicted"]);
    await mark(page, "balance").click();
    expect(await panel(page).innerText()).toContain("its answer was forged, or is damaged");
    const evidence = await savedEvidence(page);
    expect(evidence.method).toBe("getAccountState");
    expect(evidence.answers.length).toBeGreaterThan(0);
  });

  it("contradicts everything if the newest block has a forged signature", async () => {
    const proxy = await LyingTonwire.before(service.url);
    proxy.lie = (exchange) =>
      exchange.query.method === "getBlockProof" ? flippedAt(0.99)(exchange) : undefined;
    const { page } = await opened(proxy.url);
    await visit(page, account());
    expect(await ends(page)).toEqual(["contradicted"]);
    await bar(page).click();
    expect(await panel(page).innerText()).toContain("The service does not prove its newest block");
  });

  it("says that nothing can be proven without lite.query, and tries again", async () => {
    const proxy = await RewritingProxy.before(service.url);
    proxy.refused = "lite.query";
    const { page } = await opened(proxy.url);
    await visit(page, account());
    expect(await ends(page)).toEqual(["failed"]);
    expect(await bar(page).innerText()).toBe("This service gives no proofs");
    proxy.refused = undefined;
    await mark(page, "balance").click();
    await panel(page).getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    expect(await bar(page).innerText()).toMatch(/^Proven up to block \d+$/);
  });
});

describe.skipIf(!haveChromium())("verification in the explorer of a devnet that changes", () => {
  const address = `0:${"7".repeat(64)}`;

  async function devnet(settings: Parameters<typeof startDevnetService>[0] = {}) {
    const service = await startDevnetService(settings);
    onTestFinished(() => service.close());
    await service.run("devnet.faucet", { address, amount: "2500000000" });
    await service.mine(2);
    return service;
  }
  const visitAccount = (page: Page) => visit(page, `/account/${friendlyOf(address)}`);
  const kinds = (page: Page) =>
    page
      .locator(".facts .proof-mark")
      .evaluateAll((all) => [...new Set(all.map((each) => (each as HTMLElement).dataset["proof"]))]);

  it("does not contradict values that have changed since the page was read", async () => {
    const service = await devnet();
    const { page } = await opened(service.url);
    await page.route("**/explorer/verifying.js", async (route) => {
      // The chain goes on, and the account changes, before the first proof.
      await page.waitForSelector(".balance");
      await service.run("devnet.faucet", { address, amount: "1000000000" });
      await service.mine(5);
      await route.continue();
    });
    await visitAccount(page);
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    await page.waitForFunction(() => !document.querySelector(".facts .proof-mark[data-proof=proving]"));
    expect(await kinds(page)).toEqual(["proven"]);
    expect(await page.innerText(".balance")).toMatch(/^2\.5/);
    // Newer than the newest block that this page has proven.
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    await service.mine(1);
    await page.fill("#search input", address);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".balance")?.textContent?.startsWith("4.4"));
    await page.waitForFunction(() => !document.querySelector(".facts .proof-mark[data-proof=proving]"));
    expect(await kinds(page)).toEqual(["proven"]);
  });

  it("proves the blocks after a revert anew", async () => {
    const service = await devnet();
    const snapshot = await service.run<{ id: string }>("devnet.snapshot", { name: "before" });
    const { page } = await opened(service.url);
    const last = await service.mine(4);
    await page.goto(`${service.url}/block/-1/8000000000000000/${last}`);
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    await page.fill("#search input", address);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".balance ~ .proof-mark[data-proof=proven]");
    await service.run("devnet.revert", { id: snapshot.id });
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    await service.mine(9);
    // The same page, with all that was proven before the revert.
    await page.fill("#search input", address);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".balance")?.textContent?.startsWith("3.4"));
    await page.waitForFunction(() => !document.querySelector(".facts .proof-mark[data-proof=proving]"));
    expect(await kinds(page)).toEqual(["proven"]);
    // The block has other hashes now.
    await page.fill("#search input", String(last));
    await page.keyboard.press("Enter");
    await page.waitForSelector(`h1:text-is("${last}")`);
    await page.waitForFunction(() => !document.querySelector(".facts .proof-mark[data-proof=proving]"));
    expect(await kinds(page)).toEqual(["proven"]);
    // The newest block is older than before, which is said, and is no failure.
    await service.run("devnet.revert", { id: snapshot.id });
    await page.fill("#search input", address);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".balance")?.textContent?.startsWith("2.5"));
    await page.waitForFunction(() => !document.querySelector(".facts .proof-mark[data-proof=proving]"));
    expect(await kinds(page)).toEqual(["proven"]);
    await page.click(".verify-bar button");
    expect(await page.innerText("dialog[open]")).toContain("as after a revert of a devnet");
    expect(await page.locator("dialog[open] [role=alert]").count()).toBe(0);
  });

  it("starts at a block that the user gives, and refuses what is no block", async () => {
    const service = await devnet();
    const { page } = await opened(service.url);
    await visitAccount(page);
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    const give = async (text: string) => {
      await page.click(".verify-bar button");
      await page.locator("dialog[open] summary", { hasText: "Start from another block" }).click();
      await page.fill("dialog[open] [name=start]", text);
      await page.getByRole("button", { name: "Start from this block" }).click();
    };
    await give("block 5");
    expect(await page.innerText("#start-problem")).toContain("Needed: the seqno");
    await page.keyboard.press("Escape");
    const { init } = await service.run<{ init: { root_hash: string } }>("getMasterchainInfo");
    await give(JSON.stringify({ ...init, root_hash: Buffer.alloc(32, 7).toString("base64") }));
    await page.waitForSelector(".proof-mark[data-proof=failed]");
    await page.click(".verify-bar button");
    expect(await page.innerText("dialog[open]")).toContain("another network than the trusted block is of");
    await page.keyboard.press("Escape");
    await give(JSON.stringify(init));
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    await page.click(".verify-bar button");
    expect(await page.innerText("dialog[open]")).toContain("You gave this block");
  });

  it("goes on after the service was out of reach, and without a storage", async () => {
    const service = await devnet();
    const { page } = await opened(service.url);
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("the storage is full", "QuotaExceededError");
      };
    });
    let isDown = true;
    await page.route("**/jsonRPC", async (route) => {
      const asksLiteserver = route.request().postData()?.includes("lite.query");
      if (isDown && asksLiteserver) await route.abort("connectionrefused");
      else await route.continue();
    });
    await visitAccount(page);
    await page.waitForSelector(".proof-mark[data-proof=failed]");
    expect(await page.innerText(".verify-bar button")).toBe("Not proven: the service does not answer");
    isDown = false;
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    expect(await kinds(page)).toEqual(["proven"]);
    await page.click(".verify-bar button");
    expect(await page.innerText("dialog[open]")).toContain("IndexedDB tonwire is invalid and was ignored");
  });

  it("explains that a devnet was started anew, and trusts its new start on request", async () => {
    const [first, second] = [await devnet(), await devnet({ devnetSeed: "another" })];
    const proxy = await RewritingProxy.before(first.url);
    const { page } = await opened(proxy.url);
    await visitAccount(page);
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    proxy.target = second.url;
    await visitAccount(page);
    await page.waitForSelector(".proof-mark[data-proof=failed]");
    expect(await kinds(page)).toEqual(["failed"]);
    expect(await page.innerText(".verify-bar button")).toBe("Another network than before");
    await page.click(".verify-bar button");
    expect(await page.innerText("dialog[open]")).toContain("A devnet that was started anew does that");
    await page.getByRole("button", { name: "Trust the new start" }).click();
    await page.waitForSelector(".proof-mark[data-proof=proven]");
    expect(await kinds(page)).toEqual(["proven"]);
  });
});
