import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { normalize } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { flippedAt } from "../helpers/peers/lite-lies.js";
import { LyingTonwire } from "../helpers/peers/lying-tonwire.js";
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
  let liar: LyingTonwire;
  let server: Server;
  let watched: WatchedPage;
  beforeAll(async () => {
    [service, server] = await Promise.all([sharedService("story"), serveBuilt()]);
    liar = await LyingTonwire.lasting(service.url);
  });
  afterAll(async () => {
    server?.close();
    liar?.close();
    await service?.close();
  });
  beforeEach(async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    watched = await openPage(await sharedChromium(), origin, 800);
    await watched.page.goto(origin);
    await watched.page.waitForFunction(() => "tonwire" in globalThis);
  });
  afterEach(() => watched.page.context().close());

  /** Checks the newest record of each kind by proofs of a service, with one member changed if wanted. */
  function check(url: string, kind: "transaction" | "message" | "trace", change?: Record<string, unknown>) {
    return watched.page.evaluate(
      async ({ index, proofs, kind: name, change: changed }) => {
        const plain = tonwire.createClient({ transport: tonwire.http(index) });
        const { init } = await plain.getMasterchainInfo();
        const client = tonwire.createVerifiedClient({
          transport: tonwire.http(proofs),
          trustedBlock: init,
          storage: tonwire.memoryStorage(),
        });
        const list =
          name === "transaction"
            ? plain.v3.transactions
            : name === "message"
              ? plain.v3.messages
              : plain.v3.traces;
        const answer = Object.values(await list({ limit: 1 }))[0] as object[];
        const claim = { [name]: { ...answer[0], ...changed } } as unknown as Verified.Claim;
        return client.check(claim).then(
          ({ transactions }) => `${transactions} proven`,
          (error: unknown) => {
            const { field, method, bytes } = error instanceof tonwire.ProofError ? error.evidence : {};
            return field || method ? `lie about ${field ?? method}, ${bytes!.length > 0}` : String(error);
          },
        );
      },
      {
        ...{ index: `${service.url}/jsonRPC`, proofs: `${url}/jsonRPC`, kind },
        change: change as Record<string, string>,
      },
    );
  }

  it("proves transactions, messages and traces, with code that is loaded then", async () => {
    const parts = () =>
      watched.page.evaluate(
        () =>
          performance.getEntriesByType("resource").filter(({ name }) => name.includes("/part-check")).length,
      );
    expect(await parts()).toBe(0);
    expect(await check(service.url, "transaction")).toBe("1 proven");
    expect(await parts()).toBe(1);
    expect(await check(service.url, "message")).toMatch(/^[12] proven$/);
    expect(await check(service.url, "trace")).toMatch(/^[1-9]\d* proven$/);
    expect(watched.complaints).toEqual([]);
  });

  it("finds members that are wrong, and proofs that are", async () => {
    const lies = [
      ["transaction", { total_fees: "1" }],
      ["transaction", { end_status: "frozen" }],
      ["message", { opcode: "0x00000bad" }],
      ["trace", { start_lt: "1" }],
    ] as const;
    for (const [kind, change] of lies)
      expect(await check(service.url, kind, change)).toBe(
        `lie about ${kind}.${Object.keys(change)[0]}, true`,
      );
    liar.lie = (exchange) =>
      exchange.query.method === "getOneTransaction" ? flippedAt(0.5)(exchange) : undefined;
    expect(await check(liar.url, "transaction")).toBe("lie about getOneTransaction, true");
  });
});
