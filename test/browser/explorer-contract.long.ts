import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../client/api.js";
import { externalMessage } from "../../server/chain/external-message.js";
import { messageControl } from "../../server/web/explorer/contract/message-control.js";
import { hexOf } from "../../server/web/explorer/parts/hash.js";
import { Names } from "../../server/web/explorer/parts/names.js";
import { html } from "../../server/web/pages/markup.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message, normalizedHash } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { counterAbi, counterOwner, counterSource } from "../helpers/abi/counter-contract.js";
import { compile } from "../helpers/contracts/tolk.js";
import { haveChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { friendlyOf } from "../helpers/text-forms.js";
import { browse, looks, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

const counter = new Address(0, new Uint8Array(32).fill(0xc0));
const address = counter.toRawUpper();
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
/** A name that would run a script, if it were not escaped. */
const strange = `ERR_TOO_LARGE<img src=x onerror="alert(1)">\u202e`;

describe.skipIf(!haveChromium())("a contract with an ABI in Chromium", () => {
  let service: DevnetService;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-contract-"));
    const code = await compile(counterSource);
    const abi = counterAbi({ tooLarge: strange });
    const write = (file: string, json: unknown) => writeFileSync(join(folder, file), JSON.stringify(json));
    write("Counter.compiled.json", { hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) });
    write("counter.abi.json", { ...abi, incoming_messages: abi["incoming_external"] });
    write("counter.output.json", {
      codeBoc64: base64(code),
      tolkVersion: "1.3.0",
      sourcesSnapshot: [{ filename: "counter.tolk", contents: `// \u202e<b>${counterSource}` }],
    });
    service = await startDevnetService({ index: true, artifacts: folder, anonymousRps: "unlimited" });
    const data = new AbiCoder(readTolkAbi(abi)).writeStorage({
      count: 123456,
      owner: counterOwner,
      points: { "-3": "2500000000", "7": "1" },
    });
    const account = { address, balance: "10000000000", code: base64(code), data: base64(data) };
    await service.run("devnet.setAccount", account);
    await service.run("devnet.setMining", { mode: "message" });
    await service.mine();
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const shown = (run: (page: Page) => Promise<void>) =>
    browse(service.url, async (page) => {
      await visit(page, `/account/${friendlyOf(address)}`);
      await run(page);
    });
  const open = async (page: Page, title: string) => {
    const fold = page.locator("details.typed-form", {
      has: page.locator(`summary:has-text("${title}")`),
    });
    await fold.locator("> summary").click();
    return fold;
  };

  it.each(looks)("has no barrier, moves nothing and fits in $colors colours at a width of $width", (look) =>
    browse(
      service.url,
      async (page) => {
        await visit(page, `/account/${friendlyOf(address)}`);
        for (const title of ["mixed", "echo", "takes"]) await open(page, title);
        await (await open(page, "state")).locator("button[type=submit]").click();
        await page.waitForSelector(".done .typed");
        await checkLook(page, "contract", look);
      },
      look,
    ),
  );

  it("has its storage by types, and its errors as text", () =>
    shown(async (page) => {
      const fields = await text(page, "[data-part=storage] > .typed > div");
      expect(fields.map((field) => field.replace(/\s+/g, " "))).toEqual([
        "count int32 123,456",
        expect.stringMatching(/^owner address EQ/),
        "points map<int32, coins> map of 2 7 0.000000001 TON −3 2.5 TON",
      ]);
      expect(await text(page, "[data-part=contract] tbody tr")).toEqual([
        expect.stringMatching(
          /1234\s+ERR_TOO_LARGE<img src=x onerror="alert\(1\)">�\s+More than 1000 at once/,
        ),
        expect.stringMatching(/^9/),
      ]);
    }));

  it("runs get-methods with typed arguments", () =>
    shown(async (page) => {
      const mixed = await open(page, "mixed");
      await mixed.locator("select").selectOption("true");
      await mixed.locator("fieldset input").first().fill("0x10");
      await mixed.locator("fieldset input").last().fill("five");
      await mixed.locator("button[type=submit]").click();
      expect(await mixed.locator(".failure").innerText()).toContain("point.y: expected an integer");
      await mixed.locator("fieldset input").last().fill("5");
      await mixed.locator("button[type=submit]").click();
      await mixed.locator(".done .values").waitFor();
      expect((await mixed.locator(".done").innerText()).replace(/\s+/g, " ")).toMatch(
        /^exit 0 .* gas \(bool, Point, address\?\) 3 items false Point x int 16 y int 5 (null|nobody)$/,
      );
    }));

  it("asks for nullable structures, variants of unions, and lists as JSON", () =>
    shown(async (page) => {
      const echo = await open(page, "echo");
      await echo.getByLabel("With point").check();
      const inputs = echo.locator(".maybe input:not([type=checkbox])");
      await inputs.nth(0).fill("1");
      await inputs.nth(1).fill("2");
      await echo.locator("select").selectOption({ label: "int" });
      await echo.locator("[data-variant]:visible input").fill("77");
      await echo.locator("button[type=submit]").click();
      await echo.locator(".done .values").waitFor();
      expect((await echo.locator(".done").innerText()).replace(/\s+/g, " ")).toMatch(
        /2 items Point x int 1 y int 2 int 77$/,
      );
      const takes = await open(page, "takes");
      await takes.locator("textarea").first().fill('[{"x": "1", "y": "1"}, null]');
      await takes.locator("textarea").last().fill("[]");
      await takes.locator("button[type=submit]").click();
      await takes.locator(".done .amount").waitFor();
      expect(await takes.locator(".done .amount").innerText()).toBe("20");
    }));

  it("sends messages from outside and in the name of others", () =>
    shown(async (page) => {
      const outside = await open(page, "from outside");
      await outside.locator("[name^=value]").fill("44");
      await outside.locator("button[type=submit]").click();
      await outside.locator(".done a").waitFor();
      const inside = page.locator("#incoming-message-0-fold");
      await inside.locator("> summary").click();
      await inside.locator("[name^=value]").fill("1");
      await inside.locator("button[type=submit]").click();
      await inside.locator(".done a").first().waitFor();
      await page.reload();
      await page.waitForSelector("[data-part=storage] > .typed");
      expect(await text(page, "[data-part=storage] > .typed > div:first-child .amount")).toEqual(["123,500"]);
    }));

  it("names the messages and exit codes of its transactions and traces, as text", async () => {
    const coder = new AbiCoder(readTolkAbi(counterAbi()));
    const tooLarge = externalMessage(counter, coder.writeBody("external", "Add", { by: 1001 }), undefined);
    await service.run("sendBoc", { boc: base64(tooLarge) });
    await service.run("devnet.settle");
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [address],
      limit: 1,
    });
    const [failed] = transactions;
    const outcome = /^exit code 1234, ERR_TOO_LARGE<img src=x onerror="alert\(1\)">\ufffd: More than 1000/;
    await browse(service.url, async (page) => {
      await visit(page, `/tx/${hexOf(failed!.hash)}`);
      expect(await text(page, "h1 .pill, .phases .bad")).toEqual([
        expect.stringMatching(outcome),
        expect.stringMatching(outcome),
      ]);
      expect(await text(page, ".message .pill")).toEqual(["Add"]);
      expect(await text(page, "[data-abi] summary, [data-abi] pre")).toEqual([
        "Add of Counter",
        expect.stringContaining('"by": "1001"'),
      ]);
      await visit(page, `/trace/${hexOf(failed!.trace_id!)}`);
      const drawn = await page.locator("svg text").allTextContents();
      expect(drawn).toContain("Add");
      expect(drawn).toContainEqual(expect.stringContaining("1234, ERR_TOO_"));
      await visit(page, `/account/${friendlyOf(address)}`);
      await page.click("[data-part=history] .segments span:text-is('Transactions')");
      await page.waitForSelector("[data-part=history] .line");
      expect((await text(page, "[data-part=history] .line .kind"))[0]).toBe("Add");
    });
  });

  it("names them at once in a trace that begins while it is open", async () => {
    const coder = new AbiCoder(readTolkAbi(counterAbi()));
    const message = externalMessage(counter, coder.writeBody("external", "Add", { by: 7 }), undefined);
    await service.run("devnet.setMining", { mode: "manual" });
    await browse(service.url, async (page) => {
      await visit(page, `/trace/${bytesToHex(normalizedHash(decode(Message, message)))}`);
      await service.run("sendBoc", { boc: base64(message) });
      await page.locator('svg text:text-is("Add")').waitFor();
      expect(await text(page, "h1 .pill")).toEqual(["goes on"]);
    });
    await service.run("devnet.setMining", { mode: "message" });
    await service.run("devnet.settle");
  });

  it("has its sources, which are not proven, as text", () =>
    shown(async (page) => {
      const fold = page.locator("[data-sources]");
      await fold.locator("> summary").click();
      await fold.locator("details summary").click();
      expect(await fold.locator(".hint").innerText()).toMatch(
        /^Sources of this service's operator.*not proven/,
      );
      expect((await fold.locator("pre").innerText()).replace("// �<b>", "").trim()).toBe(
        counterSource.trim(),
      );
    }));

  it("emulates messages elsewhere, and names the error", async () => {
    const coder = new AbiCoder(readTolkAbi(counterAbi()));
    const contract = { address, coder, kinds: [], names: new Names() };
    const [add] = coder.messages("external");
    const control = messageControl(contract, add!, { id: "add", list: "external", isSent: false });
    const outcome = async (by: string) => {
      const { method, params } = control.request({ "value.0": by });
      const shown = html`${control.resultOf((await service.run(method, params)) as never, { "value.0": by })}`;
      return shown.text.replace(/<[^>]*>|\s+/g, " ").replace(/ +/g, " ");
    };
    expect(await outcome("1")).toMatch(/^ success 1 transaction, fees 0\.\d+ TON $/);
    expect(await outcome("1001")).toMatch(
      /^ exit 1234 ERR_TOO_LARGE More than 1000 at once Why\? 1 transaction, fees 0\.\d+ TON $/,
    );
  });

  it("tells how to give an ABI to a contract without one", () =>
    browse(service.url, async (page) => {
      const unknown = `0:${"d".repeat(64)}`;
      const state = { balance: "1", code: base64(beginCell().storeUint(1, 8).endCell()) };
      await service.run("devnet.setAccount", { address: unknown, ...state });
      await visit(page, `/account/${unknown}`);
      expect(await text(page, "[data-sources] + .hint")).toEqual([expect.stringContaining("--artifacts")]);
    }));
});
