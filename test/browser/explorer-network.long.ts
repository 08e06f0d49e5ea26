import { beginCell, Cell } from "@ton/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  DevnetElectionsResult,
  DevnetInfoResult,
  NominatorEvents,
  V3HourlyTotalsResult,
  V3SupplyResult,
  V3TopAccountsByBalanceResult,
  ValidatorCycle,
} from "../../client/api.js";
import { amountText } from "../../shared/text/amount-text.js";
import { ton } from "../helpers/chain/devnet.js";
import { reach } from "../helpers/elections/election-phases.js";
import { accessibilityProblems, haveChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { storyEnded } from "../helpers/stories/story.js";
import { friendlyOf } from "../helpers/text-forms.js";
import { browse, looks, ready, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

/** A domain as a stranger could write it, of more letters than any screen is wide. */
const hostileDomain = `<img src=x onerror="scripted=1">\u202e${"W".repeat(720)}.ton`;

/** One address of each page. */
const addressesOf = (pool: string): Record<string, string> => ({
  "electing-home": "/",
  validators: "/validators",
  pools: "/pools",
  pool: `/pool/${pool}`,
  config: "/config",
  supply: "/supply",
});

/** A devnet whose story stakes, after two elections, a fine and a reward. */
async function startElecting(): Promise<DevnetService> {
  const service = await startDevnetService({ devnetElections: "short", story: true, index: true });
  await storyEnded(service, { elections: true });
  await reach(service, "open", "installed", "idle");
  await service.run("devnet.complain", { validator: 1, fine: String(10n * ton) });
  await reach(service, "open", "installed", "idle", "open", "installed", "idle", "open");
  await untilIndexed(service, await service.mine());
  await streamsReady(service);
  return service;
}

describe.skipIf(!haveChromium())("the explorer's pages of the network in Chromium", () => {
  let service: DevnetService;
  let pool: string;
  let info: DevnetInfoResult;
  beforeAll(async () => {
    service = await startElecting();
    info = await service.run("devnet.info");
    pool = friendlyOf(info.contracts.find(({ kind }) => kind === "nominator_pool")!.address);
  });
  afterAll(() => service?.close());

  const browsing = (run: (page: Page) => Promise<void>, width?: number, origin = service.url) =>
    browse(origin, run, { width });

  it.each(looks)("have no barrier, move nothing and fit in $colors colours at a width of $width", (look) =>
    browse(
      service.url,
      async (page) => {
        for (const [name, path] of Object.entries(addressesOf(pool))) {
          await visit(page, path);
          await page.evaluate(() => {
            for (const fold of document.querySelectorAll<HTMLDetailsElement>(".view .fold")) fold.open = true;
          });
          await checkLook(page, name, look);
        }
        await page.click("[popovertarget=more-pages]");
        const menu = await page.locator("#more-pages").boundingBox();
        expect(menu!.x).toBeGreaterThanOrEqual(0);
        expect(menu!.x + menu!.width).toBeLessThanOrEqual(look.width);
        expect(await accessibilityProblems(page)).toEqual([]);
      },
      look,
    ),
  );

  it("shows the validators in force with their stakes, elections, complaints and earlier sets", () =>
    browsing(async (page) => {
      const { set } = await service.run<DevnetElectionsResult>("devnet.elections");
      const { cycles } = await service.run<{ cycles: ValidatorCycle[] }>("v3.validators.cycles", {
        return_validators: true,
      });
      const inForce = cycles.find(({ cycle_start }) => cycle_start === set.since)!;
      const shown = () => text(page, "[aria-label='Validators of the set'] tbody td:nth-child(3)");
      const stakesOf = (cycle: ValidatorCycle) =>
        cycle.validators!.map(({ stake }) => (stake === undefined ? "unknown" : amountText(stake, 9)));
      await visit(page, "/validators");
      expect(await shown()).toEqual(stakesOf(inForce));
      expect(inForce.validators).toHaveLength(set.validators.length);
      expect(await text(page, ".facts > div")).toContainEqual(expect.stringMatching(/^Set\s+in force$/));
      expect(await text(page, ".hint")).toContainEqual(expect.stringContaining("An election is open."));

      const [complaint] = await text(page, "[aria-label='Table of complaints'] tbody tr");
      expect(complaint).toMatch(/\s10\s.*fined/s);
      expect(await text(page, "[data-part=stakes] .row-lines")).toContainEqual(
        expect.stringMatching(/^stake recovered [\d,.]+ TON$/),
      );
      await page.click("[data-part=stakes] .more button");
      await page.waitForFunction(() => document.querySelectorAll("[data-part=stakes] li").length > 20);

      const first = cycles.at(-1)!;
      await page.click(`[aria-label='Table of cycles'] a[href="/validators?cycle=${first.cycle_start}"]`);
      await page.waitForURL(`**/validators?cycle=${first.cycle_start}`);
      await ready(page);
      expect(await shown()).toEqual(stakesOf(first));
      const elected = cycles.find(({ election_id }) => election_id !== undefined)!;
      await visit(page, `/validators?election=${elected.election_id}`);
      expect(await shown()).toEqual(stakesOf(elected));
      await visit(page, "/validators?election=7");
      expect(await text(page, ".empty")).toContainEqual(expect.stringContaining("does not have this set"));
    }));

  it("lists the pools that stake, and finds pools of a nominator, with their rewards", () =>
    browsing(async (page) => {
      const { events } = await service.run<NominatorEvents>("v3.staking.nominatorPools.nominatorEvents", {
        pool,
      });
      const nominator = friendlyOf(events[0]!.nominator_address);
      await visit(page, "/pools");
      await page.fill("[name=address]", "nobody");
      await page.click("#find-pool button");
      await page.locator(".problem", { hasText: "Needed: an address" }).waitFor();
      await page.fill("[name=address]", nominator);
      await page.click("#find-pool button");
      await page.waitForURL(`**/pools?nominator=${nominator}`);
      await ready(page);
      await page.click(`a[href="/pool/${pool}"]`);
      await page.waitForURL(`**/pool/${pool}`);
      await ready(page);
      expect(await page.title()).toBe("Pool of Max · tonwire");

      const rewards = events.filter(({ type }) => type === "reward");
      const rounds = new Set(rewards.map(({ tx_hash }) => tx_hash));
      expect(rounds.size).toBeGreaterThan(0);
      expect(await page.locator("#view .chart rect").count()).toBeGreaterThanOrEqual(rounds.size);
      await page.click(".fold summary");
      const sum = rewards
        .filter(({ tx_hash }) => tx_hash === rewards[0]!.tx_hash)
        .reduce((all, { amount }) => all + BigInt(amount), 0n);
      const [round] = await text(page, "[aria-label='Rewards by round'] tbody td:nth-child(2)");
      expect(round).toBe(amountText(sum, 9));
      expect(await page.locator("[data-part=events] li").count()).toBe(events.length);

      await visit(page, "/pools");
      await page.click(`[aria-label='Nominator pools'] a[href="/pool/${pool}"]`);
      await page.waitForURL(`**/pool/${pool}`);
      await visit(page, `/pool/${nominator}`);
      expect(await text(page, "h1")).toEqual(["No nominator pool"]);
      await visit(page, "/pool/nobody");
      expect(await text(page, ".empty")).toEqual([expect.stringContaining("This is no address")]);
    }));

  it("shows the configuration in words, each parameter under an address, and what key blocks have changed", () =>
    browsing(async (page) => {
      await visit(page, "/config#param15");
      const top = await page.evaluate(() => document.querySelector("#param15")!.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(400);
      const times = "section[aria-labelledby=param15]";
      expect(await text(page, `${times} .facts > div`)).toEqual([
        expect.stringMatching(/^A set validates for\s+20 min$/),
        expect.stringMatching(/^An election begins before its set\s+10 min$/),
        expect.stringMatching(/^It ends before its set\s+3 min$/),
        expect.stringMatching(/^Stakes are held for\s+5 min$/),
      ]);
      await page.click(`${times} .fold > summary`);
      await page.click(`${times} .cells summary`);
      const { config } = await service.run<{ config: { bytes: string } }>("getConfigParam", { param: 15 });
      const hash = Cell.fromBase64(config.bytes).hash().toString("hex");
      await page.locator(`${times} code`, { hasText: hash }).waitFor();

      await page.click("[data-part=changes] button");
      await page.waitForSelector("[data-part=changes] .change");
      while ((await page.locator("[data-part=changes] .more button").count()) > 0) {
        const many = await page.locator("[data-part=changes] .rows > li").count();
        await page.click("[data-part=changes] .more button");
        await page.waitForFunction(
          (before) => document.querySelectorAll("[data-part=changes] .rows > li").length > before,
          many,
        );
      }
      const changes = await text(page, "[data-part=changes] .rows > li");
      const sets = (await service.run<{ cycles: unknown[] }>("v3.validators.cycles")).cycles.length;
      // Each later set of validators was announced by one key block and came into force by another one.
      expect(changes.filter((each) => /36 Next validators\s+added/.test(each))).toHaveLength(sets - 1);
      expect(changes.filter((each) => /36 Next validators\s+removed/.test(each))).toHaveLength(sets - 1);
      expect(changes.at(-1)).toContain("the first key block");
    }));

  it("shows the supply, and the accounts with the largest balances", () =>
    browsing(async (page) => {
      const { total } = await service.run<V3SupplyResult>("v3.supply");
      const accounts = await service.run<V3TopAccountsByBalanceResult[]>("v3.topAccountsByBalance", {
        limit: 1000,
      });
      await page.goto("/");
      await page.click("[popovertarget=more-pages]");
      await page.click("#more-pages a[href='/supply']");
      await page.waitForURL("**/supply");
      await ready(page);
      expect(await page.locator("#more-pages").isVisible()).toBe(false);
      expect(await text(page, ".balance")).toEqual([`${amountText(total, 9)} TON`]);
      await page.click("[data-part=top] .more button");
      await page.waitForFunction(() => document.querySelectorAll("[data-part=top] tbody tr").length > 50);
      const shown = await text(page, "[data-part=top] tbody td:nth-child(3)");
      expect(shown).toEqual(accounts.slice(0, shown.length).map(({ balance }) => amountText(balance, 9)));
    }));

  it("says on the first page what happens now and what to do first", () =>
    browsing(async (page) => {
      await visit(page, "/");
      await page.waitForSelector(".dot.live");
      expect(await text(page, ".network-facts")).toEqual([
        expect.stringMatching(/^\d validators with [\d,.]+ TON, elected/),
      ]);
      const address = `0:${"9".repeat(64)}`;
      await service.run("devnet.faucet", { address, amount: "2500000000" });
      await page
        .locator("[data-part=actions] .sentence", {
          has: page.locator(`a[href="/account/${friendlyOf(address)}"]`),
        })
        .waitFor();
      const { hours } = await service.run<V3HourlyTotalsResult>("v3.hourlyTotals");
      await page.waitForSelector("[data-part=hours] .chart");
      expect(await page.locator("[data-part=hours] rect").count()).toBe(48);
      await page.click("[data-part=hours] summary");
      expect(
        (await text(page, "[data-part=hours] tbody td:nth-child(2)")).filter((many) => many !== "0"),
      ).toHaveLength(hours.length);
      expect(await text(page, ".first-steps .wallet a")).toEqual(
        info.wallets.slice(0, 4).map(({ name }) => name),
      );
      await page.click(".first-steps a[href='/devnet#from-wallet']");
      await page.waitForURL("**/devnet#from-wallet");
      await ready(page);
      const form = await page.evaluate(() => document.querySelector("#from-wallet")!.getBoundingClientRect());
      expect(form.top).toBeLessThan(800);
      expect(form.bottom).toBeGreaterThan(0);
    }));

  it("cuts the names of accounts that mean harm, and runs nothing in them", () =>
    browsing(async (page) => {
      await page.route("**/jsonRPC", async (route) => {
        const response = await route.fetch();
        const body = await response.text();
        const named = body.replaceAll('"domain":null', `"domain":${JSON.stringify(hostileDomain)}`);
        await route.fulfill({ response, body: named });
      });
      const named: string[] = [];
      for (const [name, path] of Object.entries(addressesOf(pool))) {
        await visit(page, path);
        expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 360]);
        if ((await page.locator(".view").innerText()).includes("WWWWWWWW")) named.push(name);
      }
      // Pools have the names that the devnet gave them.
      expect(named).toEqual(["electing-home", "validators", "supply"]);
      expect(await page.evaluate("globalThis.scripted")).toBe(undefined);
    }, 360));

  it("shows without an index what the configuration has, and how to hold elections", async () => {
    const plain = await startDevnetService();
    try {
      await browsing(
        async (page) => {
          await visit(page, "/validators");
          expect(await text(page, "[aria-label='Set: Validators'] tbody tr")).toHaveLength(1);
          expect(await text(page, ".empty")).toContainEqual(expect.stringContaining("needs the index"));
          for (const path of ["/pools", `/pool/${pool}`, "/supply"]) {
            await visit(page, path);
            expect(await text(page, ".empty")).toContainEqual(expect.stringContaining("needs the index"));
          }
          await visit(page, "/config");
          expect(await page.locator(".param").count()).toBeGreaterThan(20);
        },
        1280,
        plain.url,
      );
    } finally {
      await plain.close();
    }
    const quiet = await startDevnetService({ index: true });
    try {
      await untilIndexed(quiet, await quiet.mine());
      await browsing(
        async (page) => {
          await visit(page, "/validators");
          expect(await text(page, ".hint")).toContainEqual(expect.stringContaining("--devnet-elections"));
          await visit(page, "/pools");
          expect(await text(page, ".empty")).toEqual(["No pool is among the recent stakes."]);
          const value = beginCell().storeUint(7, 9).endCell();
          await quiet.run("devnet.setConfig", { param: -4242, value: value.toBoc().toString("base64") });
          await visit(page, "/config");
          expect(await text(page, "section[aria-labelledby='param-4242'] h2")).toEqual([
            "-4242 Unknown parameter",
          ]);
          await page.click("section[aria-labelledby='param-4242'] .cells summary");
          await page.locator(".cell code", { hasText: value.hash().toString("hex") }).waitFor();
        },
        1280,
        quiet.url,
      );
    } finally {
      await quiet.close();
    }
  });
});
