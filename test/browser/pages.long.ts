import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import type { TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";

const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

const both: [name: string, width: number][] = [
  ["a phone", 360],
  ["a desktop", 1280],
];

/** The visible text. */
async function shown(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).allInnerTexts()).join("\n");
}

describe.skipIf(!haveChromium())("the pages in Chromium", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService("empty");
  });
  afterAll(() => service?.close());

  describe.each(both)("at the width of %s", (_, width) => {
    let watched: WatchedPage;
    let page: Page;
    beforeEach(async () => {
      watched = await openPage(await sharedChromium(), service.url, width);
      page = watched.page;
    });
    afterEach(async () => {
      // Checked for every visit: no requests to other hosts, no console errors, no horizontal overflow.
      expect({ foreign: watched.foreign, complaints: watched.complaints }).toEqual({
        foreign: [],
        complaints: [],
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.context().close();
    });

    const visit = async (path: string) => {
      await page.goto(service.url + path);
      await page.waitForSelector("html.scripted");
    };
    /** On a phone, list and console cover the page; on a desktop they are beside it. */
    const narrow = width < 700;
    const closeConsole = async () => {
      if (narrow && (await page.locator("#console[data-open]").count()) > 0)
        await page.click("[data-action=toggle-console]");
    };
    const openConsole = async () => {
      if (narrow && (await page.locator("#console[data-open]").count()) === 0)
        await page.click("[data-action=toggle-console]");
    };
    const fill = async (name: string, value: string) => {
      await closeConsole();
      await page.fill(`#param-${name}`, value);
    };
    const run = () => page.click("form#call button[type=submit]");
    const answer = () => shown(page, "#console .answer pre");
    const status = () => shown(page, "#console .status");

    it("show the answer of a method that was searched and called by its form", async () => {
      await visit("/reference");
      if (narrow) await page.click("[data-action=menu]");
      else await page.keyboard.press("/");
      await page.keyboard.type("the friendly form of an address");
      expect(await page.locator("#methods a[title]:visible").allInnerTexts()).toEqual(["packAddress"]);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/methods/packAddress");
      expect(await page.title()).toBe("packAddress · tonwire");
      expect(await page.locator("[aria-current=page]:visible").count()).toBe(narrow ? 0 : 1);

      await fill("address", raw);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".pill.good");
      expect(JSON.parse(await answer())).toEqual({ jsonrpc: "2.0", id: 1, ok: true, result: friendly });
      expect(await status()).toMatch(/^OK 200 · [\d.]+ ms · \d+ B · HTTP$/);
    });

    it("keep the scroll position while the list is searched", async () => {
      await visit("/methods/packAddress");
      const place = () => page.locator("h1").boundingBox();
      const before = await place();
      await page.keyboard.press("/");
      expect(await page.locator("#search").evaluate((search) => search === document.activeElement)).toBe(
        true,
      );
      expect(await place()).toEqual(before);
      const list = (await page.locator("#methods").boundingBox())!;
      expect(list.width).toBe(narrow ? width : 256);
      await page.keyboard.press("Escape");
    });

    it.skipIf(narrow)(
      "fill in an example and show the request as JSON-RPC, curl, REST and TypeScript",
      async () => {
        await visit("/methods/unpackAddress");
        await page.click("form#call [data-action=use-example]");
        expect(await page.inputValue("#param-address")).toBe(friendly);
        await openConsole();
        const request = () => shown(page, "[data-place=request] pre");
        expect(JSON.parse(await request())).toEqual({
          jsonrpc: "2.0",
          id: 1,
          method: "unpackAddress",
          params: { address: friendly },
        });
        await page.click("[data-form=curl]");
        expect(await request()).toContain(
          `curl '${service.url}/jsonRPC' \\\n  -H 'Content-Type: application/json'`,
        );
        await page.click("[data-form=rest]");
        expect(await request()).toBe(`curl '${service.url}/api/v2/unpackAddress?address=${friendly}'`);
        await page.click("[data-form=typescript]");
        expect(await request()).toBe(`import { createClient, http } from "tonwire";

const client = createClient({ transport: http("${service.url}/jsonRPC") });
const result = await client.unpackAddress({
  address: "${friendly}",
});`);
      },
    );

    it.skipIf(narrow)("take parameters from the address, and put them there", async () => {
      await visit(`/methods/v3.accountStates?address=${friendly}&address=${raw}&include_boc=false`);
      expect(await page.inputValue("#param-address")).toBe(`${friendly}\n${raw}`);
      expect(await page.inputValue("#param-include_boc")).toBe("false");
      expect(await shown(page, ".field:has(#param-include_boc) .type")).toBe("boolean");
      await fill("address", raw);
      const search = await page.evaluate(() => location.search);
      expect([...new URLSearchParams(search)]).toEqual([
        ["address", raw],
        ["include_boc", "false"],
      ]);
      await page.reload();
      await page.waitForSelector("html.scripted");
      expect(await page.inputValue("#param-address")).toBe(raw);
    });

    it.skipIf(narrow)("show the OpenRPC document entry by entry", async () => {
      await visit("/reference/openrpc");
      await page.click('[data-section=methods][data-name="detectHash"] summary');
      const text = await page.locator('[data-name="detectHash"] pre').innerText();
      expect(JSON.parse(text)).toMatchObject({ name: "detectHash", paramStructure: "either" });
    });

    it.skipIf(narrow)("show the service's error for invalid input", async () => {
      await visit("/methods/detectHash");
      await fill("hash", "<b>no hash</b>");
      await run();
      await page.waitForSelector(".pill.bad");
      expect(await status()).toMatch(/^Error -32602 200 · /);
      expect(JSON.parse(await answer()).error.message).toBe(
        "failed to parse post request: invalid hash: '<b>no hash</b>'",
      );
    });

    it("send several calls as one batch and add them to the history", async () => {
      await visit("/methods/detectHash");
      await fill("hash", "00".repeat(32));
      await page.click("form#call [data-action=add-to-batch]");
      await fill("hash", "wrong");
      await page.click("form#call [data-action=add-to-batch]");
      expect(await shown(page, "#batch-count")).toBe("2");
      if (narrow) await page.click("[data-action=menu]");
      await page.click('#methods a[href="/methods/rpc.ping"]');
      await page.waitForURL("**/methods/rpc.ping");
      await page.click("form#call [data-action=add-to-batch]");

      await openConsole();
      await page.click("[data-action=send-batch]");
      await page.waitForSelector(".outcomes");
      expect(await page.locator(".outcomes li").allInnerTexts()).toEqual([
        "OK detectHash",
        "-32602 detectHash failed to parse post request: invalid hash: 'wrong'",
        "OK rpc.ping",
      ]);
      const answers: { id: number; ok: boolean }[] = JSON.parse(await answer());
      expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
        [1, true],
        [2, false],
        [3, true],
      ]);

      await page.click("[data-action=remove-from-batch] >> nth=1");
      expect(await page.locator(".calls .name").allInnerTexts()).toEqual(["detectHash", "rpc.ping"]);
      await page.click("[data-action=clear-batch]");
      await page.click("[data-tab=history]");
      expect(await page.locator(".past .name").allInnerTexts()).toEqual(["batch of 3"]);
      await page.click(".past summary");
      await page.click("[data-action=use-again]");
      expect(await page.locator(".calls .name").allInnerTexts()).toEqual([
        "detectHash",
        "detectHash",
        "rpc.ping",
      ]);
    });

    it.skipIf(narrow)("keep the input when the user navigates within the page", async () => {
      await visit("/methods/detectHash");
      await fill("hash", "typed");
      await page.focus(".skip");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/methods/detectHash?hash=typed#main");
      await page.goBack();
      await page.waitForURL("**/methods/detectHash?hash=typed");
      expect(await page.inputValue("#param-hash")).toBe("typed");
    });

    it.skipIf(narrow)("send all calls over one WebSocket connection", async () => {
      let sockets = 0;
      page.on("websocket", () => sockets++);
      await visit("/methods/rpc.ping");
      await openConsole();
      await page.click('#console label:has-text("WebSocket")');
      for (const id of [1, 2]) {
        await page.click("#console button.primary");
        await page.waitForFunction(
          (wanted) => document.querySelector(".answer pre")?.textContent?.includes(wanted),
          `"id": ${id}`,
        );
        expect(await status()).toMatch(/^OK [\d.]+ ms · \d+ B · WebSocket$/);
      }
      expect(sockets).toBe(1);
    });

    it.skipIf(narrow)("truncate a long answer until the user asks for all of it", async () => {
      await visit("/methods/rpc.discover");
      await run();
      await page.waitForSelector(".cut");
      const lines = async () => (await answer()).split("\n").length;
      expect(await lines()).toBe(200);
      await page.click("[data-action=show-all]");
      expect(await lines()).toBeGreaterThan(200);
      expect(JSON.parse(await answer()).result.openrpc).toBe("1.2.6");
    });

    it("keep the request and the answer when the user navigates back and forward", async () => {
      await visit("/methods/rpc.ping");
      await run();
      await page.waitForSelector(".pill.good");
      await closeConsole();
      if (narrow) await page.click("[data-action=menu]");
      await page.click('a[href="/reference"]:visible');
      await page.waitForURL("**/reference");
      await page.goBack();
      await page.waitForURL("**/methods/rpc.ping");
      expect(await shown(page, "h1")).toBe("rpc.ping");
      expect(await shown(page, "#history-count")).toBe("1");
    });

    it.skipIf(narrow).each(["v2", "v3"])("show the REST interface %s in Swagger UI", async (api) => {
      await page.goto(`${service.url}/api/${api}/`);
      await page.waitForSelector(".swagger-ui .info .title");
      expect(await page.locator(".swagger-ui .errors-wrapper").count()).toBe(0);
    });

    it.skipIf(narrow)("execute a GET from Swagger UI", async () => {
      await page.goto(`${service.url}/api/v2/#/Utils/packAddress`);
      await page.fill("#operations-Utils-packAddress input[placeholder=address]", raw);
      await page.click("#operations-Utils-packAddress .execute");
      const responses = "#operations-Utils-packAddress .live-responses-table .response-col_description pre";
      await page
        .locator(responses, { hasText: `"result": "${friendly}"` })
        .first()
        .waitFor();
    });
  });

  it("store the key for the tab only, and report that the service refuses it", async () => {
    const { page, complaints } = await openPage(await sharedChromium(), service.url, 1280);
    await page.goto(`${service.url}/methods/rpc.ping`);
    await page.fill("#api-key", "unknown");
    await page.click("form#call button[type=submit]");
    await page.waitForSelector(".pill.bad");
    expect(await shown(page, "#console .answer pre")).toContain("API key does not exist");
    await until("the console's word", () => complaints.length > 0);
    expect(complaints).toEqual([expect.stringContaining("401")]);
    expect(await page.evaluate(() => [localStorage.length, { ...sessionStorage }, document.cookie])).toEqual([
      0,
      { "tonwire-api-key": "unknown" },
      "",
    ]);

    await page.fill("#api-key", service.key);
    await page.click("form#call button[type=submit]");
    await page.waitForSelector(".pill.good");
    await page.context().close();
  });

  it("take the key from the printed link, and the address bar does not keep it", async () => {
    const { page } = await openPage(await sharedChromium(), service.url, 1280);
    await page.goto(`${service.url}/methods/devnet.mine#key=${service.key}`);
    await page.waitForSelector("html.scripted");
    expect(await page.inputValue("#api-key")).toBe(service.key);
    expect(page.url()).toBe(`${service.url}/methods/devnet.mine`);
    const sent = page.waitForRequest("**/jsonRPC");
    await page.click("form#call button[type=submit]");
    expect((await sent).headers()["x-api-key"]).toBe(service.key);
    await page.waitForSelector(".pill.good");
    await page.context().close();
  });

  it("of a local development server change the devnet without a key", async () => {
    const devServer = createServer((_, response) => response.end("<title>A dapp</title>"));
    await once(devServer.listen(0, "127.0.0.1"), "listening");
    const page = await (await (await sharedChromium()).newContext()).newPage();
    await page.goto(`http://localhost:${(devServer.address() as AddressInfo).port}/`);
    const answer = await page.evaluate(async (url) => {
      const call = { jsonrpc: "2.0", id: 1, method: "devnet.mine" };
      const headers = { "Content-Type": "application/json" };
      return (await fetch(url, { method: "POST", body: JSON.stringify(call), headers })).json();
    }, `${service.url}/jsonRPC`);
    expect(answer).toMatchObject({ result: { mined: 1 } });
    await page.context().close();
    devServer.close();
  });

  it("are readable without scripts", async () => {
    const context = await (await sharedChromium()).newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/methods/detectAddress`);
    expect(await page.locator("h2:visible").allInnerTexts()).toEqual(
      expect.arrayContaining(["Parameters", "Result ext.utils.detectedAddress", "Examples", "Errors"]),
    );
    expect(await page.locator("button:visible").count()).toBe(0);
    await page.click('#methods a[href="/methods/detectHash"]');
    expect(await shown(page, "h1")).toBe("detectHash");
    await context.close();
  });
});
