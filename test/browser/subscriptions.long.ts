import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";

const account = `0:${"5A".repeat(32)}`;

describe.skipIf(!haveChromium())("the console of the pages", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(async () => {
    await service?.close();
  });

  let watched: WatchedPage;
  let page: Page;
  let sockets: string[];
  beforeEach(async () => {
    watched = await openPage(await sharedChromium(), service.url, 1280);
    page = watched.page;
    sockets = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await page.goto(`${service.url}/methods/subscribe#key=${service.key}`);
    await page.waitForSelector("html.scripted");
  });
  afterEach(async () => {
    expect({ foreign: watched.foreign, complaints: watched.complaints }).toEqual({
      foreign: [],
      complaints: [],
    });
    await page.context().close();
  });

  const subscribe = async (kind: string, accounts?: string) => {
    await page.selectOption("#param-kind", kind);
    await page.fill("#param-accounts", accounts ?? "");
    await page.click("form#call button[type=submit]");
    await page.waitForSelector(".pill.good");
  };
  const texts = (selector: string) => page.locator(selector).allInnerTexts();
  const shows = (selector: string, wanted: readonly string[]) =>
    until(
      () => `${wanted} in ${selector}`,
      async () => JSON.stringify(await texts(selector)) === JSON.stringify(wanted),
    );
  const openEvents = () => page.click("[data-tab=events]");
  const types = '[data-place="events"] .name';

  it("subscribes over a WebSocket, shows events and ends subscriptions", async () => {
    // Over the selected transport such a call could only fail.
    expect(await page.isChecked("input[name=transport][value=http]")).toBe(true);
    expect(await texts("[data-form]")).toEqual(["JSON-RPC"]);
    await subscribe("transactions", account);
    expect(JSON.parse((await texts("#console .answer pre")).join())).toMatchObject({
      result: { subscription: "1" },
    });
    await service.run("devnet.faucet", { address: account });
    await service.mine(2);
    await openEvents();
    await shows(types, ["transaction"]);
    expect(await texts("#events-count")).toEqual(["1"]);
    expect(await texts(".subscriptions .name")).toEqual(["transactions"]);
    await page.click(`${types} >> nth=0`);
    const shown = JSON.parse((await texts('[data-place="events"] pre')).join());
    expect(shown).toMatchObject({
      method: "subscription",
      params: { subscription: "1", finality: "finalized", event: { transaction: { account } } },
    });

    // Another one beside it, over the same connection; open details stay open while events come.
    await page.click("[data-tab=call]");
    await subscribe("blocks");
    await openEvents();
    await page.click(`${types} >> nth=0`);
    await service.mine(1);
    await shows(types, ["block", "transaction"]);
    expect(await page.locator('[data-place="events"] details[open]').count()).toBe(1);
    expect(sockets).toHaveLength(1);
    await page.click("[data-subscription='2']");
    await shows(".subscriptions .name", ["transactions"]);
    await service.run("devnet.faucet", { address: account });
    await service.mine(2);
    await shows(types, ["transaction", "block", "transaction"]);
    await page.click("[data-action=clear-events]");
    await shows(types, []);
  });

  it("shows the events of subscriptions in the form of other libraries, too", async () => {
    await page.goto(`${service.url}/methods/ton_subscribe#key=${service.key}`);
    await page.waitForSelector("html.scripted");
    await page.selectOption("#param-kind", "transactions");
    await page.fill("#param-filter", JSON.stringify({ accounts: [account] }));
    await page.click("form#call button[type=submit]");
    await page.waitForSelector(".pill.good");
    expect(JSON.parse((await texts("#console .answer pre")).join())).toMatchObject({ result: "1" });
    await service.run("devnet.faucet", { address: account });
    await service.mine(2);
    await openEvents();
    await shows(types, ["transaction"]);
    await page.click(`${types} >> nth=0`);
    expect(JSON.parse((await texts('[data-place="events"] pre')).join())).toMatchObject({
      method: "ton_subscription",
      params: { subscription: "1", result: { event: { transaction: { account } } } },
    });
    await page.click("[data-subscription='1']");
    await shows(".subscriptions .name", []);
  });

  it("keeps the newest events only, and forgets subscriptions with their connection", async () => {
    const seqno = await service.mine(120);
    await page.selectOption("#param-kind", "blocks");
    await page.fill("#param-from", JSON.stringify({ mc_seqno: 1 }));
    await page.click("form#call button[type=submit]");
    await openEvents();
    await until("all blocks", async () => Number((await texts("#events-count")).join()) >= seqno);
    expect(await page.locator('[data-place="events"] > li').count()).toBe(100);
    await page.click("[data-tab=call]");
    await subscribe("accounts", account);
    await openEvents();
    await shows(".subscriptions .name", ["blocks", "accounts"]);
    // A key is of a connection, so that another one takes another connection.
    await page.fill("#api-key", "");
    await page.click("[data-tab=call]");
    await subscribe("accounts", account);
    await openEvents();
    await shows(".subscriptions .name", ["accounts"]);
    expect(sockets).toHaveLength(2);
  });
});
