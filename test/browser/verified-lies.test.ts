import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as Tonwire from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { KeyBlockChain } from "../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { sized } from "../helpers/effort.js";
import { startLiteApp } from "../helpers/http/lite-app.js";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import {
  flippedAt,
  forgedKeyBlocks,
  liesTo,
  ofAccount,
  ofNetwork,
  olderBy,
  openlyOlderBy,
  shortenedBy,
  stuckAt,
  withoutFirst,
} from "../helpers/peers/lite-lies.js";
import { type LiteExchange, type LiteLie, LyingTonwire } from "../helpers/peers/lying-tonwire.js";
import { pageBundle } from "../helpers/peers/page-bundle.js";

// The verified client in a real page, which a tonwire lies to.

declare const tonwire: typeof Tonwire & typeof Verified;

const config = `-1:${"5".repeat(64)}`;
const elector = { workchain: -1, id: new Uint8Array(32).fill(0x33) };
const everyChange = sized(3, 1);

/** An answer to the page, or the error that it got. */
type Outcome =
  | { answer: unknown; error?: undefined }
  | {
      answer?: undefined;
      error: { name: string; method?: string | undefined; bytes: number; code?: string };
    };

describe.skipIf(!haveChromium())("a tonwire that lies to a page", () => {
  let browser: Browser;
  let page: Page;
  let chain: KeyBlockChain;
  let other: KeyBlockChain;
  let app: Awaited<ReturnType<typeof startLiteApp>>;
  let liar: LyingTonwire;
  let script: string;
  let trustedBlock: Verified.TrustedBlock;

  beforeAll(async () => {
    [browser, chain, other, script] = await Promise.all([
      launchChromium(),
      grown("key blocks"),
      grown("others"),
      pageBundle(`export { http } from "./index.ts"; export * from "./verified/index.ts";`),
    ]);
    app = await startLiteApp(chain.api);
    liar = await LyingTonwire.lasting(app.url);
    trustedBlock = presentBlockId(await zeroStateOf(chain.api));
  });
  afterAll(async () => {
    await browser?.close();
    liar?.close();
    for (const each of [app, chain, other]) await each?.close();
  });

  async function grown(seed: string): Promise<KeyBlockChain> {
    const made = await KeyBlockChain.open(seed);
    await made.keyBlocks(2);
    await made.blocks(5);
    return made;
  }

  beforeEach(async () => {
    ({ page } = await openPage(browser, liar.url, 800));
    const html = '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>';
    await page.route(`${liar.url}/`, (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.route("**/client.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: script }),
    );
    await page.goto(`${liar.url}/`);
  });
  afterEach(async () => {
    liar.lie = undefined;
    liar.breaks = undefined;
    liar.lies = 0;
    await page.context().close();
  });

  /** A call of a new client whose storage is empty. */
  function ask(method: string, params: object = {}, more: { maxHeadAgeSec?: number } = {}): Promise<Outcome> {
    return page.evaluate(
      async ([name, given, options]) => {
        const client = tonwire.createVerifiedClient({
          transport: tonwire.http("/jsonRPC"),
          storage: tonwire.memoryStorage(),
          ...options,
        });
        try {
          return { answer: await client.call(name, given) };
        } catch (error) {
          const { name: kind, code, evidence } = error as Verified.ProofError & { code?: string };
          return {
            error: {
              name: error instanceof tonwire.ProofError ? "ProofError" : kind,
              method: evidence?.method,
              bytes: evidence?.bytes?.length ?? 0,
              ...(code !== undefined && { code }),
            },
          };
        } finally {
          client.close();
        }
      },
      [method, params, { trustedBlock, ...more }] as const,
    );
  }

  const balance = () => ask("getAddressBalance", { address: config });
  const lies: Record<string, { lie: () => LiteLie; about: () => Promise<Outcome> }> = {
    "a flipped bit": { lie: () => flippedAt(0.5), about: balance },
    "a flipped bit at the end": { lie: () => flippedAt(1), about: balance },
    "answers that are too short": { lie: () => shortenedBy(1), about: balance },
    "answers without a byte": { lie: () => shortenedBy(1e9), about: balance },
    "a proof without its first link": { lie: () => withoutFirst("getBlockProof"), about: balance },
    "an older state under the id of a new block": { lie: () => olderBy(3), about: balance },
    "an older state": { lie: () => openlyOlderBy(3), about: balance },
    "another account": { lie: () => ofAccount(elector), about: balance },
    "another network": { lie: () => ofNetwork(other.api), about: balance },
    "forged key blocks": { lie: () => forgedKeyBlocks(other.api), about: balance },
    "transactions of another account": {
      lie: () => ofAccount(elector),
      about: () => ask("getTransactions", { address: config, limit: 2 }),
    },
    "a list of shards that is too short": {
      lie: () => shortenedBy(3),
      about: () => ask("getShards", { seqno: 3 }),
    },
  };

  it.each(Object.keys(lies))("is refused with its bytes: %s", async (name) => {
    const { lie, about } = lies[name]!;
    liar.lie = lie();
    const { error } = await about();
    expect(error).toMatchObject({ name: "ProofError", method: expect.stringMatching(/^get/) });
    expect(error!.bytes).toBeGreaterThan(0);
    expect(liar.lies).toBeGreaterThan(0);
  });

  it("is believed if it stands still, unless the age of its block counts", async () => {
    liar.lie = stuckAt(2);
    expect((await ask("getMasterchainInfo")).answer).toMatchObject({ last: { seqno: 2 } });
    const { error } = await ask("getMasterchainInfo", {}, { maxHeadAgeSec: 60 });
    expect(error).toMatchObject({ name: "RpcError", code: "unavailable" });
  });

  it.each(["getAccountState", "getBlockProof", "getBlockHeader", "getMasterchainInfo"])(
    "is refused for every change of every field of %s",
    async (method) => {
      let exchange: LiteExchange | undefined;
      liar.lie = (each) => {
        if (each.query.method === method) exchange ??= each;
        return undefined;
      };
      const truth = await balance();
      expect(truth.error).toBeUndefined();
      const changes = liesTo(exchange!).filter((_, place) => place % everyChange === 0);
      expect(changes.length).toBeGreaterThan(5);
      const believed: unknown[] = [];
      for (const { path, bytes } of changes) {
        liar.lie = ({ query }) => (query.method === method ? bytes : undefined);
        const outcome = await balance();
        // Bytes that nothing reads change nothing, and an honest error about a block that does not exist hides nothing.
        const isFine = outcome.error
          ? outcome.error.name === "ProofError" || outcome.error.code === "liteserver-error"
          : outcome.answer === truth.answer;
        if (!isFine) believed.push([path, outcome]);
      }
      expect(believed).toEqual([]);
    },
  );
});
