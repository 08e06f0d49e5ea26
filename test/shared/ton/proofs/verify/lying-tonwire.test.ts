import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ConnectionError } from "../../../../../server/chain/adnl/connection-error.js";
import { type LiteApi, LiteError } from "../../../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import type { TrustChain } from "../../../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { KeyBlockChain } from "../../../../helpers/chain/key-block-chain.js";
import { trustFromZero } from "../../../../helpers/chain/trusted.js";
import { byJsonRpc, byPost, startLiteApp } from "../../../../helpers/http/lite-app.js";
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
} from "../../../../helpers/peers/lite-lies.js";
import {
  type LiteExchange,
  type LiteLie,
  LyingTonwire,
  serviceAt,
} from "../../../../helpers/peers/lying-tonwire.js";

const config = { workchain: -1, id: new Uint8Array(32).fill(0x55) };
const elector = { workchain: -1, id: new Uint8Array(32).fill(0x33) };

describe("a tonwire that lies", () => {
  let chain: KeyBlockChain;
  let other: KeyBlockChain;
  let app: Awaited<ReturnType<typeof startLiteApp>>;
  let liar: LyingTonwire;
  let trust: TrustChain;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    chain = await grown("key blocks");
    other = await grown("others");
    app = await startLiteApp(chain.api);
    liar = await LyingTonwire.lasting(app.url);
    trust = await trustFromZero(chain.api);
    await trust.newest(chain.api, {});
    closing.push(
      () => liar.close(),
      () => app.close(),
      () => chain.close(),
      () => other.close(),
    );
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  async function grown(seed: string): Promise<KeyBlockChain> {
    const made = await KeyBlockChain.open(seed);
    await made.keyBlocks(2);
    await made.blocks(5);
    return made;
  }

  function lying(lie: LiteLie | undefined, breaks?: LyingTonwire["breaks"]): void {
    liar.lie = lie;
    liar.breaks = breaks;
    liar.lies = 0;
    onTestFinished(() => {
      liar.lie = undefined;
      liar.breaks = undefined;
    });
  }

  /** Reads two accounts and a list, from the zero state or with a head that is proven already. */
  async function read(api: LiteApi): Promise<void> {
    const { last } = await api.getMasterchainInfo();
    await api.getAccountState({ id: last, account: config });
    await api.getAllShardsInfo({ id: last });
    await api.listBlockTransactions({ id: last, count: 10, account: true, lt: true, hash: true });
  }

  const forms = { bytes: () => byPost(liar), JSON: () => byJsonRpc({ post }) };
  const post = async (path: string, body: unknown) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(liar.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
  };

  test.each(["bytes", "JSON"] as const)("passes true answers on unless it lies: %s", async (form) => {
    liar.asked.length = 0;
    await read(verifyingLiteApi(serviceAt(liar.url, forms[form]()), await trustFromZero(chain.api)));
    expect(liar.asked).toEqual(
      expect.arrayContaining(["getMasterchainInfo", "getBlockProof", "getAccountState"]),
    );
    const ping = await post("/jsonRPC", { jsonrpc: "2.0", id: 1, method: "none" });
    expect(ping.json).toMatchObject({ error: { code: -32601 } });
  });

  const lies: Record<string, () => LiteLie> = {
    "a flipped bit": () => flippedAt(0.5),
    "a flipped bit at the end": () => flippedAt(1),
    "answers that are too short": () => shortenedBy(1),
    "answers without a byte": () => shortenedBy(1e9),
    "shorter lists": () => withoutFirst("getBlockProof", "listBlockTransactions"),
    "an older state under the id of a new block": () => olderBy(3),
    "an older state": () => openlyOlderBy(3),
    "another account": () => ofAccount(elector),
    "another network": () => ofNetwork(other.api),
    "forged key blocks": () => forgedKeyBlocks(other.api),
  };

  test.each(Object.keys(lies))("is found out: %s", async (name) => {
    lying(lies[name]!());
    const api = verifyingLiteApi(serviceAt(liar.url), await trustFromZero(chain.api));
    await expect(read(api)).rejects.toSatisfy(
      (error) => error instanceof ProofError || error instanceof ConnectionError,
    );
    expect(liar.lies).toBeGreaterThan(0);
  });

  test("cannot be found out by proofs if it stands still, but by the number of its block", async () => {
    lying(stuckAt(2));
    const { last } = await verifyingLiteApi(serviceAt(liar.url), trust).getMasterchainInfo();
    expect([last.seqno, liar.lies]).toEqual([2, 1]);
    expect(trust.head!.seqno).toBeGreaterThan(2);
  });

  test("is found out for every change of every field of an account's proofs", async () => {
    const { last } = await chain.api.getMasterchainInfo();
    let exchange: LiteExchange | undefined;
    lying((each) => {
      exchange = each;
      return undefined;
    });
    const api = verifyingLiteApi(serviceAt(liar.url), trust);
    const ask = () => api.getAccountState({ id: last, account: config });
    const truth = await ask();
    const changes = liesTo(exchange!);
    expect(changes.length).toBeGreaterThan(30);
    for (const { path, bytes } of changes) {
      liar.lie = () => bytes;
      const outcome = await ask().then(
        // Bytes that nothing reads change nothing.
        (answer) => (isDeepStrictEqual(answer, truth) ? "caught" : "believed"),
        (error) => (error instanceof ProofError || error instanceof ConnectionError ? "caught" : error),
      );
      expect([path, outcome]).toEqual([path, "caught"]);
    }
  });

  test.each(["cut", "noise", "endless", "silent", { bytes: 3_000_000 }] as const)(
    "sends responses that are broken: %j",
    async (breaks) => {
      lying(undefined, breaks);
      const controller = new AbortController();
      const headers = { "Content-Type": "application/json" };
      const query = "Lua1iQ==";
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "lite.query", params: { query } });
      const options = { method: "POST", headers, body, signal: controller.signal };
      const answer = fetch(`${liar.url}/jsonRPC`, options).then(count);
      if (breaks === "silent") {
        const silence = Promise.race([answer, new Promise((resolve) => setImmediate(resolve, "silent"))]);
        expect(await silence).toBe("silent");
        controller.abort();
        await expect(answer).rejects.toThrow();
      } else if (breaks === "cut") await expect(answer).rejects.toThrow("terminated");
      else if (breaks === "noise") expect(await answer).toBeLessThan(1000);
      else expect(await answer).toBeGreaterThanOrEqual(2_000_000);
    },
  );

  /** The bytes of a response, which is left after some millions. */
  async function count({ body }: Response): Promise<number> {
    let bytes = 0;
    for await (const piece of body!) {
      bytes += piece.length;
      if (bytes > 4_000_000) break;
    }
    return bytes;
  }

  test("passes an error of a liteserver on", async () => {
    const unknown = { ...(await chain.api.getMasterchainInfo()).last, rootHash: new Uint8Array(32) };
    await expect(serviceAt(liar.url).getBlock({ id: unknown })).rejects.toBeInstanceOf(LiteError);
  });
});
