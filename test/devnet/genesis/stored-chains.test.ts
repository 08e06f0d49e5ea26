import { execSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { createGenesis, type GenesisOptions } from "../../../server/devnet/genesis/genesis.js";
import { ChainClock } from "../../../server/devnet/moment/clock.js";
import { openDevnet } from "../../../server/devnet/open-devnet.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { externalMessage } from "../../../server/devnet/wallets/compose.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
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

/** Writes the folder of a chain. `version`: the global version of the executor that it began with. */
async function writeFolder(directory: string, options: Pick<GenesisOptions, "version"> = {}): Promise<void> {
  const accounts = await accountsOf(config.seed);
  const chain = await DevnetChain.open({
    genesis: createGenesis({ seed: config.seed, accounts, ...options }),
    storage: new ChainStore(directory),
    executor: await sharedExecutor(),
    clock: new ChainClock("fixed", () => 0),
    nowMs: () => 0,
  });
  for (let block = 0; block < 3; block++) await chain.step();
  await chain.close();
}

const configOf = async ({ api }: Devnet) => {
  const head = new ChainHead(await api.getMasterchainInfo(), Date.now);
  const reader = new ChainReader({ lite: api, head });
  return (await reader.config(reader.last)).params;
};

describe("the zero state of stored chains", () => {
  // A change of these hashes leaves chains in folders behind: see `otherZeroStates`.
  it.each([
    [{}, "Anmt2EoEfw6uqn8x437jYzAZLkMeQO6wVm+qHWLpzC8="],
    [{ rewards: true }, "DVT2Y867EQIsRgim4+kIQZGt8yd7RiD/KeUdkai2jd8="],
    [{ validators: 4 }, "ZBOmkk73GDFrtZiEMGlH5yupOBR/CpuhLhdUh/OLJ68="],
    [{ validators: 3, elections: "short" }, "2dUg8LxRjoFq2a9NSqpDl849bcgwKea5xFBIdl1Tnys="],
    [{ validators: 3, elections: "long" }, "zlT9J1vGfsxaAhV1Es/YgEIcrmu49BudCQjDZMfyh8s="],
  ] as const)("is made with %o", async (settings, rootHash) => {
    const options = { seed: config.seed, accounts: await accountsOf(config.seed), ...settings };
    expect(bytesToBase64(createGenesis(options).masterchain.id.rootHash)).toBe(rootHash);
  });
});

describe("a folder of an unreleased version", () => {
  /** The zero states that the first version made. */
  const zeroState = {
    masterchain: {
      root_hash: "DKJ1uRIv7sGkumZWDfhMeOsEwfd4bey236ISUxUcOLs=",
      file_hash: "xjA9lkZmQvv1rNLN0nu7n1K0YV6LvZM34ogcXw4ZvVE=",
    },
    basechain: {
      root_hash: "HlmKugM5mVvw2n82BjvRc2ktqApeDdxMsZPfhIK0UwA=",
      file_hash: "dWZyemw6PwkHVeOKDKGt2NEieEc02ys/HZx/a1KxGZQ=",
    },
  };

  it.each([
    [
      "other zero states",
      { zero_state: zeroState, has_records: true },
      "holds a devnet that began with other settings",
    ],
    [
      "no has_records",
      { has_records: undefined },
      "holds a devnet of an unreleased version, which cannot be continued",
    ],
  ])("with %s is refused with the command that empties it", async (_, old, reason) => {
    const directory = temporaryFolder();
    await writeFolder(directory);
    const path = join(directory, "meta.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...old }, undefined, 2));
    const refused: unknown = await open({ directory }).catch((error) => error);
    const { message } = refused as Error;
    expect(message).toContain(`${directory} ${reason}`);
    const [, remove] = /Begin a new one: (rm .+) && tonwire empty-index --data (\S+), then start again$/.exec(
      message,
    )!;
    execSync(remove!);
    expect((await blockOne(await open({ directory }))).seqno).toBe(1);
  });
});

describe("a new devnet", () => {
  it("has the prices of mainnet and testnet in August 2026", async () => {
    const params = await configOf(await open());
    expect(configParam(params, 25)).toMatchObject({
      ...{ lumpPrice: 66_667n, bitPrice: 4_369_067n, cellPrice: 436_906_667n, firstFrac: 21_845 },
    });
    expect(configParam(params, 21)).toMatchObject({
      ...{ gasPrice: 4_369_067n, flat: { flatGasLimit: 100n, flatGasPrice: 6667n } },
    });
    const storage = [...configParam(params, 18)!.values()].at(-1);
    expect(storage).toMatchObject({ bitPricePs: 0n, cellPricePs: 135n });
  });

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
