import { Address, beginCell, internal, storeMessageRelaxed } from "@ton/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DevnetInfoResult, Trace, Transaction } from "../../client/api.js";
import { foldActions } from "../../server/web/explorer/actions/fold.js";
import { operationName } from "../../shared/text/operations.js";
import { accessibilityProblems, haveChromium } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { startStoryService } from "../helpers/stories/story-service.js";
import { hexOf } from "../helpers/text-forms.js";
import { until } from "../helpers/until.js";
import { browse, text, visit } from "./explorer-pages.js";

const shortForm = (raw: string) =>
  Address.parse(raw)
    .toString()
    .replace(/^(.{6}).*(.{4})$/, "$1…$2");
const stranger = `0:${"9".repeat(64)}`;

describe.skipIf(!haveChromium())("traces, transactions and the devnet's panel in Chromium", () => {
  let service: DevnetService;
  let info: DevnetInfoResult;
  let traces: readonly Trace[];
  beforeAll(async () => {
    service = await startStoryService();
    await streamsReady(service);
    info = await service.run("devnet.info");
    const accounts = [...info.wallets, ...info.contracts].map(({ address }) => address);
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: accounts,
      limit: 500,
    });
    const ids = [...new Set(transactions.map(({ trace_id }) => trace_id!))];
    ({ traces } = await service.run<{ traces: Trace[] }>("v3.traces", {
      trace_id: ids,
      include_actions: true,
      limit: 500,
    }));
  });
  afterAll(() => service?.close());

  /** Runs a test in a page, and checks that it made no external request, threw nothing and fits the screen. */
  const browsing = (width: number, path: string, run: (page: Page) => Promise<void>) =>
    browse(
      service.url,
      async (page) => {
        await visit(page, path);
        await run(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        expect(await accessibilityProblems(page)).toEqual([]);
      },
      { width },
    );
  const all = (trace: Trace) => Object.values(trace.transactions!);
  const failedOf = (trace: Trace) =>
    all(trace).find(({ description: { compute_ph: phase } }) => phase && !phase.skipped && !phase.success);

  it.each([360, 1280])(
    "show a trace as a picture for mouse and keyboard, at a width of %i",
    async (width) => {
      // A body that several protocols may read differently is closed at first.
      const decodedOf = ({ trace, transactions }: Trace) => {
        const message = transactions![trace!.children[0]?.tx_hash ?? ""]?.in_msg;
        return message && operationName(message) !== undefined && message.message_content?.decoded;
      };
      const trace = traces.find(
        (each) => each.trace_info.transactions > 6 && !failedOf(each) && decodedOf(each),
      )!;
      await browsing(width, `/trace/${hexOf(trace.trace_id!)}`, async (page) => {
        const steps = page.locator("[role=treeitem]");
        expect(await steps.count()).toBe(trace.trace_info.messages);
        expect(await page.locator(".action-list li").count()).toBe(
          foldActions(trace.actions!).actions.length,
        );
        expect(await page.locator(".trace-step").isVisible()).toBe(false);

        // The tree is one stop of the Tab key; arrows lead along the messages.
        expect(await page.locator("[role=treeitem][tabindex='0']").count()).toBe(1);
        await steps.first().focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("Enter");
        expect(await page.locator("[aria-selected=true]").getAttribute("aria-level")).toBe("2");
        const second = all(trace).find(({ hash }) => hash === trace.trace!.children[0]!.tx_hash)!;
        expect(await page.getAttribute(".trace-step p a", "href")).toBe(`/tx/${hexOf(second.hash)}`);
        expect(JSON.parse(await page.innerText(".trace-step .message pre"))).toEqual(decodedOf(trace));
        expect(await text(page, ".trace-step .phases h3")).toContain("Compute exit code 0: success");
        await page.locator("[data-step='2'] .title").click();
        expect(await page.locator("[data-step='2']").getAttribute("aria-selected")).toBe("true");
        await page.keyboard.press("Escape");
        expect(await page.locator(".trace-step").isVisible()).toBe(false);
        expect(await page.evaluate(() => document.activeElement?.getAttribute("data-step"))).toBe("2");

        await page.click(".trace-below summary");
        await page.waitForSelector(".trace-below tbody td");
        const fees = await text(page, ".trace-below tbody td:nth-child(6)");
        expect(fees.map((fee) => Math.round(Number(fee) * 1e9)).sort()).toEqual(
          all(trace)
            .map(({ total_fees }) => Number(total_fees))
            .sort(),
        );
      });
    },
  );

  it("show why a transaction failed, its phases, and the log of the machine", async () => {
    const trace = traces.find(failedOf)!;
    const failed = failedOf(trace)!;
    const phase = failed.description.compute_ph as { exit_code: number };
    await browsing(1280, `/trace/${hexOf(trace.trace_id!)}`, async (page) => {
      expect(await page.locator(".step.bad").count()).toBeGreaterThan(0);
      expect(await page.locator(".step.bad .note").allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining(`exit code ${phase.exit_code}`)]),
      );
      expect(await text(page, ".action-list .bad")).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Failed: /)]),
      );
      await visit(page, `/tx/${hexOf(failed.hash)}`);
      expect(await text(page, "h1")).toEqual([expect.stringContaining(`exit code ${phase.exit_code}`)]);
      expect(await text(page, ".view > .phases h3")).toEqual(
        expect.arrayContaining(["Storage", "Credit", "Bounce returned"]),
      );
      expect(await page.locator(".message").count()).toBe(1 + failed.out_msgs.length);
      await page.click(".vm-log summary");
      await page.waitForSelector(".vm-log pre");
      expect((await text(page, ".vm-log pre"))[0]).toMatch(/^stack: /);
      await page.click(`.facts a[href="/trace/${hexOf(trace.trace_id!)}"]`);
      await page.waitForSelector(".trace");
    });
  });

  it("find a transaction by its received message, and explain unknown hashes", async () => {
    const { in_msg, hash } = all(traces[0]!)[0]!;
    await browsing(360, `/tx/${hexOf(in_msg!.hash)}`, async (page) => {
      expect(await text(page, ".facts .hash")).toContain(
        `${hexOf(hash).slice(0, 8)}…${hexOf(hash).slice(-4)}`,
      );
      await visit(page, `/tx/${"0".repeat(64)}`);
      expect(await text(page, ".empty")).toEqual([expect.stringContaining("The index has no transaction")]);
      await visit(page, "/tx/nonsense");
      expect(await text(page, ".empty")).toEqual([expect.stringContaining("64 hex digits")]);
    });
  });

  it("sign and send one message for a double click, and show its trace from its emulation to its end", async () => {
    const [sender] = info.wallets;
    const seqnoOf = async () =>
      (await service.run<{ seqno: number }>("getWalletInformation", { address: sender!.address })).seqno;
    const before = await seqnoOf();
    await browsing(1280, "/devnet", async (page) => {
      await page.fill("#from-wallet [name=to]", stranger);
      await page.fill("#from-wallet [name=amount]", "1.25");
      await page.fill("#from-wallet [name=comment]", "for the picture");
      await page.uncheck("#from-wallet [name=bounce]");
      await page.dblclick("#from-wallet button[type=submit]");
      const link = page.locator("#from-wallet .done a");
      await link.waitFor();
      await link.click();
      await page.waitForSelector(".step.pending");
      expect(await text(page, "h1")).toEqual([expect.stringContaining("goes on")]);
      await service.mine(2);
      await page.waitForSelector("h1 .pill.good");
      expect(await text(page, "h1")).toEqual([expect.stringContaining("complete")]);
      await until("the final trace", async () => (await page.locator(".step.pending").count()) === 0);
      expect(await text(page, ".action-list li")).toContain(
        `Wallet 0 (Ann) sent 1.25 TON to ${shortForm(stranger)}, saying for the picture`,
      );
    });
    expect(await seqnoOf()).toBe(before + 1);
  });

  it("sign for Telegram's wallet, name its request behind the signature, and read its data", async () => {
    const { address } = info.wallets.at(-1)!;
    await browsing(1280, "/devnet", async (page) => {
      await page.selectOption("#from-wallet [name=wallet]", "6");
      await page.fill("#from-wallet [name=to]", stranger);
      await page.uncheck("#from-wallet [name=bounce]");
      // The second request has the seqno that the first one leaves in the data.
      for (const amount of ["1.5", "1.75"]) {
        await page.fill("#from-wallet [name=amount]", amount);
        await page.click("#from-wallet button[type=submit]");
        await page.waitForSelector("#from-wallet .done a");
        await untilIndexed(service, await service.mine(2));
      }
    });
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [address],
      limit: 2,
    });
    expect(transactions.map(({ out_msgs: [sent] }) => sent?.value)).toEqual(["1750000000", "1500000000"]);
    await browsing(360, `/tx/${hexOf(transactions[0]!.hash)}`, async (page) => {
      const [request] = await text(page, ".message");
      expect(request).toMatch(/tg wallet send one external/);
      expect(request).toMatch(/Opcode\s+0x63896e75 behind the signature/);
    });
    await browsing(1280, `/account/${address}`, async (page) => {
      const facts = await text(page, ".facts > div");
      for (const fact of [
        /^Next seqno\s+2$/,
        /^Wallet id\s+2,147,450,641$/,
        /^Public key\s/,
        /^Revision of the data\s+0$/,
      ])
        expect(facts).toContainEqual(expect.stringMatching(fact));
      expect(await text(page, "h1 .pill")).toEqual(["tg wallet"]);
      await page.click("#run [data-method=seqno]");
      await page.locator("[data-part=result]", { hasText: "2" }).waitFor();
    });
  });

  it("show that a message expired whose trace was expected", async () => {
    let path = "";
    await browsing(1280, "/devnet", async (page) => {
      await page.selectOption("#from-wallet [name=wallet]", "2");
      await page.fill("#from-wallet [name=to]", stranger);
      await page.fill("#from-wallet [name=amount]", "1");
      await page.uncheck("#from-wallet [name=bounce]");
      await page.click("#from-wallet button[type=submit]");
      const link = page.locator("#from-wallet .done a");
      await link.waitFor();
      path = (await link.getAttribute("href"))!;
      await link.click();
      await page.waitForSelector(".step.pending");
      await service.run("devnet.advanceTime", { seconds: 3600 });
      await untilIndexed(service, await service.mine(2));
      await page.getByText("The message expired before a block had it").waitFor();
      expect(await page.locator(".step").count()).toBe(0);
    });
    await browsing(360, path, async (page) => {
      expect(await text(page, "[role=status]")).toContainEqual(expect.stringContaining("expired"));
    });
  });

  it("show text of the chain as text, cut to its place", async () => {
    const comment = `</text><img src=x onerror=alert(1)>\u202e${"W\u0301\u0302\u0303\u0304".repeat(1000)}`;
    let trace = "";
    await browsing(360, "/devnet", async (page) => {
      await page.selectOption("#from-wallet [name=wallet]", "1");
      await page.fill("#from-wallet [name=to]", stranger);
      await page.fill("#from-wallet [name=comment]", comment);
      await page.uncheck("#from-wallet [name=bounce]");
      await page.click("#from-wallet button[type=submit]");
      trace = (await page.getAttribute("#from-wallet .done a", "href"))!;
    });
    await untilIndexed(service, await service.mine());
    for (const width of [360, 1280])
      await browsing(width, trace, async (page) => {
        expect(await page.locator("img").count()).toBe(0);
        const [said] = await text(page, ".action-list li q");
        expect(said).toMatch(/^<\/text><img src=x onerror=alert\(1\)>\ufffdW/);
        expect([...said!].length).toBeLessThanOrEqual(161);
        await page.locator("[data-step='1'] .title").click();
        expect(await page.innerText(".trace-step .message pre")).toContain("\\u202e");
      });
  });

  it("control a devnet: faucets, blocks, time, snapshots, state, and the calls that it makes", async () => {
    const key = `#key=${service.key}`;
    await browsing(360, `/devnet${key}`, async (page) => {
      const press = async (form: string, values: Record<string, string> = {}) => {
        for (const [name, value] of Object.entries(values)) await page.fill(`#${form} [name=${name}]`, value);
        const answer = page.locator(`#${form} .control-answer`);
        await answer.evaluate((element) => element.replaceChildren());
        await page.click(`#${form} button[type=submit]`);
        await answer.locator(".done, .failure").waitFor();
        return (await answer.innerText()).replace(/\s+/g, " ").trim();
      };
      const newcomer = `0:${"7".repeat(64)}`;
      expect(await press("faucet", { address: newcomer, amount: "2.000000001" })).toMatch(
        /^Received by .* in block/,
      );
      expect(await service.run("getAddressBalance", { address: newcomer })).toBe("2000000001");
      expect(await press("faucet", { amount: "1.0000000001" })).toBe("1.0000000001 is not an amount of TON");
      expect(await press("faucet", { amount: "1", address: "nobody" })).toContain(
        "address must be an address in the friendly form",
      );
      await page.click("#faucet summary");
      await page.fill("#faucet [name=address]", stranger);
      expect(JSON.parse(await page.innerText("#faucet .control-call pre"))).toEqual({
        jsonrpc: "2.0",
        id: 1,
        method: "devnet.faucet",
        params: { address: stranger, amount: "1000000000" },
      });

      expect(await press("faucet-jetton", { address: stranger, amount: "123" })).toMatch(/^Received by/);
      const { seqno: first } = (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last;
      expect(await press("snapshot", { name: "before" })).toBe(`Snapshot before at block ${first}.`);
      expect(await press("mine", { blocks: "3", interval: "7" })).toMatch(/^3 blocks, the newest is/);
      expect(await press("next-time", { time: "4000000000" })).toMatch(
        /^The next block's time is 2096-10-02 07:06:40 UTC/,
      );
      expect(await press("advance", { seconds: "60" })).toMatch(
        /^The next block's time is 2096-10-02 07:07:40 UTC/,
      );
      expect(await press("mining")).toBe("Mode manual, 400 ms between blocks.");
      expect(await press("clock")).toMatch(/^The next block's time is/);
      const sent = { from: stranger, to: info.wallets[2]!.address, amount: "0.5", comment: "from nobody" };
      expect(await press("impersonate", sent)).toMatch(/^Received by/);
      const relayed = beginCell()
        .store(storeMessageRelaxed(internal({ to: Address.parse(stranger), value: 0n, bounce: false })))
        .endCell();
      const boc = relayed.toBoc().toString("base64");
      expect(await press("relay", { boc, amount: "0.1" })).toMatch(/^Received by/);
      expect(await press("send-boc", { boc: "te6cck" })).toMatch(/\S/);
      expect(await page.locator("#send-boc .failure").count()).toBe(1);

      const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-export]")]);
      const exported = await download.path();
      await page.click("[data-id=before][data-snapshot='devnet.revert']");
      await page.locator(".done", { hasText: "The chain is back at snapshot before." }).waitFor();
      const head = async () =>
        (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;
      expect(await head()).toBe(first);
      await page.setInputFiles("[data-import]", exported);
      await page.locator(".done", { hasText: "The chain is that of the file" }).waitFor();
      expect(await head()).toBeGreaterThan(first);
      await page.click("[data-id=before][data-snapshot='devnet.deleteSnapshot']");
      await page.locator(".empty", { hasText: "There are no snapshots." }).waitFor();

      await page.click("[data-refresh]");
      const called = page.locator("[data-part=calls] tbody tr", { hasText: "devnet.importState" });
      await called.waitFor();
      expect(await text(page, "[data-part=calls] td:nth-child(2)")).not.toContain("devnet.info");
      await page.click("#calls summary");
      await page.waitForSelector(".call-list");
      expect(await text(page, ".call-list code")).toEqual(
        expect.arrayContaining([
          "devnet.faucet",
          "devnet.impersonate",
          "devnet.exportState",
          "devnet.importState",
        ]),
      );
    });
  });
});

describe.skipIf(!haveChromium())("transactions without an index", () => {
  it("are shown by their account and logical time, as far as the chain answers", async () => {
    const service = await startDevnetService();
    try {
      const { tx_hash, lt } = await service.run<{ tx_hash: string; lt: string }>("devnet.faucet", {
        address: stranger,
        amount: "5",
      });
      const hash = hexOf(tx_hash);
      await browse(
        service.url,
        async (page) => {
          await page.goto(`/tx/${hash}`);
          await page.locator(".empty", { hasText: "needs the index" }).waitFor();
          await page.goto(`/tx/${hash}?${new URLSearchParams({ account: stranger, lt })}`);
          await page.locator(".message", { hasText: "0.000000005 TON" }).waitFor();
          expect(await accessibilityProblems(page)).toEqual([]);
        },
        { width: 360 },
      );
    } finally {
      await service.close();
    }
  });
});
