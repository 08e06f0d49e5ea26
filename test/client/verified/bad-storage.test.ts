import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { http } from "../../../client/index.js";
import { createVerifiedClient, memoryStorage, type TrustStorage } from "../../../client/verified/index.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../../helpers/chain/trusted.js";
import { sized } from "../../helpers/effort.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { config, endOf, grownChain, lied } from "./lied-client.js";

let chain: KeyBlockChain;
beforeAll(async () => {
  chain = await grownChain();
});
afterAll(() => chain?.close());

describe("a storage", () => {
  const kept = async (change: (text: string) => string) => {
    const texts = new Map<string, string>();
    const storage: TrustStorage = {
      name: "a disk",
      get: async (key) => texts.get(key),
      set: async (key, text) => void texts.set(key, text),
    };
    const { client } = await lied(chain.api, { storage });
    await client.getMasterchainInfo();
    for (const [key, text] of texts) texts.set(key, change(text));
    return { storage, texts };
  };
  const failing: TrustStorage = {
    name: "a disk",
    get: () => Promise.reject(new Error("it cannot be read")),
    set: () => Promise.reject(new Error("it is full")),
  };

  test("that fails is reported, and everything is proven anew", async () => {
    const warnings: string[] = [];
    const { client } = await lied(chain.api, { storage: failing, onWarning: (text) => warnings.push(text) });
    expect(await endOf(client.getAddressBalance({ address: config }))).toMatch(/^answered/);
    expect(warnings).toEqual([
      "a disk is invalid and was ignored: the chain is proven again",
      "a disk cannot be written: the next start takes longer",
    ]);
  });

  test.each<[string, (text: string) => string]>([
    ["is empty", () => ""],
    ["is cut", (text) => text.slice(0, text.length >> 1)],
    ["is no object", () => "[]"],
    ["is nested deeply", () => "[".repeat(100_000)],
    ["is large", (text) => `${text}${" ".repeat(5_000_000)}x`],
    ["has another format", (text) => text.replace('"format": 1', '"format": 7')],
    ["has a short hash", (text) => text.replace(/"root_hash": "...../g, '"root_hash": "')],
  ])("whose record %s is reported, and everything is proven anew", async (_, change) => {
    const { storage, texts } = await kept(change);
    const warnings: string[] = [];
    const { client } = await lied(chain.api, { storage, onWarning: (text) => warnings.push(text) });
    expect(await endOf(client.getAddressBalance({ address: config }))).toMatch(/^answered/);
    expect(warnings).toEqual([
      expect.stringMatching(/^a disk is invalid and was ignored: the chain is proven again$/),
    ]);
    expect(JSON.parse([...texts.values()][0]!)).toMatchObject({ format: 1, key_block: { seqno: 2 } });
  });

  test("whose key block is of another chain is replaced by what is proven", async () => {
    const other = Buffer.alloc(32, 9).toString("base64");
    const { storage, texts } = await kept((text) => {
      const record = JSON.parse(text);
      return JSON.stringify({ ...record, key_block: { ...record.key_block, root_hash: other } });
    });
    const warnings: string[] = [];
    const { client } = await lied(chain.api, { storage, onWarning: (text) => warnings.push(text) });
    expect(await endOf(client.getAddressBalance({ address: config }))).toMatch(/^answered/);
    expect(warnings).toEqual(["a disk is of another chain than the liteservers and is replaced"]);
    expect([...texts.values()][0]).not.toContain(other);
  });
});

test("a year of key blocks goes on where it was cut off", async () => {
  const links = sized(33, 481);
  const year = await KeyBlockChain.open("a year");
  onTestFinished(() => year.close());
  await year.keyBlocks(links);
  const storage = memoryStorage();
  const trustedBlock = presentBlockId(await zeroStateOf(year.api));
  const perAnswer = 16;
  let asked = 0;
  let runs = 0;
  for (let seqno = 0; seqno < links; runs++) {
    // Each run ends after two answers.
    let answers = 0;
    const { url } = await liteQueryService(year.api, {
      lie: ({ method }, answer) => {
        if (method === "getBlockProof") asked++;
        return method === "getBlockProof" && ++answers > 2 ? new Uint8Array(0) : answer;
      },
    });
    const client = createVerifiedClient({ transport: http(url), trustedBlock, storage });
    seqno = await client.getMasterchainInfo().then(
      ({ last }) => last.seqno,
      () => 0,
    );
    client.close();
  }
  const needed = Math.ceil(links / perAnswer);
  expect(runs).toBe(Math.ceil(needed / 2));
  // Only the answers that were cut are asked for twice.
  expect(asked).toBe(needed + runs - 1);
});
