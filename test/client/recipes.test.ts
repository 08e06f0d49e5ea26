import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { QueryClient, QueryObserver } from "@tanstack/query-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Client, createClient, type Transaction } from "../../client/index.js";
import { webSocket } from "../../client/node.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { bundled, loaded, recipe, recipes } from "../helpers/recipes.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";

// Runs the recipes of the client, except those of payments and receivers, which have separate tests.

/** Mounts a component in a page. It has `client` and the members of `given`. */
const appOf = (component: string) => `
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient, webSocket } from "tonwire";

globalThis.mount = ({ url, apiKey, ...given }) => {
  const client = createClient({ transport: webSocket(url), apiKey });
  const Shown = () => (${component})(client, given);
  const root = createRoot(document.getElementById("root"));
  root.render(createElement(StrictMode, null, createElement(Shown)));
  return root;
};
`;
const item = 'createElement("li", { key: text }, text)';
const transactions = `(client, { account }) => useTransactions(client, account).map(({ id: text }) => ${item})`;
const status = `(client, { hash }) => {
  const found = useMessageStatus(client, hash);
  const text = found && [found.status, found.success].join(" ");
  return found && ${item};
}`;

type Root = { unmount(): void };
declare const mount: (options: object) => Root;

describe("recipes", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  const pay = async (address: string) => {
    await service.run("devnet.faucet", { address });
    await service.mine(2);
  };
  const idsOf = async (account: string) => {
    const { json } = await service.get(`/api/v3/transactions?account=${account}&sort=desc`);
    const { transactions } = json as { transactions: { lt: string; hash: string }[] };
    return transactions.map(({ lt, hash }) => `${lt}.${hash}`);
  };

  it("are eight", () => {
    expect(recipes).toHaveLength(8);
  });

  /** A page with a recipe's hook in it. */
  const mounted = async (name: string, component: string, given: object) => {
    const script = await bundled(recipe(name) + appOf(component), "browser");
    const html =
      '<!doctype html><link rel="icon" href="data:,"><ul id="root"></ul><script src="/app.js"></script>';
    const server = createServer(({ url }, response) => {
      const isScript = url === "/app.js";
      response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
      response.end(isScript ? script : html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { page, complaints } = await openPage(await sharedChromium(), origin, 800);
    onTestFinished(() => page.context().close());
    const frames: string[] = [];
    page.on("websocket", (socket) => {
      const note = ({ payload }: { payload: string | Buffer }) => frames.push(String(payload));
      socket.on("framesent", note);
      socket.on("framereceived", note);
    });
    await page.goto(origin);
    const options = { url: `${service.url}/jsonRPC`, apiKey: service.key, ...given };
    const root = await page.evaluateHandle((all) => mount(all), options);
    const count = (what: string) => frames.filter((text) => text.includes(what)).length;
    // React mounts it twice to see that it cleans up.
    await until("one subscription", () => count('"cursor":') >= 2 && count('"unsubscribe"') === 1);
    return { root, count, complaints, shown: () => page.locator("li").allTextContents() };
  };

  it.runIf(isLong && haveChromium())(
    "for React shows events, and unsubscribes when it is unmounted",
    async () => {
      const account = `0:${"7A".repeat(32)}`;
      const { root, count, complaints, shown } = await mounted("useTransactions", transactions, { account });
      for (let i = 0; i < 3; i++) await pay(account);
      await until("three transactions", async () => (await shown()).length === 3);
      expect(await shown()).toEqual(await idsOf(account));
      await root.evaluate((each) => each.unmount());
      await until("the end of the subscription", () => count('"unsubscribe"') === 2);
      expect(complaints).toEqual([]);
    },
  );

  it.runIf(isLong && haveChromium())("for React shows the status of a message", async () => {
    const wallet = new TestWallet("followed", "v4r2");
    await pay(wallet.address.toRaw());
    const bytes = wallet.pay({ to: wallet.address, value: ton, bounce: false });
    const boc = Buffer.from(bytes).toString("base64");
    const { hash } = await service.run<{ hash: string }>("sendBocReturnHash", { boc });
    const { complaints, shown } = await mounted("useMessageStatus", status, { hash });
    await until("the pending message", async () => (await shown())[0]?.startsWith("pending"));
    await service.mine(3);
    await until("its success", async () => (await shown())[0] === "completed true");
    expect(complaints).toEqual([]);
  });

  it("for TanStack Query refetches changed data, until its signal fires", async () => {
    const account = `0:${"7B".repeat(32)}`;
    const { refetchOnChange } = (await loaded(recipe("refetchOnChange"))) as {
      refetchOnChange: (
        of: QueryClient,
        client: Client,
        account: string,
        signal: AbortSignal,
      ) => Promise<void>;
    };
    const client = createClient({ transport: webSocket(`${service.url}/jsonRPC`), apiKey: service.key });
    const queries = new QueryClient();
    const observer = new QueryObserver(queries, {
      queryKey: ["account", account, "balance"],
      queryFn: ({ signal }) => client.getAddressBalance({ address: account }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    });
    const balances: (string | undefined)[] = [];
    const unsubscribe = observer.subscribe(({ data }) => balances.push(data));
    onTestFinished(() => {
      unsubscribe();
      queries.clear();
      client.close();
    });
    const left = new AbortController();
    const refetching = refetchOnChange(queries, client, account, left.signal);
    await until("the first balance", () => balances.includes("0"));
    // The first may come before the subscription.
    await until("a balance after a payment", async () => {
      await pay(account);
      return Number(balances.at(-1) ?? 0) > 0;
    });
    const balance = await service.run("getAddressBalance", { address: account });
    await until("the last balance", () => observer.getCurrentResult().data === balance);
    left.abort();
    await expect(refetching).rejects.toMatchObject({ code: "aborted" });
  });

  it("for TON Connect resolves with the transaction of the wallet's message", async () => {
    const { sendFromWallet } = (await loaded(recipe("sendFromWallet"))) as {
      sendFromWallet: (ui: object, client: Client, request: object) => Promise<Transaction>;
    };
    const wallet = new TestWallet("connected", "v4r2");
    const address = wallet.address.toRaw();
    await pay(address);
    const client = createClient({ transport: webSocket(`${service.url}/jsonRPC`), apiKey: service.key });
    onTestFinished(() => client.close());
    /** A wallet sends the message itself, and returns it to the application. */
    const ui = {
      account: { address },
      async sendTransaction() {
        const bytes = wallet.pay({ to: wallet.address, value: ton, bounce: false });
        const boc = Buffer.from(bytes).toString("base64");
        await service.run("sendBoc", { boc });
        await service.mine(2);
        return { boc };
      },
    };
    const sent = await sendFromWallet(ui, client, {});
    expect(await idsOf(address)).toContain(`${sent.lt}.${sent.hash}`);
    expect(sent.in_msg?.source).toBeNull();
  });

  it("for servers renders the service's answer", async () => {
    const rendering = 'export { renderToStaticMarkup } from "react-dom/server.browser";';
    const { Balance, renderToStaticMarkup } = (await loaded(recipe("Balance") + rendering)) as {
      Balance: (props: { account: string }) => Promise<object>;
      renderToStaticMarkup: (element: object) => string;
    };
    vi.stubEnv("TON_URL", `${service.url}/jsonRPC`);
    vi.stubEnv("TON_API_KEY", service.key);
    onTestFinished(() => void vi.unstubAllEnvs());
    const account = `0:${"7C".repeat(32)}`;
    await service.run("devnet.faucet", { address: account, amount: "1500000000" });
    expect(renderToStaticMarkup(await Balance({ account }))).toBe("<p>1.5 TON</p>");
  });
});
