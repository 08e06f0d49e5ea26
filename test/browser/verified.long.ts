import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { KeyBlockChain } from "../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { type Lie, liteQueryService } from "../helpers/peers/lite-query-service.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";

// The verified client in a real page, which is sent by the same service.

declare const tonwire: typeof Tonwire & typeof Verified;

describe.skipIf(!haveChromium())("the verified client in Chromium", () => {
  let chain: KeyBlockChain;
  let script: string;
  let trustedBlock: Verified.TrustedBlock;
  /** The contract of the configuration, and what it has from the beginning. */
  const account = `-1:${"5".repeat(64)}`;
  const amount = "500000000000";
  beforeAll(async () => {
    [chain, script] = await Promise.all([
      KeyBlockChain.open(),
      pageBundle(`export { http } from "./index.ts"; export * from "./verified/index.ts";`),
    ]);
    await chain.keyBlocks(20);
    trustedBlock = presentBlockId(await zeroStateOf(chain.api));
  });
  afterAll(async () => {
    await chain?.close();
  });

  async function opened(lie?: Lie) {
    const pages = {
      "/": '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
      "/client.js": script,
    };
    const service = await liteQueryService(chain.api, { pages, ...(lie && { lie }) });
    const { origin } = new URL(service.url);
    const watched = await openPage(await sharedChromium(), origin, 800);
    onTestFinished(() => watched.page.context().close());
    await watched.page.goto(origin);
    /** A call of a new client with the storage of the page; the text of what it answers. */
    const balance = () =>
      watched.page.evaluate(
        async ([address, trusted]) => {
          const client = tonwire.createVerifiedClient({
            transport: tonwire.http("/jsonRPC"),
            trustedBlock: trusted,
          });
          return client.getAddressBalance({ address }).then(String, (error: unknown) => {
            const isProof = error instanceof tonwire.ProofError;
            return isProof
              ? `lie about ${error.evidence.method}, ${error.evidence.bytes?.length} answers`
              : `${error}`;
          });
        },
        [account, trustedBlock] as const,
      );
    return { ...service, balance, ...watched };
  }

  it("proves an answer, and keeps the proof in IndexedDB", async () => {
    const { balance, asked, complaints } = await opened();
    const proofs = () => asked.filter((method) => method === "getBlockProof").length;
    expect(await balance()).toBe(amount);
    const first = proofs();
    expect(first).toBe(2);
    expect(await balance()).toBe(amount);
    // The newest block is the kept key block itself.
    expect(proofs()).toBe(first);
    expect(complaints).toEqual([]);
  });

  it("proves it without the browser's signatures too", async () => {
    const { balance, page } = await opened();
    await page.evaluate(() => {
      Object.defineProperty(globalThis.crypto, "subtle", { value: undefined });
    });
    expect(await balance()).toBe(amount);
  });

  it("refuses a forged signature and another state", async () => {
    const flipped = (bytes: Uint8Array, at: number) =>
      bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const forged = await opened(({ method }, answer) =>
      method === "getBlockProof" ? flipped(answer, answer.length - 40) : answer,
    );
    expect(await forged.balance()).toMatch(/^lie about getMasterchainInfo, \d+ answers$/);
    const changed = await opened(({ method }, answer) =>
      method === "getAccountState" ? flipped(answer, answer.length >> 1) : answer,
    );
    expect(await changed.balance()).toMatch(/^lie about getAccountState, \d+ answers$/);
  });
});
