import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileFunc } from "@ton-community/func-js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../client/api.js";
import { externalMessage } from "../../server/chain/external-message.js";
import { hexOf } from "../../server/web/explorer/parts/hash.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { haveChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { friendlyOf } from "../helpers/text-forms.js";
import { until } from "../helpers/until.js";
import { browse, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

/** A name of a file that would run a script, if it were not escaped. */
const file = `sum<img src=x onerror="alert(1)">.fc`;

/** Adds squares in a loop, and throws if they are more than its message allows. */
const source = `
() accept_message() impure asm "ACCEPT";
cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";

int squares(int n) inline_ref {
  int total = 0;
  int i = 0;
  while (i < n) {
    total += i * i;
    i += 1;
  }
  return total;
}

() recv_internal(slice body) impure {
}

() recv_external(slice body) impure {
  accept_message();
  int n = body~load_uint(32);
  int most = body~load_uint(32);
  int total = squares(n);
  set_data(begin_cell().store_uint(total, 64).end_cell());
  throw_if(777, total > most);
}

int total(int n) method_id {
  throw_if(778, n > 100);
  return squares(n);
}
`;

const looks = [
  { colors: "light", width: 1280 },
  { colors: "dark", width: 1280 },
  { colors: "light", width: 390 },
  { colors: "dark", width: 390 },
] as const;

const address = new Address(0, new Uint8Array(32).fill(0xd0));
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));

