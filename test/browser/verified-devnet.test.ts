import { Cell } from "@ton/core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { ElectingChain } from "../helpers/elections/electing-chain.js";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import { liteQueryService } from "../helpers/peers/lite-query-service.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";
import { type ServedFiles, serveFiles } from "../helpers/peers/served-page.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { signedPayment } from "../helpers/services/devnet-wallet.js";
import { storyEnded } from "../helpers/stories/story.js";

// The verified client in a real page on devnets whose validators change, and in an application.

declare const tonwire: typeof Tonwire & typeof Verified;

const sources = `export * from "./index.ts"; export * from "./verified/index.ts";`;
const html = '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>';
const elector = `-1:${"3".repeat(64)}`;

describe.skipIf(!haveChromium())("the verified client in Chromium", () => {
  let browser: Browser;
  let script: string;
  beforeAll(async () => {
    [browser, script] = await Promise.all([launchChromium(), pageBundle(sources)]);
  });
  afterAll(() => browser?.close());

  async function pageAt(origin: string) {
    const { page } = await openPage(browser, origin, 800);
    onTestFinished(() => page.context().close());
    await page.goto(origin);
    return page;
  }

  it("follows a devnet over five elections from its zero state, and goes on from where it was", async () => {
    const electing = await ElectingChain.open();
    onTestFinished(() => electing.close());
    await electing.step();
    const trustedBlock = presentBlockId(await zeroStateOf(electing.api));
    const { url, asked } = await liteQueryService(electing.api, {
      pages: { "/": html, "/client.js": script },
    });
    const page = await pageAt(new URL(url).origin);
    const read = () =>
      page.evaluate(
        async ([trusted, address]) => {
          const client = tonwire.createVerifiedClient({
            transport: tonwire.http("/jsonRPC"),
            trustedBlock: trusted,
            timeoutMs: 0,
          });
          const { last } = await client.getMasterchainInfo();
          const balance = await client.getAddressBalance({ address });
          const { config } = await client.getConfigParam({ param: 34 });
          client.close();
          return { seqno: last.seqno, balance, set: config.bytes };
        },
        [trustedBlock, elector] as const,
      );
    const sets = new Set([(await read()).set]);
    for (let election = 1; election <= 5; election++) {
      await electing.rotate();
      const { seqno, balance, set } = await read();
      sets.add(set);
      expect(seqno).toBe((await electing.api.getMasterchainInfo()).last.seqno);
      expect(BigInt(balance)).toBeGreaterThan(0n);
    }
    expect(sets.size).toBe(6);
    // Each call continued at the key block that IndexedDB had, with a step for the newest block and one for each 16 before.
    const continued = asked.filter((method) => method === "getBlockProof").length;
    asked.length = 0;
    const fresh = await pageAt(new URL(url).origin);
    const proven = await fresh.evaluate(async (trusted) => {
      const client = tonwire.createVerifiedClient({
        transport: tonwire.http("/jsonRPC"),
        trustedBlock: trusted,
      });
      return (await client.getMasterchainInfo()).last.seqno;
    }, trustedBlock);
    expect(proven).toBe((await electing.api.getMasterchainInfo()).last.seqno);
    expect(continued).toBeLessThanOrEqual(12);
    expect(asked.filter((method) => method === "getBlockProof").length).toBeGreaterThan(0);
  });

  describe("in an application", () => {
    let service: DevnetService;
    let files: ServedFiles;
    beforeAll(async () => {
      service = await startDevnetService({ story: true });
      await storyEnded(service);
      files = await serveFiles({ "/": html, "/client.js": script });
    });
    afterAll(async () => {
      files?.close();
      await service?.close();
    });

    it("takes the place of the ordinary client by one line", async () => {
      const { contracts } = await service.run<{ contracts: { kind: string; address: string }[] }>(
        "devnet.info",
      );
      const jettonWallet = contracts.find(({ kind }) => kind === "jetton_wallet")!.address;
      const { init } = await service.run<{ init: Verified.TrustedBlock }>("getMasterchainInfo");
      const page = await pageAt(files.origin);
      await page.exposeFunction("mine", () => service.mine());
      const flow = async (kind: "ordinary" | "verified", receiver: string) =>
        page.evaluate(
          async ([own, url, apiKey, trustedBlock, to, jettons, boc]) => {
            const transport = tonwire.http(`${url}/jsonRPC`);
            const client =
              own === "verified"
                ? tonwire.createVerifiedClient({ transport, apiKey, trustedBlock, headMs: 0 })
                : tonwire.createClient({ transport, apiKey });
            const { mine } = globalThis as unknown as { mine(): Promise<number> };
            const before = BigInt(await client.getAddressBalance({ address: to }));
            const { data } = await client.getAddressInformation({ address: jettons });
            // Each wait for the next block makes one. The clock begins before the devnet's.
            let now = 1_700_000_000_000;
            const clock = {
              now: () => now,
              setTimeout(run: () => void, ms: number) {
                if (ms > 0)
                  void mine().then(() => {
                    now += ms;
                    run();
                  });
                return setTimeout(ms > 0 ? () => {} : run, 0);
              },
              clearTimeout: (timer: unknown) => clearTimeout(timer as number),
            };
            const { transaction } = await tonwire.sendAndWait(client, boc, { clock: clock as never });
            await mine();
            const after = BigInt(await client.getAddressBalance({ address: to }));
            const [newest] = await client.getTransactions({ address: to, limit: 1 });
            client.close();
            return {
              received: String(after - before),
              data,
              isFound: transaction.in_msg !== undefined,
              value: newest!.in_msg!.value,
            };
          },
          [
            kind,
            service.url,
            service.key,
            init,
            receiver,
            jettonWallet,
            await signedPayment(service, receiver),
          ] as const,
        );
      const ordinary = await flow("ordinary", `0:${"4".repeat(64)}`);
      const verified = await flow("verified", `0:${"5".repeat(64)}`);
      for (const { received, value, isFound } of [ordinary, verified])
        expect([received, value, isFound]).toEqual(["100000000", "100000000", true]);
      expect(verified.data).toBe(ordinary.data);
      expect(Cell.fromBase64(verified.data).bits.length).toBeGreaterThan(0);
    });
  });
});
