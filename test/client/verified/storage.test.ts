import * as files from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { http } from "../../../client/index.js";
import {
  createVerifiedClient,
  fileStorage,
  memoryStorage,
  type ProofProgress,
  type TrustStorage,
  type VerifiedClientOptions,
  webStorage,
} from "../../../client/verified/index.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../../helpers/chain/trusted.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

async function openChain(keyBlocks: number, seed?: string): Promise<KeyBlockChain> {
  const chain = await KeyBlockChain.open(seed);
  onTestFinished(() => chain.close());
  await chain.keyBlocks(keyBlocks);
  await chain.blocks(1);
  return chain;
}

/** Proves the newest block with a new client; returns it, the proofs that it took, and what was reported. */
async function proven(chain: KeyBlockChain, options: Partial<VerifiedClientOptions>) {
  const { url, asked } = await liteQueryService(chain.api);
  const warnings: string[] = [];
  const client = createVerifiedClient({
    transport: http(url),
    trustedBlock: presentBlockId(await zeroStateOf(chain.api)),
    onWarning: (text) => warnings.push(text),
    now: () => 1_700_000_000_000,
    ...options,
  });
  const { seqno } = (await client.getMasterchainInfo()).last;
  client.close();
  return { seqno, warnings, proofs: asked.filter((method) => method === "getBlockProof").length };
}

function pageStorage() {
  const texts = new Map<string, string>();
  const page = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  };
  return webStorage(page);
}

let longChain: KeyBlockChain;
beforeAll(async () => {
  longChain = await KeyBlockChain.open();
  await longChain.keyBlocks(18);
  await longChain.blocks(1);
});
afterAll(() => longChain?.close());

test.each<[string, () => TrustStorage]>([
  ["memory", memoryStorage],
  ["a page's storage", pageStorage],
  ["a file", () => fileStorage(files, join(temporaryFolder(), "trust"))],
])("%s keeps what was proven for the next start", async (_, make) => {
  const storage = make();
  const progress: ProofProgress[] = [];
  const first = await proven(longChain, { storage, onProgress: (each) => progress.push(each) });
  expect(first).toMatchObject({ seqno: 19, proofs: 2 });
  expect(progress.map(({ proven: count }) => count)).toEqual([16]);
  expect(await proven(longChain, { storage })).toMatchObject({ seqno: 19, proofs: 1, warnings: [] });
});

test("a later key block can be trusted, which proves the zero state behind it", async () => {
  const chain = await openChain(5);
  const id = { ...(await zeroStateOf(chain.api)), seqno: 3 };
  const block = (await chain.api.lookupBlock({ id, bySeqno: true })).id;
  const storage = memoryStorage();
  expect(await proven(chain, { storage, trustedBlock: presentBlockId(block) })).toMatchObject({ seqno: 6 });
  const forged = { ...presentBlockId(block), root_hash: Buffer.alloc(32, 5).toString("base64") };
  await expect(proven(chain, { storage, trustedBlock: forged })).rejects.toThrow();
});

test("a record of another network is refused", async () => {
  const [chain, other] = [await openChain(2), await openChain(2, "another")];
  const texts: string[] = [];
  const spy: TrustStorage = { ...memoryStorage(), set: async (_, text) => void texts.push(text) };
  await proven(other, { storage: spy });
  const foreign: TrustStorage = { name: "a disk", get: async () => texts[0], set: async () => {} };
  await expect(proven(chain, { storage: foreign })).rejects.toThrow("a disk is of another network");
});
