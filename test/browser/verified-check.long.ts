import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { normalize } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// The check of an index's answers in a real page, by the built modules as a page without a bundler loads them.

declare const tonwire: typeof Tonwire & typeof Verified;

const built = new URL("../../dist", import.meta.url).pathname;
const html = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import * as tonwire from "/client/index.js";
  import * as verified from "/client/verified/index.js";
  globalThis.tonwire = { ...tonwire, ...verified };
</script>`;

async function serveBuilt(): Promise<Server> {
  const server = createServer(({ url = "/" }, response) => {
    const isModule = /^\/(client|shared)\/[\w./-]+\.js$/.test(url) && normalize(url) === url;
    response.writeHead(200, { "Content-Type": isModule ? "text/javascript" : "text/html" });
    response.end(isModule ? readFileSync(built + url) : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

describe.skipIf(!haveChromium())("a check in Chromium", () => {
  let service: DevnetService;
  let server: Server;
  let watched: WatchedPage;
  beforeAll(async () => {
    [service, server] = await Promise.all([sharedService("story"), serveBuilt()]);
  });
  afterAll(async () => {
    server?.close();
    await service?.close();
  });
  beforeEach(async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    watched = await openPage(await sharedChromium(), origin, 800);
    await watched.page.goto(origin);
    await watched.page.waitForFunction(() => "tonwire" in globalThis);
  });
  afterEach(() => watched.page.context().close());

  /** Checks the newest record of a kind; how many transactions are proven. */
  function check(kind: "transaction" | "message" | "trace") {
    return watched.page.evaluate(
      async ([url, name]) => {
        const transport = tonwire.http(url);
        const plain = tonwire.createClient({ transport });
        const { init } = await plain.getMasterchainInfo();
        const storage = tonwire.memoryStorage();
        const client = tonwire.createVerifiedClient({ transport, trustedBlock: init, storage });
        const answer = await plain.v3[`${name}s` as const]({ limit: 1 });
        const [record] = Object.values(answer)[0] as object[];
        return (await client.check({ [name]: record } as unknown as Verified.Claim)).transactions;
      },
      [`${service.url}/jsonRPC`, kind] as const,
    );
  }

  it("proves transactions, messages and traces, with code that is loaded then", async () => {
    const parts = () =>
      watched.page.evaluate(
        () =>
          performance.getEntriesByType("resource").filter(({ name }) => name.includes("/part-check")).length,
      );
    expect(await parts()).toBe(0);
    expect(await check("transaction")).toBe(1);
    expect(await parts()).toBe(1);
    expect(await check("message")).toBeGreaterThan(0);
    expect(await check("trace")).toBeGreaterThan(0);
    expect(watched.complaints).toEqual([]);
  });
});
