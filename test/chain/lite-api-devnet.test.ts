import { DevnetThread } from "../../server/devnet/thread/devnet-thread.js";
import { busyChain, seqnoMethod } from "../helpers/chain/busy-chain.js";
import { describeLiteApi } from "../helpers/chain/contract/lite-api.contract.js";
import type { Target } from "../helpers/chain/contract/target.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { folderInRun } from "../helpers/once-per-run.js";
import { copyStoryChain } from "../helpers/stories/story-devnet.js";

/** The devnet as in the service: in a separate thread, stored in a directory, with its story. */
async function storyDevnet(): Promise<Target> {
  const directory = folderInRun("tonwire-lite-api-");
  await copyStoryChain(directory);
  const failed = (error: Error) => {
    throw error;
  };
  const devnet = await DevnetThread.start(
    {
      seed: "tonwire",
      directory,
      mining: { mode: "manual", intervalMs: 1000 },
      clock: "fixed",
      rewards: false,
      story: true,
    },
    { onError: failed },
  );
  const { api, controls } = devnet;
  const wallet = new TestWallet("contract suite", "v4r2");
  const account = { workchain: 0, id: wallet.address.hash };
  // The faucet pays once the story is over: from here on blocks are made on demand only.
  await controls.faucet(account, 100n * ton);
  const message = () => wallet.pay({ to: wallet.address, value: ton });
  await api.sendMessage({ body: message() });
  await controls.mine(3);
  return {
    api,
    advance: () => controls.mine(1),
    message,
    method: { account, methodId: seqnoMethod, result: 1n },
    close: () => devnet.close(),
  };
}

describeLiteApi("a devnet in a thread, with its story", storyDevnet);
// A pool of servers of this chain is tested in each run.
if (isLong) describeLiteApi("a devnet", busyChain);
