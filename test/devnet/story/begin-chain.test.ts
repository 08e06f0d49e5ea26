import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { LazyExecutor } from "../../../server/devnet/chain/lazy-executor.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { beginChain } from "../../../server/devnet/story/begin-chain.js";
import { ChainCache } from "../../../server/devnet/story/chain-cache.js";
import { KeptFiles } from "../../../server/os/kept-files.js";
import { funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { noFailure } from "../../helpers/no-fallback.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

let loaded: Executor;

beforeAll(async () => {
  loaded = await sharedExecutor();
});

type Start = {
  folder: string;
  edition?: string;
  settings?: object;
  seed?: string;
  /** Gets what the cache could not do. */
  onFailure?: (error: unknown) => void;
  /** Called once the first block exists. */
  meanwhile?: (chain: DevnetChain, other: TestWallet) => Promise<unknown>;
};

/** Starts a devnet with a story of two blocks; returns where it ended and whether any contract ran. */
async function start({ folder, edition = "one", settings, seed, meanwhile, onFailure = noFailure }: Start) {
  const [alice, bob] = [new TestWallet("alice"), new TestWallet("bob")];
  const storage = new ChainStore();
  let hasRun = false;
  const executor = new LazyExecutor(async () => {
    hasRun = true;
    return loaded;
  });
  const accounts = funded([alice, bob]);
  const chain = await openTestChain({ accounts, executor, storage, ...(seed && { seed }) });
  onTestFinished(() => chain.close());
  const order = (seqno: number) =>
    alice.wallet.order({ seqno, validUntil: 0xffffffff, payments: [{ to: bob.address, value: ton }] });
  const cache = new ChainCache(new KeptFiles(folder, 8, onFailure), edition);
  const beginning = { chain, storage, cache, settings: { story: true, ...settings } };
  const story = () => [0, 1].map((seqno) => ({ title: "a payment", messages: [order(seqno)] }));
  const { end } = await beginChain({ ...beginning, story }, new AbortController().signal);
  await meanwhile?.(chain, bob);
  await end;
  return { head: chain.head, hasRun, chain, bob, storage };
}

const nameOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

it("a second devnet begins with the blocks of the first one, without running a contract, and goes on like any other", async () => {
  const folder = temporaryFolder();
  const first = await start({ folder });
  const second = await start({ folder });
  expect([first.hasRun, second.hasRun]).toEqual([true, false]);
  expect(second.head).toEqual(first.head);
  expect(second.head.seqno).toBe(3);
  const hashes = async ({ storage }: typeof first, seqno: number) => {
    const { masterchain, basechain } = (await storage.statesAt(seqno))!;
    return [masterchain.hash(), basechain.hash()];
  };
  for (const seqno of [2, 1, 3, 0]) expect(await hashes(second, seqno)).toEqual(await hashes(first, seqno));
  for (const { chain, bob } of [first, second]) {
    await chain.sendMessage(bob.pay({ to: bob.address, value: ton }));
    await chain.step();
  }
  expect(second.chain.head).toEqual(first.chain.head);
});

it("other code, other settings and other zero states have separate blocks", async () => {
  const folder = temporaryFolder();
  await start({ folder });
  const others = [{ edition: "two" }, { settings: { clock: "wall" } }, { seed: "other" }];
  for (const other of others) expect((await start({ folder, ...other })).hasRun).toBe(true);
  expect(nameOf(folder)).toHaveLength(4);
});

it("a damaged file is replaced", async () => {
  const folder = temporaryFolder();
  await start({ folder });
  const [path] = nameOf(folder);
  const intact = readFileSync(path!);
  const flipped = Uint8Array.from(intact);
  flipped[flipped.length >> 1]! ^= 1;
  for (const damaged of [flipped, intact.subarray(0, -1), new Uint8Array()]) {
    writeFileSync(path!, damaged);
    expect((await start({ folder })).hasRun).toBe(true);
    expect(readFileSync(path!)).toEqual(intact);
  }
});

it("a file with the digest of something else than these blocks is replaced", async () => {
  const folder = temporaryFolder();
  await start({ folder });
  const name = readdirSync(folder)[0]!.replace(/\.kept$/, "");
  await new KeptFiles(folder, 8, noFailure).write(name, [Buffer.from("no chain")]);
  expect((await start({ folder })).hasRun).toBe(true);
  expect((await start({ folder })).hasRun).toBe(false);
});

it("a folder that cannot be read and written changes nothing, and is reported", async () => {
  const folder = join(temporaryFolder(), "file");
  writeFileSync(folder, "");
  const failures: unknown[] = [];
  expect((await start({ folder, onFailure: (error) => failures.push(error) })).head.seqno).toBe(3);
  expect(failures).toEqual([
    expect.objectContaining({ code: "ENOTDIR", syscall: "open" }),
    expect.objectContaining({ isSetupError: true, message: expect.stringContaining("cannot be a folder") }),
  ]);
});

it("blocks with other callers' messages or requests are not cached", async () => {
  const folder = temporaryFolder();
  const send = (chain: DevnetChain, other: TestWallet) =>
    chain.sendMessage(other.pay({ to: other.address, value: ton }));
  await start({ folder, meanwhile: send });
  await start({ folder, meanwhile: (chain) => chain.step() });
  expect(readdirSync(folder)).toEqual([]);
});

it("blocks whose time is still to come by the clock are made anew, those of a build are found as others", async () => {
  const folder = temporaryFolder();
  const { chain } = await start({ folder });
  const own = new KeptFiles(folder, 8, noFailure);
  const others = new KeptFiles(temporaryFolder(), 8, noFailure, own);
  const { lastUtime: end } = chain;
  for (const cache of [new ChainCache(own, "one"), new ChainCache(others, "one")]) {
    const found = [undefined, end, end - 1].map((now) => cache.find(chain.genesis, { story: true }, now));
    expect((await Promise.all(found)).map((one) => one !== undefined)).toEqual([true, true, false]);
  }
});
