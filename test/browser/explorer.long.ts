import { readFile } from "node:fs/promises";
import { Address, beginCell, Cell } from "@ton/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, DevnetInfoResult, Transaction } from "../../client/api.js";
import { foldActions } from "../../server/web/explorer/actions/fold.js";
import { iconOf } from "../../shared/text/icons.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { accessibilityProblems, haveChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { storyEnded } from "../helpers/stories/story.js";
import { copyStoryChain } from "../helpers/stories/story-devnet.js";
import { friendlyOf, hexOf } from "../helpers/text-forms.js";
import { until } from "../helpers/until.js";
import { browse, looks, ready, text, visit } from "./explorer-pages.js";
import { checkLook } from "./look.js";

/** Limits of the first view: the page, its icon, styles and scripts, names, and the calls of the view as one batch. */
const firstPaint = { requests: 12, compressedBytes: 110_000 };

describe.skipIf(!haveChromium())("the explorer in Chromium", () => {
  let service: DevnetService;
  let info: DevnetInfoResult;
  /** A transaction of the basechain that a message of another account caused. */
  let transaction: Transaction;
  beforeAll(async () => {
    service = await sharedService("story");
    await streamsReady(service);
    info = await service.run("devnet.info");
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      account: [contractOf("jetton_wallet")],
      limit: 1,
    });
    transaction = transactions[0]!;
  });
  afterAll(() => service?.close());

  const contractOf = (kind: string) => info.contracts.find((each) => each.kind === kind)!.address;
  const showTransactions = async (page: Page) => {
    await page.click("[data-part=history] .segments span:text-is('Transactions')");
    await page.waitForSelector("[data-part=history] .line");
  };
  const browsing = (run: (page: Page, watched: WatchedPage) => Promise<void>, width?: number) =>
    browse(service.url, run, { width });

  /** One address of each view. */
  const addresses = (): Record<string, string> => ({
    home: "/",
    wallet: `/account/${friendlyOf(info.wallets[0]!.address)}`,
    jetton: `/account/${friendlyOf(contractOf("jetton_master"))}`,
    item: `/account/${friendlyOf(contractOf("nft_item"))}`,
    block: "/block/0/8000000000000000/49",
    masterchain: "/block/-1/8000000000000000/46",
    blocks: "/blocks",
    transactions: "/transactions?ticks=1",
    domain: "/domain/devnet.ton",
    "address-book": "/address-book",
    nothing: "/account/nobody",
    transaction: `/tx/${hexOf(transaction.hash)}`,
    steps: `/tx/${hexOf(transaction.hash)}/debug`,
    trace: `/trace/${hexOf(transaction.trace_id!)}`,
    devnet: "/devnet",
  });

  it.each(looks)("has no barrier, moves nothing and fits in $colors colours at a width of $width", (look) =>
    browse(
      service.url,
      async (page) => {
        for (const [name, path] of Object.entries(addresses())) {
          await visit(page, path);
          await checkLook(page, name, look);
        }
      },
      look,
    ),
  );

  it("takes few requests and bytes until the first view is there", () =>
    browsing(async (page) => {
      await visit(page, "/");
      const sizes = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
          (entry) => (entry as PerformanceResourceTiming).encodedBodySize,
        ),
      );
      expect(sizes.length).toBeLessThanOrEqual(firstPaint.requests);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeLessThanOrEqual(firstPaint.compressedBytes);
    }));

  it("shows events live, without the ticks of every block", () =>
    browsing(async (page) => {
      await visit(page, "/");
      await page.waitForSelector(".dot.live");
      expect(await text(page, ".rows .kind")).not.toContain("tick-tock");
      const address = `0:${"7".repeat(64)}`;
      await service.run("devnet.faucet", { address, amount: "2500000000" });
      const link = page.locator(`strong a[href="/account/${friendlyOf(address)}"]`);
      const row = page.locator(".rows > li", { has: link });
      await row.waitFor();
      expect(await row.innerText()).toMatch(/Faucet[\s\S]*2\.5 TON/);
      const head = await service.mine(4);
      await page.waitForSelector(`.figures a[href="/block/-1/8000000000000000/${head}"]`);
      expect(await text(page, ".blocks .row-end")).toContain("4 idle blocks");
      expect(await page.locator(".chart rect").count()).toBeGreaterThan(3);
    }));

  it("keeps a list unchanged while it has the keyboard focus", () =>
    browsing(async (page) => {
      await visit(page, "/");
      await page.waitForSelector(".dot.live");
      const hashes = () => text(page, "[data-part=transactions] .hash a");
      const before = await hashes();
      await page.locator("[data-part=transactions] a").first().focus();
      await service.run("devnet.faucet", { address: `0:${"6".repeat(64)}`, amount: "1" });
      const head = await service.mine();
      await page.waitForSelector(`.figures a[href$="/${head}"]`);
      expect(await hashes()).toEqual(before);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await service.mine();
      await until("the list goes on", async () => (await hashes())[0] !== before[0]);
    }));

  it("finds addresses, hashes, blocks, domains and names", () =>
    browsing(async (page) => {
      const wallet = info.wallets[0]!.address;
      const { id } = await service.run<{ id: { root_hash: string } }>("getBlockHeader", {
        workchain: -1,
        shard: "-9223372036854775808",
        seqno: 40,
      });
      const account = `/account/${friendlyOf(wallet)}`;
      const found: [string, string][] = [
        [wallet, account],
        [Address.parse(wallet).toString({ bounceable: false, urlSafe: false }), account],
        [wallet.slice(2), account],
        ["46", "/block/-1/8000000000000000/46"],
        ["(0,8000000000000000,49)", "/block/0/8000000000000000/49"],
        [transaction.hash, `/tx/${hexOf(transaction.hash)}`],
        [hexOf(transaction.hash).toUpperCase(), `/tx/${hexOf(transaction.hash)}`],
        [transaction.in_msg!.hash, `/trace/${hexOf(transaction.trace_id!)}`],
        [id.root_hash, "/block/-1/8000000000000000/40"],
        ["Devnet.ton", "/domain/devnet.ton"],
        ["tree 4", `/account/${friendlyOf(info.contracts.find(({ name }) => name === "Tree 4")!.address)}`],
      ];
      await visit(page, "/");
      for (const [typed, path] of found) {
        await page.keyboard.press("/");
        await page.keyboard.type(typed);
        await page.keyboard.press("Enter");
        await page.waitForURL(service.url + path);
        await page.waitForFunction(
          () => document.querySelector<HTMLInputElement>("#search input")!.value === "",
        );
        await ready(page);
      }
      const answers: [string, string][] = [
        ["ff".repeat(32), "No transaction, message, block or account has this hash."],
        [
          `${friendlyOf(wallet).slice(0, -1)}A`,
          "This is no address: a letter is wrong, or some are missing.",
        ],
        ["what is this", "This is no address, hash, block or domain."],
      ];
      for (const [typed, answer] of answers) {
        await page.fill("#search input", typed);
        await page.press("#search input", "Enter");
        await page.locator(".search-answer", { hasText: answer }).waitFor();
      }
      // The search of a page without the explorer's script.
      await page.goto(`${service.url}/?q=${encodeURIComponent(wallet)}`);
      await page.waitForURL(service.url + account);
      await ready(page);
    }));

  it.each([390, 1280])("names jetton wallets by their owners, and cuts no mark, at a width of %i", (width) =>
    browsing(async (page) => {
      const owner = `0:${"5".repeat(64)}`;
      const dollar = info.contracts.find(({ name }) => name === "DEVUSD")!.address;
      await service.run("devnet.faucetJetton", { address: owner, amount: "5000000", jetton: dollar });
      const made = await until("the jetton wallet in the index", async () => {
        const { jetton_wallets } = await service.run<{ jetton_wallets: { address: string }[] }>(
          "v3.jetton.wallets",
          { owner_address: [owner] },
        );
        return jetton_wallets[0]?.address;
      });
      await visit(page, `/account/${made}`);
      const short = friendlyOf(owner).replace(/^(.{6}).*(.{4})$/, "$1…$2");
      expect(await page.title()).toBe(`DEVUSD of ${short} · tonwire`);
      expect(await text(page, ".facts > div")).toContainEqual(
        expect.stringMatching(/^Jetton balance\s+\d+ DEVUSD$/),
      );

      const ann = info.contracts.find(({ name }) => name === "ACORN of Ann")!;
      await visit(page, `/account/${ann.address}`);
      expect(await text(page, "h1")).toEqual([expect.stringMatching(/^ACORN of Ann\s+jetton wallet/)]);
      expect(await text(page, ".facts > div")).toContainEqual(
        expect.stringMatching(/^Owner\s+Wallet 0 \(Ann\)/),
      );
      await showTransactions(page);
      const marks = page.locator(".line > .pill", { hasText: "bounced" });
      expect(await marks.count()).toBeGreaterThan(0);
      const cut = await marks.evaluateAll((all) =>
        all.filter((mark) => {
          const line = mark.parentElement!;
          const value = line.querySelector(".line-value")!.getBoundingClientRect();
          return mark.scrollWidth > mark.clientWidth || mark.getBoundingClientRect().right > value.left;
        }),
      );
      expect(cut).toEqual([]);
    }, width),
  );

  it("shows the history of an account as actions, those that a filter lets through, and saves them", () =>
    browsing(async (page) => {
      const { address } = info.wallets[0]!;
      await visit(page, `/account/${address}`);
      const shown = () => text(page, "[data-part=history] .sentence");
      const seen = (what: string, all: (sentences: string[]) => boolean) =>
        until(what, async () => {
          const sentences = await shown();
          return all(sentences) ? sentences : undefined;
        });
      const { actions } = await service.run<{ actions: Action[] }>("v3.actions", {
        account: address,
        include_accounts: true,
        limit: 1000,
      });
      const lines = (listed: readonly Action[]) => foldActions(listed.slice(0, 20)).actions.length;
      await seen("the first page", (sentences) => sentences.length === lines(actions));
      expect(await text(page, "[data-part=history] .row-meta")).toContainEqual(
        expect.stringMatching(/deployed LEAF of Ann$/),
      );
      const failed = page.locator("[data-part=history] .rows > li", { hasText: "not enough jettons" });
      expect(await failed.innerText()).toMatch(/^Failed: .* called jetton transfer of .* came back$/s);
      expect(await text(page, "[data-part=history] .moves .in")).toContain("+10 TON");
      expect(await text(page, "[data-part=history] .moves .out")).toContain("−10 LEAF");
      await page.click("[data-part=history] [data-pages] .more button");
      await seen("older actions", (sentences) => sentences.length > lines(actions));

      const kinds = actions.map(({ type }) => iconOf(type));
      const kind = kinds.find((each) => each !== "transfer" && each !== "call" && each !== "unknown")!;
      await page.selectOption("[name=kind]", kind);
      const ofKind = actions.filter(({ type }) => iconOf(type) === kind);
      const some = await seen(`those of a ${kind}`, (sentences) => sentences.length === lines(ofKind));
      await page.reload();
      await ready(page);
      await seen("the same after a reload", (sentences) => sentences.join() === some.join());

      await page.selectOption("[name=kind]", "");
      const ben = info.wallets[1]!.address;
      await page.fill("[name=other]", ben);
      await page.press("[name=other]", "Enter");
      const ofBen = actions.filter((action) => JSON.stringify(action).includes(ben.toUpperCase()));
      await seen("actions with Ben", (sentences) => sentences.length === foldActions(ofBen).actions.length);
      await page.fill("[name=other]", "nobody");
      await page.press("[name=other]", "Enter");
      await page.locator(".filters .problem", { hasText: "Needed: an address" }).waitFor();

      await page.fill("[name=other]", "");
      await page.press("[name=other]", "Enter");
      await page.waitForSelector("[data-export] button");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click("[data-export] button"),
      ]);
      const saved = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
      const ids = new Set(saved.slice(1).map((line) => line.split(",").at(-2)));
      expect(ids).toEqual(new Set(actions.map(({ action_id: id }) => hexOf(id))));
    }));

  it("shows an account with its history, tokens, code and data", () =>
    browsing(async (page) => {
      const { address } = info.wallets[0]!;
      await visit(page, `/account/${address}`);
      expect(await page.title()).toBe("Wallet 0 (Ann) · tonwire");
      const { balance } = await service.run<{ balance: string }>("getAddressInformation", { address });
      const [whole, part = ""] = (await page.innerText(".balance .amount")).replace(/ TON|,/g, "").split(".");
      expect(BigInt(whole! + part.padEnd(9, "0"))).toBe(BigInt(balance));
      expect(await text(page, ".tokens li")).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Acorn\s+wallet\s+18,500\.000000001 ACORN$/)]),
      );
      await showTransactions(page);
      const rows = page.locator("[data-part=history] .rows > li");
      expect(await rows.count()).toBe(20);
      await page.click("[data-part=history] .more button");
      await until("older transactions", async () => (await rows.count()) > 20);
      const hashes = await text(page, "[data-part=history] .hash a");
      expect(new Set(hashes).size).toBe(hashes.length);

      const contract = contractOf("jetton_master");
      await visit(page, `/account/${contract}`);
      await page.click(".state-tree:first-of-type > summary");
      const { code } = await service.run<{ code: string }>("getAddressInformation", { address: contract });
      const root = Cell.fromBase64(code);
      await page.locator(".cell code", { hasText: root.hash().toString("hex") }).waitFor();
      await page.click(".cells details details summary >> nth=0");
      await page.locator(".cell code", { hasText: root.refs[0]!.hash().toString("hex") }).waitFor();
      const copied = await page.getAttribute(
        ".cells > details > dl [aria-label='Copy the BOC']",
        "data-copy",
      );
      expect(Cell.fromBase64(copied!).equals(root)).toBe(true);
    }));

  it("runs get-methods with typed arguments, and remembers them across reload and Back", () =>
    browsing(async (page) => {
      const path = `/account/${friendlyOf(contractOf("jetton_master"))}`;
      await visit(page, path);
      await page.click(".chip:text-is('get_jetton_data')");
      await page.waitForSelector(".outcome .pill.good");
      expect((await text(page, ".values > li")).slice(0, 3)).toEqual([
        expect.stringMatching(/^supply\s+995,250,000,000,000/),
        expect.stringMatching(/^mintable\s+−1\s*$/),
        expect.stringMatching(/^admin\s+Wallet 2 \(Cleo\)$/),
      ]);

      await page.click(".chip:text-is('get_wallet_address')");
      await page.fill("[name=value-0]", "nobody");
      await page.click("#run .primary");
      expect(await text(page, "#run .problem:visible")).toEqual(["Needed: an address, raw or friendly."]);
      await page.fill("[name=value-0]", info.wallets[0]!.address);
      await page.click("#run .primary");
      const wallet = page.locator(".values li", { hasText: "jetton wallet" });
      await wallet.waitFor();
      expect(await wallet.locator("a").getAttribute("href")).toBe(
        `/account/${friendlyOf(contractOf("jetton_wallet"))}`,
      );

      await page.reload();
      await ready(page);
      expect(await page.inputValue("[name=value-0]")).toBe(info.wallets[0]!.address);
      await page.click(".top a[href='/blocks']");
      await page.waitForURL("**/blocks");
      // The previous view stays until then, but its form no longer runs anything.
      await ready(page);
      await page.goBack();
      await page.waitForSelector("[name=value-0]");
      expect(await page.inputValue("#run-method")).toBe("get_wallet_address");
      expect(await page.inputValue("[name=kind-0]")).toBe("address");

      await page.fill("#run-method", "no_such_method");
      await page.click("#run .primary");
      await page.waitForSelector(".outcome .pill.bad");
      expect(await text(page, ".outcome")).toEqual([
        expect.stringContaining("exit 11 The contract has no such method"),
      ]);
    }));

  it("shows a block with its header, proof, shards, transactions and messages", () =>
    browsing(async (page) => {
      await visit(page, "/block/-1/8000000000000000/46");
      expect(await text(page, ".facts > div")).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Proof\s+signed by 1 validator/)]),
      );
      expect(await text(page, "h1")).toEqual([expect.stringContaining("key block")]);
      await page.click(".shards a");
      await page.waitForURL("**/block/0/8000000000000000/46");
      await visit(page, "/block/0/8000000000000000/49");
      expect(await text(page, ".facts > div")).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Proof\s+registered by masterchain block 49/)]),
      );
      const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
        workchain: 0,
        seqno: 49,
        limit: 100,
      });
      expect(await page.locator(".rows > li").count()).toBe(transactions.length);
      const messages = transactions.flatMap(({ in_msg, out_msgs }) => [
        in_msg!.hash,
        ...out_msgs.map(({ hash }) => hash),
      ]);
      expect(await page.locator("table tbody tr").count()).toBe(new Set(messages).size);
      await page.click("[rel=next]");
      await page.waitForURL("**/50");
      await visit(page, "/block/0/8000000000000000/99999");
      expect(await text(page, "h1")).toEqual(["No such block"]);
    }));

  it("lists blocks and transactions page by page under addresses that stay", () =>
    browsing(async (page) => {
      await visit(page, "/blocks?to=40");
      expect(await page.locator(".blocks a").first().innerText()).toBe("40");
      await page.click(".pages a:has-text('Older')");
      await page.waitForURL("**/blocks?to=10");
      await ready(page);
      expect(await page.locator(".blocks a").first().innerText()).toBe("10");

      await visit(page, "/transactions");
      await page.click(".pages a:has-text('Older')");
      await page.waitForURL("**/transactions?end_lt=*");
      await ready(page);
      const listed = await text(page, ".rows .hash a");
      await service.mine(2);
      await page.reload();
      await ready(page);
      expect(await text(page, ".rows .hash a")).toEqual(listed);
      await page.check("#ticks");
      await page.waitForURL("**/transactions?ticks=1");
      await page.locator(".kind", { hasText: "tick-tock" }).first().waitFor();
    }));

  it("shows the calls of a view as JSON-RPC, curl and TypeScript", () =>
    browsing(async (page) => {
      await visit(page, `/domain/devnet.ton#key=${service.key}`);
      expect(page.url()).toBe(`${service.url}/domain/devnet.ton`);
      await page.click("#calls summary");
      await page.waitForSelector(".call-list");
      expect((await text(page, ".call-list code")).slice(0, 2)).toEqual(["getConfigParam", "dnsResolve"]);
      const shown = async () => (await text(page, ".call-text pre"))[0]!;
      expect(JSON.parse(await shown())).toEqual({
        jsonrpc: "2.0",
        id: 1,
        method: "getConfigParam",
        params: { param: 4 },
      });
      await page.click("[data-form=curl]");
      expect(await shown()).toContain(`-H 'X-API-Key: ${service.key}'`);
      await page.click("[data-form=typescript]");
      await page.click("[data-index='1']");
      expect(await shown()).toContain('const result = await client.dnsResolve({\n  address: "');
      expect(await page.inputValue("#api-key")).toBe(service.key);
    }));

  it("lists the calls of a view while the open list changes", () =>
    browsing(async (page) => {
      await visit(page, "/domain/devnet.ton");
      // The next view forgets the calls of this one before the page hears that the list was opened.
      await page.evaluate(() => {
        document.querySelector<HTMLElement>("#calls summary")!.click();
        document.querySelector<HTMLElement>(".top .links a")!.click();
      });
      await page.waitForSelector("#calls details[open] .call-list");
    }));

  it("shows text of the chain as text, cut, and without characters that turn it around", () =>
    browsing(async (page) => {
      const [from, to] = [info.wallets[3]!.address, `0:${"8".repeat(64)}`];
      const comment = `<img src=x onerror=alert(1)>\u202e${"long ".repeat(500)}`;
      const body = beginCell().storeUint(0, 32).storeStringTail(comment).endCell().toBoc().toString("base64");
      const { block } = await service.run<{ block: { seqno: number } }>("devnet.impersonate", {
        from,
        to,
        value: "1000000000",
        bounce: false,
        body,
      });
      await until("the message in the index", async () => {
        const { last } = await service.run<{ last: { seqno: number } }>("v3.masterchainInfo");
        return last.seqno >= block.seqno;
      });
      await visit(page, `/account/${to}`);
      await showTransactions(page);
      const [said] = await text(page, "[data-part=history] .comment");
      expect(said).toMatch(/<img src=x onerror=alert\(1\)>\ufffdlong /);
      expect(said!.length).toBeLessThan(130);
      expect(await page.locator("img").count()).toBe(0);
    }));

  it("answers an unknown path with a page that leads on", () =>
    browsing(async (page, { complaints }) => {
      await page.goto("/no/such/page");
      expect(await text(page, "h1")).toEqual(["Nothing is here"]);
      expect(await accessibilityProblems(page)).toEqual([]);
      // Chromium notes the status in its console.
      expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
      await page.fill("#search input", "46");
      await page.press("#search input", "Enter");
      await page.waitForURL("**/block/-1/8000000000000000/46");
    }));

  it("works without an index as far as the chain answers, and marks the parts that need the index", async () => {
    const data = folderInRun("tonwire-explorer-plain-");
    await copyStoryChain(data);
    const plain = await startDevnetService({ data, story: true });
    try {
      await storyEnded(plain);
      await browse(plain.url, async (page) => {
        await visit(page, "/");
        await page.waitForSelector(".dot.polling");
        const head = await plain.mine();
        await page.waitForSelector(`.figures a[href$="/${head}"]`);
        expect(await page.locator("[data-part=transactions] .rows > li").count()).toBeGreaterThan(0);
        const address = friendlyOf(contractOf("jetton_master"));
        await visit(page, `/account/${address}`);
        expect(await text(page, ".facts > div")).toEqual(
          expect.arrayContaining([expect.stringMatching(/^Supply\s+995,250 ACORN$/)]),
        );
        expect(await page.locator("[data-part=history] .rows > li").count()).toBeGreaterThan(3);
        expect(await text(page, "[data-part=tokens]")).toEqual([expect.stringContaining("needs the index")]);
        expect(await text(page, ".chip")).toContain("get_jetton_data");
        await visit(page, "/block/0/8000000000000000/49");
        expect(await page.locator(".rows > li").count()).toBeGreaterThan(3);
        await visit(page, "/blocks");
        expect(await page.locator(".blocks > li").count()).toBeGreaterThan(3);
        await visit(page, "/transactions");
        expect(await text(page, ".view")).toEqual([expect.stringContaining("needs the index")]);
        await page.fill("#search input", hexOf(transaction.hash));
        await page.press("#search input", "Enter");
        await page.locator(".search-answer", { hasText: "only if the service has an index" }).waitFor();
      });
    } finally {
      await plain.close();
    }
  });
});