describe.skipIf(!haveChromium())("the debugger in Chromium", () => {
  let service: DevnetService;
  let folder: string;
  let failed: string;
  let long: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-debugger-"));
    const compiled = await compileFunc({
      sources: [{ filename: file, content: source }],
      targets: [file],
      debugInfo: true,
    });
    if (compiled.status !== "ok") throw new Error(compiled.message);
    writeFileSync(join(folder, "sum.json"), JSON.stringify(compiled));
    service = await startDevnetService({ index: true, artifacts: folder, anonymousRps: "unlimited" });
    await service.run("devnet.setAccount", {
      address: address.toRawUpper(),
      balance: "10000000000",
      code: base64(parseBocRoot(base64ToBytes(compiled.codeBoc)!)),
      data: base64(beginCell().storeUint(0, 64).endCell()),
    });
    await service.run("devnet.setMining", { mode: "message" });
    await service.mine();
    failed = await send(12, 5);
    long = await send(2500, 5);
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends the contract a message; returns the hash of its transaction. */
  async function send(n: number, most: number): Promise<string> {
    const body = beginCell().storeUint(n, 32).storeUint(most, 32).endCell();
    await service.run("sendBoc", { boc: base64(externalMessage(address, body, undefined)) });
    await service.run("devnet.settle");
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [address.toRawUpper()],
      limit: 1,
    });
    return hexOf(transactions[0]!.hash)!;
  }

  const stepOf = (page: Page) => Number(/[#&]step=(\d+)/.exec(page.url())?.[1]);
  /** Presses a key, and waits for the step that the condition accepts. */
  const press = async (page: Page, key: string, isThere: (step: number) => boolean) => {
    await page.keyboard.press(key);
    await until(`a step after ${key}`, () => Promise.resolve(isThere(stepOf(page))));
    return stepOf(page);
  };
  const shownStep = (page: Page, step: number) =>
    page.locator(".debug-now strong", { hasText: `Step ${step.toLocaleString("en")}` }).waitFor();

  it.each(looks)("has no barrier, moves nothing and fits in $colors colours at a width of $width", (look) =>
    browse(
      service.url,
      async (page) => {
        await visit(page, `/tx/${failed}/debug`);
        await page.waitForSelector(".debug-values");
        await checkLook(page, "debugger", look);
        for (const area of look.width < 1024 ? ["steps", "code", "storage"] : ["locals", "message"]) {
          await page.click(`[data-tab=${area}]`);
          await page.waitForSelector(`.debug[data-area=${area}]`);
          await checkLook(page, `debugger-${area}`, look);
        }
      },
      look,
    ),
  );

  it.each([1280, 390])("is walked by keyboard alone from a failure, at a width of %i", (width) =>
    browse(
      service.url,
      async (page) => {
        await visit(page, `/tx/${failed}`);
        await page.locator(".page-tools .why-link").focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/tx/${failed}/debug*`);
        const failure = await until("the failure", async () => stepOf(page) || undefined);
        await shownStep(page, failure);
        expect(await page.innerText(".debug-now")).toContain("777");
        expect(await page.innerText(".debug-sentence")).toContain("777");

        expect(await press(page, "ArrowLeft", (step) => step < failure)).toBe(failure - 1);
        await press(page, "Home", (step) => step === 0);
        await shownStep(page, 0);
        await press(page, "f", (step) => step === failure);
        const before = await press(page, "ArrowUp", (step) => step < failure);
        await press(page, "ArrowDown", (step) => step === failure);

        await press(page, "ArrowUp", (step) => step === before);
        await page.keyboard.press("b");
        await page.waitForURL(/[?&]b=\d+/);
        await press(page, "Home", (step) => step === 0);
        await press(page, "c", (step) => step === before);
        await press(page, "End", (step) => step >= failure);
        await press(page, "Shift+C", (step) => step === before);

        await page.keyboard.press("g");
        await page.keyboard.type("7");
        await press(page, "Enter", (step) => step === 7);
        await page.keyboard.press("/");
        await page.keyboard.type("accept");
        const accept = await press(page, "Enter", (step) => step !== 7);
        await page.keyboard.press("Escape");
        await press(page, "ArrowRight", (step) => step === accept + 1);

        await page.keyboard.press("?");
        await page.waitForSelector("dialog[open]");
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog[open]", { state: "detached" });
        for (const [key, tab] of [
          ["2", "locals"],
          ["3", "storage"],
          ["4", "actions"],
          ["5", "message"],
          ["1", "stack"],
        ]) {
          await page.keyboard.press(key!);
          await page.waitForURL(new RegExp(`tab=${tab}`));
          if (tab === "storage") {
            await page.locator("summary", { hasText: "The contract's parameters (c7)" }).click();
            await page.locator(".debug-values dt", { hasText: "rand_seed" }).waitFor();
          }
        }

        const [url, now] = [page.url(), await page.innerText(".debug-now")];
        await visit(page, "/");
        await page.goto(url);
        await shownStep(page, accept + 1);
        expect([page.url(), await page.innerText(".debug-now")]).toEqual([url, now]);
      },
      { width },
    ),
  );

  it("folds loops, and stays small in a long run", () =>
    browse(service.url, async (page) => {
      await visit(page, `/tx/${long}/debug`);
      const failure = await until("the failure", async () => stepOf(page) || undefined);
      expect(failure).toBeGreaterThan(10_000);
      await shownStep(page, failure);
      await press(page, "Home", (step) => step === 0);
      await shownStep(page, 0);
      const loop = page.locator(".debug-steps li", { hasText: "× " }).first();
      await loop.waitFor();
      await page.locator(".debug-flame svg").click({ position: { x: 300, y: 8 } });
      await until("a step in the middle", () => Promise.resolve(stepOf(page) > 1000));
      await shownStep(page, stepOf(page));
      await page.locator(".debug-steps .debug-list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
      expect(await page.locator(".debug-steps li").count()).toBeLessThan(200);
      await press(page, "End", (step) => step > failure - 10);
      await shownStep(page, stepOf(page));
    }));

  it("is opened by each failure of a trace", () =>
    browse(service.url, async (page) => {
      await visit(page, `/trace/${failed}`);
      const links = page.locator(".why-link");
      expect(await links.count()).toBeGreaterThan(0);
      await links.first().click();
      await page.waitForURL(`**/tx/${failed}/debug*`);
      await page.waitForSelector(".debug-values");
      expect(await text(page, ".debug-proof .pill")).toEqual(["exact"]);
    }));

  it("shows the source as text, with the gas of its lines", () =>
    browse(service.url, async (page) => {
      await visit(page, `/tx/${failed}/debug`);
      await page.waitForSelector(".debug-values");
      expect(await page.innerText(".debug-file")).toContain(file);
      const current = page.locator(".debug-code li[aria-current]");
      expect(await current.innerText()).toContain("throw_if(777");
      const failure = stepOf(page);
      const line = page.locator(".debug-code li", { hasText: "total += i * i" });
      await line.click();
      await until("a step of the loop", () => Promise.resolve(stepOf(page) < failure));
      const first = stepOf(page);
      await press(page, "Shift+ArrowRight", (step) => step > first + 100);
      expect(await current.innerText()).not.toContain("total += i * i");
    }));

  it("opens the failure of a get-method", () =>
    browse(service.url, async (page) => {
      await visit(page, `/account/${friendlyOf(address.toRawUpper())}`);
      await page.fill("#run-method", "total");
      await page.click("#run [data-add]");
      await page.fill("[name=value-0]", "101");
      await page.click("#run .primary");
      await page.waitForSelector(".outcome .pill.bad");
      await page.click(".outcome .why-link");
      await page.waitForURL("**/debug/*");
      await page.waitForSelector(".debug-values");
      expect(await page.innerText(".debug-now")).toContain("778");
      const url = page.url();
      await page.goto(url);
      await page.waitForSelector(".debug-values");
      expect(page.url()).toBe(url);
    }));
});
