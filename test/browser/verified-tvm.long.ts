import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import type * as TvmEntry from "../../client/verified/tvm/index.js";
import { vendored } from "../../server/os/package-files.js";
import { emulatorPaths } from "../../shared/values/emulator-build.js";
import { tgWalletParam } from "../../shared/values/tg-wallet.js";
import { codeOf, place } from "../helpers/contracts/contracts.js";
import { haveChromium, openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { flippedAt } from "../helpers/peers/lite-lies.js";
import { LyingTonwire } from "../helpers/peers/lying-tonwire.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

declare const tonwire: typeof Tonwire & typeof Verified & typeof TvmEntry;
type Wallet = { address: string; type: string };

const emulator = readFileSync(vendored("emulator/emulator.wasm"));
const emulatorScript = readFileSync(vendored("emulator/emulator.cjs"));
/** SETCP0, ACCEPT, and an empty continuation again and again. */
const acceptsForEver = codeOf("FF00F8009020EA");

const sources = `
  export { http } from "./index.ts";
  export * from "./verified/index.ts";
  export * from "./verified/tvm/index.ts";`;
/** Proves and runs in a worker, which posts the answer. */
const worker = `
  importScripts("/emulator.js", "/client.js");
  onmessage = async ({ data: { trustedBlock, question } }) => {
    const client = tonwire.createVerifiedClient({
      transport: tonwire.http("/jsonRPC"), trustedBlock, storage: tonwire.memoryStorage(),
    });
    const tvm = tonwire.withTvm(client, { wasm: "/emulator.wasm", script: EmulatorModule });
    postMessage(await tvm.runGetMethod(question).catch(String));
  };`;

/** A page with the emulator's files beside its script, as an application serves them, and the service behind its origin. */
async function servePage(script: string, ask: (body: Buffer) => Promise<string>): Promise<Server> {
  const files: Record<string, [type: string, content: string | Buffer]> = {
    "/client.js": ["text/javascript", script],
    "/emulator.js": ["text/javascript", emulatorScript],
    [emulatorPaths.wasm]: ["application/wasm", emulator],
    [emulatorPaths.script]: ["text/javascript", emulatorScript],
    "/other.js": ["text/javascript", `${emulatorScript};`],
    "/worker.js": ["text/javascript", worker],
    "/emulator.wasm": ["application/wasm", emulator],
  };
  files["/"] = [
    "text/html",
    '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
  ];
  // No script is compiled from text.
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
  const server = createServer(async (request, response) => {
    const { url = "/" } = request;
    if (url === "/jsonRPC")
      files[url] = ["application/json", await ask(Buffer.concat(await request.toArray()))];
    const [type, content] = files[url] ?? ["text/plain", undefined];
    const status = content === undefined ? 404 : 200;
    response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": policy }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

describe.skipIf(!haveChromium())("get-methods in Chromium", () => {
  let service: DevnetService;
  let server: Server;
  let watched: WatchedPage;
  let wallet: string;
  let liar: LyingTonwire;

  beforeAll(async () => {
    service = await sharedService("story");
    const { wallets } = await service.run<{ wallets: Wallet[] }>("devnet.info");
    wallet = wallets.find(({ type }) => type === "v4r2")!.address;
    liar = await LyingTonwire.lasting(service.url);
    server = await servePage(await pageBundle(sources), async (body) => {
      const headers = { "Content-Type": "application/json", "X-API-Key": service.key };
      return (await fetch(`${liar.url}/jsonRPC`, { method: "POST", headers, body: body.toString() })).text();
    });
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    liar?.close();
    await service?.close();
  });
  beforeEach(async () => {
    liar.lie = undefined;
    watched = await openPage(await sharedChromium(), origin(), 800);
    await watched.page.goto(origin());
  });
  afterEach(async () => {
    expect(watched.foreign).toEqual([]);
    await watched.page.context().close();
  });

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  type Step = [method: string, params: object];

  /** The answers of a client in the page, which loads the emulator itself. */
  async function inPage(steps: readonly Step[], script?: string) {
    const { init } = await service.run<{ init: Verified.TrustedBlock }>("getMasterchainInfo");
    return watched.page.evaluate(
      async ([trustedBlock, steps, script]) => {
        const client = tonwire.createVerifiedClient({
          ...{ transport: tonwire.http("/jsonRPC"), trustedBlock, storage: tonwire.memoryStorage() },
        });
        const files = tonwire.emulatorAt(location.origin);
        const tvm = tonwire.withTvm(client, script === undefined ? files : { ...files, script });
        const answers: unknown[] = [];
        for (const [method, params] of steps)
          answers.push(
            await (tvm as unknown as Record<string, (params: object) => Promise<unknown>>)[method]!(
              params,
            ).catch((error: Error) => `${error.name}: ${error.message}`),
          );
        return { answers, scripts: document.scripts.length };
      },
      [init, steps, script] as const,
    );
  }

  it("give the answers of the service, from the emulator that the page loads by its hash", async () => {
    const { contracts } = await service.run<{ contracts: { kind: string; address: string }[] }>(
      "devnet.info",
    );
    const of = (kind: string) => contracts.find((each) => each.kind === kind)!.address;
    const forEver = `0:${"e2".repeat(32)}`;
    await place(service, { address: forEver, code: acceptsForEver, balance: "1000000000" });
    const steps: Step[] = [
      ["runGetMethod", { address: wallet, method: "seqno", stack: [] }],
      ["runGetMethodStd", { address: of("jetton_master"), method: "get_jetton_data", stack: [] }],
      ["runGetMethod", { address: wallet, method: "no_such_method", stack: [["num", "0x5"]] }],
      ["runGetMethod", { address: forEver, method: "any", stack: [] }],
      ["getTokenData", { address: of("jetton_wallet") }],
      ["getTokenData", { address: of("nft_item") }],
      ["dnsResolve", { address: of("dns_root"), name: "devnet.ton", ttl: 8 }],
    ];
    const { answers, scripts } = await inPage(steps);
    expect(scripts).toBe(1);
    for (const [index, [method, params]] of steps.entries())
      expect([method, answers[index]]).toEqual([method, await service.run(method, params)]);
    expect(answers[3]).toMatchObject({ exit_code: -14 });
  });

  it("run the code of Telegram's wallet that the proven configuration has, and none where it has none", async () => {
    const { wallets } = await service.run<{ wallets: Wallet[] }>("devnet.info");
    const { address } = wallets.find(({ type }) => type === "tg")!;
    const methods = ["seqno", "revision", "get_subwallet_id", "get_public_key"];
    const steps = methods.map((method): Step => ["runGetMethod", { address, method, stack: [] }]);
    const sameInPage = async () => {
      const { answers } = await inPage(steps);
      expect(answers).toEqual(
        await Promise.all(steps.map(([method, params]) => service.run(method, params))),
      );
      return answers.map((answer) => (answer as { exit_code: number }).exit_code);
    };
    expect(await sameInPage()).toEqual([0, 0, 0, 0]);
    const param = { param: tgWalletParam };
    const { config } = await service.run<{ config: { bytes: string } }>("getConfigParam", param);
    await service.run("devnet.setConfig", param);
    expect(await sameInPage()).toEqual([7, 7, 7, 7]);
    await service.run("devnet.setConfig", { ...param, value: config.bytes });
  });

  it("run in a worker too", async () => {
    const question = { address: wallet, method: "seqno", stack: [] };
    const { init } = await service.run<{ init: Verified.TrustedBlock }>("getMasterchainInfo");
    const answer = await watched.page.evaluate(
      (message) =>
        new Promise((resolve) => {
          const worker = new Worker("/worker.js");
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage(message);
        }),
      { trustedBlock: init, question },
    );
    expect(answer).toEqual(await service.run("runGetMethod", question));
  });

  it("are not run by another script", async () => {
    const step: Step = ["runGetMethod", { address: wallet, method: "seqno", stack: [] }];
    const { answers, scripts } = await inPage([step, step], "/other.js");
    expect(answers).toEqual(
      [0, 1].map(() => expect.stringMatching(/^TvmError: \/other.js cannot be loaded/)),
    );
    expect(scripts).toBe(1);
  });

  it("are not run on a state that a service makes up", async () => {
    const step: Step = ["runGetMethod", { address: wallet, method: "seqno", stack: [] }];
    liar.lie = (exchange) =>
      exchange.query.method === "getAccountState" ? flippedAt(0.5)(exchange) : undefined;
    expect((await inPage([step])).answers).toEqual([expect.stringMatching(/^ProofError: getAccountState/)]);
  });
});
