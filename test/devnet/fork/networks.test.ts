// Forks with the configurations of mainnet and testnet, and of mainnet's recorded state.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { ForkOrigin } from "../../../server/devnet/fork/origin.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import { augustConfig, proposedConfig } from "../../helpers/chain/august-configs.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { DevnetOrigin, openTestFork, settleFork } from "../../helpers/chain/devnet-origin.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { isLong, variants } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";

const stranger = new Address(0, new Uint8Array(32).fill(9));

describeWithChain("a fork", (chain) => {
  let network: DevnetChain;

  beforeAll(async () => {
    network = await openTestChain({ seed: "network", accounts: funded([new TestWallet("ann")]) });
    await network.begin();
    await settleDown(network);
  });
  afterAll(() => network.close());

  /** A fork whose blocks have transactions of both workchains, with ticks and tocks. */
  async function runBlocks(origin: ForkOrigin, ...payers: TestWallet[]): Promise<DevnetChain> {
    const own = new TestWallet("own");
    const fork = await openTestFork(origin, { accounts: funded([own]) });
    const to = [stranger, new Address(-1, stranger.hash)];
    for (const wallet of [own, ...payers])
      await fork.sendMessage(wallet.pay(...to.map((each) => ({ to: each, value: ton, bounce: false }))));
    await settleFork(fork);
    for (const { workchain, hash } of to)
      expect(fork.account(workchain, hash)!.account.value!.storage.balance.coins).toBeGreaterThan(
        (ton * 9n) / 10n,
      );
    return fork;
  }

  const configs = {
    testnet: () => augustConfig(chain, "testnet"),
    mainnet: () => augustConfig(chain, "mainnet"),
    "mainnet as it was proposed": () => proposedConfig(augustConfig(chain, "mainnet")),
  };
  const names = variants<keyof typeof configs>(["testnet", "mainnet as it was proposed"], ["mainnet"]);
  it.each(names)("runs blocks with the configuration of %s", async (name) => {
    const config = configs[name]();
    const origin = new DevnetOrigin(network);
    Object.assign(origin, { start: { ...origin.start, config } });
    const fork = await runBlocks(origin, new TestWallet("ann"));
    const theirs = decode(ConfigDictionary, config);
    for (const number of [8, 18, 20, 21, 24, 25, 43])
      expect(fork.masterchain.master.config.config.value.get(number)).toEqual(theirs.get(number));
    await fork.close();
  });

  it.runIf(isLong)("runs blocks over the recorded state of mainnet", async () => {
    const replay = replayOf(...chain.folders);
    const { config } = await liteserversOf(replay);
    const origin = await originFor({ kind: "liteservers", name: "mainnet", config, block: chain.newest });
    const fork = await runBlocks(origin);
    expect(fork.genesis).toMatchObject({ globalId: -239, fork: { source: "mainnet", seqno: chain.newest } });
    await fork.close();
  });
});
