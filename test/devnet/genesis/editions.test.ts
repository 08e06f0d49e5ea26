import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ChainClock } from "../../../server/devnet/chain/clock.js";
import { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { type Devnet, type DevnetConfig, openDevnet } from "../../../server/devnet/devnet.js";
import {
  createGenesis,
  type GenesisOptions,
  otherZeroStates,
} from "../../../server/devnet/genesis/genesis.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { externalMessage } from "../../../server/devnet/wallets/compose.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../../shared/ton/cells/boc.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { isLong, variants } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const config: DevnetConfig = {
  seed: "tonwire",
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "wall",
  rewards: false,
  story: false,
};

async function open(settings: Partial<DevnetConfig> = {}, nowMs = 1_800_000_000_000): Promise<Devnet> {
  const environment = { nowMs: () => nowMs, onError: () => {}, onDegraded: () => {} };
  const devnet = await openDevnet({ ...config, ...settings }, environment);
  onTestFinished(() => devnet.close());
  return devnet;
}

async function blockOne({ api }: Devnet) {
  return (await api.lookupBlock({ id: { workchain: -1, shard: wholeShard, seqno: 1 }, bySeqno: true })).id;
}

async function accountsOf(seed: string) {
  const { faucet, prefunded } = await devnetWallets(seed);
  return [faucet, ...prefunded].map(({ wallet: { address, init }, balance }) => ({
    ...{ address, balance },
    init: { code: init.code!, data: init.data! },
  }));
}

/** Orders of the test wallets whose messages have no StateInit. */
async function plainOrders(seed: string) {
  const { faucet, prefunded } = await devnetWallets(seed);
  const order = { seqno: 0, validUntil: 0xffffffff, payments: [{ to: faucet.wallet.address, value: 1n }] };
  return [faucet, ...prefunded].map(({ wallet }) => {
    const { body } = decode(Message, wallet.order(order));
    return serializeBoc(externalMessage(wallet.address, body));
  });
}

/** Writes the folder of a chain as an earlier version of the devnet made it. */
async function writeFolder(directory: string, options: Pick<GenesisOptions, "edition" | "version">) {
  const accounts = await accountsOf(config.seed);
  const chain = await DevnetChain.open({
    genesis: createGenesis({ seed: config.seed, accounts, ...options }),
    storage: new ChainStore(directory),
    executor: await sharedExecutor(),
    clock: new ChainClock("fixed", () => 0),
    nowMs: () => 0,
  });
  for (let block = 0; block < 3; block++) await chain.step();
  const { head } = chain;
  await chain.close();
  return head;
}

describe("a devnet in a folder of the first version", () => {
  it("continues its chain, whose zero states have not changed", async () => {
    const directory = temporaryFolder();
    const last = await writeFolder(directory, { edition: 1 });
    const meta = readFileSync(join(directory, "meta.json"), "utf8");
    // The format of version 0.1.0, from before there were other zero states.
    expect(JSON.parse(meta).zero_state).toEqual({
      masterchain: {
        root_hash: "DKJ1uRIv7sGkumZWDfhMeOsEwfd4bey236ISUxUcOLs=",
        file_hash: "xjA9lkZmQvv1rNLN0nu7n1K0YV6LvZM34ogcXw4ZvVE=",
      },
      basechain: {
        root_hash: "HlmKugM5mVvw2n82BjvRc2ktqApeDdxMsZPfhIK0UwA=",
        file_hash: "dWZyemw6PwkHVeOKDKGt2NEieEc02ys/HZx/a1KxGZQ=",
      },
    });
    const devnet = await open({ directory });
    expect((await devnet.api.getMasterchainInfo()).last).toEqual(last);
    expect((await devnet.controls.mine(1)).block.seqno).toBe(last.seqno + 1);
    await devnet.controls.reset();
    const { masterchain } = (await devnet.controls.info()).zeroStates;
    expect(bytesToBase64(masterchain.rootHash)).toBe(JSON.parse(meta).zero_state.masterchain.root_hash);
    expect((await devnet.controls.mine(1)).block.seqno).toBeGreaterThan(1);
  });
});

const configOf = async ({ api }: Devnet) => {
  const head = new ChainHead(await api.getMasterchainInfo(), Date.now);
  const reader = new ChainReader({ lite: api, head });
  return (await reader.config(reader.last)).params;
};

describe("a devnet in a folder of the second edition", () => {
  it.each([
    [{}, "WCXk3AYikzg2unHQXsTH7N81Fop9bPKvzFRn6TNT3lg="],
    [{ rewards: true }, "QFC0uHZwnOEPjwfPzwUd8OC6aJXl5SqliOXsUwxTFlU="],
    [{ validators: 4 }, "c+dFVJjwT5R62HP2M0n2rpwPPzgBqPPzZftci1PpFXY="],
    [{ validators: 3, elections: "short" }, "8njFcmeWK0QeZ/f8LZuQUOhLr4SPSNXSgtAf19yfJoc="],
    [{ validators: 3, elections: "long" }, "iMK3QNGw9Xv/Xl7+ZsqMfw1Lfx8FomqBAFKH2AEHw+Q="],
  ] as const)("has the zero state that was made then with %o", async (settings, rootHash) => {
    const options = { seed: config.seed, accounts: await accountsOf(config.seed), ...settings };
    const found = [...otherZeroStates(options)].map(({ masterchain }) =>
      bytesToBase64(masterchain.id.rootHash),
    );
    expect(found).toContain(rootHash);
  });

  it("keeps its prices, version and capabilities", async () => {
    const directory = temporaryFolder();
    const last = await writeFolder(directory, { edition: 2 });
    const devnet = await open({ directory });
    expect((await devnet.api.getMasterchainInfo()).last).toEqual(last);
    await devnet.controls.mine(1);
    const kept = await configOf(devnet);
    expect(configParam(kept, 25)).toMatchObject({ lumpPrice: 400_000n });
    expect(configParam(kept, 21)).toMatchObject({ gasPrice: 26_214_400n });
    expect(configParam(kept, 8)).toEqual({ version: 13, capabilities: 108n });
    const fresh = await configOf(await open());
    // Those of mainnet and testnet in August 2026.
    expect(configParam(fresh, 25)).toMatchObject({
      ...{ lumpPrice: 66_667n, bitPrice: 4_369_067n, cellPrice: 436_906_667n, firstFrac: 21_845 },
    });
    expect(configParam(fresh, 21)).toMatchObject({
      ...{ gasPrice: 4_369_067n, flat: { flatGasLimit: 100n, flatGasPrice: 6667n } },
    });
    const storage = [...configParam(fresh, 18)!.values()].at(-1);
    expect(storage).toMatchObject({ bitPricePs: 0n, cellPricePs: 135n });
  });
});

describe("a devnet in a folder of the third edition", () => {
  it("keeps its test wallets without code", async () => {
    const directory = temporaryFolder();
    const last = await writeFolder(directory, { edition: 3 });
    const devnet = await open({ directory });
    expect((await devnet.api.getMasterchainInfo()).last).toEqual(last);
    for (const body of await plainOrders(config.seed))
      await expect(devnet.api.sendMessage({ body })).rejects.toThrow("exitcode=0, steps=0");
  });
});

describe("a new devnet", () => {
  it.each(variants<Partial<DevnetConfig>>([{}], [{ elections: "short" }, { clock: "fixed" }]))(
    "has its faucet and test wallets deployed, with %o",
    async (settings) => {
      const devnet = await open(settings);
      const orders = await plainOrders(config.seed);
      for (const body of orders) await devnet.api.sendMessage({ body });
      expect(await devnet.mempool.pending()).toHaveLength(orders.length);
      await devnet.controls.mine(2);
      expect(await devnet.mempool.pending()).toEqual([]);
    },
  );
});

describe("a devnet in a folder of an executor with another global version", () => {
  it("keeps its version", async () => {
    const directory = temporaryFolder();
    await writeFolder(directory, { version: 15 });
    const devnet = await open({ directory });
    expect(configParam(await configOf(devnet), 8)).toEqual({ version: 15, capabilities: 110n });
    expect(configParam(await configOf(devnet), 43)).toMatchObject({
      kind: "v2",
      maxTransactionLibraryLoads: 3,
    });
    expect((await devnet.controls.mine(1)).block.seqno).toBeGreaterThan(1);
  });
});

describe("block 1 of a new devnet", () => {
  it("is the same key block at any time, and after a reset and a restart", async () => {
    const devnet = await open();
    const id = await blockOne(devnet);
    const { steps } = await devnet.api.getBlockProof({ knownBlock: id });
    expect(steps).toMatchObject([{ type: "forward", from: { seqno: 1 }, to: { seqno: 2 } }]);
    await devnet.controls.setTime(1_900_000_000);
    await devnet.controls.mine(3);
    await devnet.controls.reset();
    expect(await blockOne(devnet)).toEqual(id);
    expect(await blockOne(await open({}, 1_850_000_000_000))).toEqual(id);
    if (!isLong) return;
    expect(await blockOne(await open({ clock: "fixed" }))).toEqual(id);
    expect(await blockOne(await open({ story: true }))).toEqual(id);
  });

  it("is followed at once by a block with the clock's time", async () => {
    const devnet = await open();
    const timeOfLast = async () => {
      const { last } = await devnet.api.getMasterchainInfo();
      return [last.seqno, (await devnet.api.getMasterchainInfoExt({})).lastUtime];
    };
    expect(await timeOfLast()).toEqual([2, 1_800_000_000]);
    await devnet.controls.mine(3);
    expect((await devnet.controls.reset()).block.seqno).toBe(2);
    expect(await timeOfLast()).toEqual([2, 1_800_000_000]);
  });
});
