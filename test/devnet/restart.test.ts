import { describe, expect, it } from "vitest";
import { Executor } from "../../server/chain/executor/executor.js";
import type { DevnetChain } from "../../server/devnet/chain/devnet-chain.js";
import { ChainStore } from "../../server/devnet/storage/chain-store.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../helpers/chain/devnet.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("a restarted devnet", () => {
  it("continues like one that was never stopped, including pending messages", async () => {
    const executor = await Executor.create();
    const script = ["ann", "ben", "cleo"].flatMap((name) => [name, name]);
    const open = (wallets: readonly TestWallet[], directory?: string) =>
      openTestChain({ accounts: funded(wallets), executor, storage: new ChainStore(directory) });

    /** Runs the script. `between` may replace the chain. */
    const play = async (
      directory: string | undefined,
      between: (chain: DevnetChain) => Promise<DevnetChain>,
    ) => {
      const wallets = ["ann", "ben", "cleo"].map((name) => new TestWallet(name));
      const payments = wallets.map(({ address }) => ({ to: address, value: ton, bounce: false }));
      let chain = await open(wallets, directory);
      for (const name of script) {
        await chain.sendMessage(wallets[["ann", "ben", "cleo"].indexOf(name)]!.pay(...payments));
        chain = await between(chain);
        await chain.step();
      }
      await settleDown(chain);
      const { head } = chain;
      await chain.close();
      return head;
    };

    const wallets = ["ann", "ben", "cleo"].map((name) => new TestWallet(name));
    const directory = temporaryFolder();
    const unbroken = await play(undefined, async (chain) => chain);
    const broken = await play(directory, async (chain) => {
      await chain.close();
      return open(wallets, directory);
    });
    expect(broken).toEqual(unbroken);
  });

  it("refuses the directory of another seed", async () => {
    const directory = temporaryFolder();
    const chain = await openTestChain({ seed: "one", storage: new ChainStore(directory) });
    await chain.step();
    await chain.close();
    const other = openTestChain({ seed: "two", storage: new ChainStore(directory) });
    await expect(other).rejects.toThrow(`${directory} holds a devnet with the seed "one", not "two"`);
  });
});
