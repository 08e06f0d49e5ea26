import { busyChain } from "../chain/busy-chain.js";
import { describeLiteApi } from "../chain/lite-api.contract.js";
import { describeWithChain } from "../helpers/test-data.js";
import { replayOf } from "../replay/open-replay.js";
import { verified } from "./trusted.js";

describeLiteApi("a devnet that is not believed", async () => {
  const target = await busyChain();
  return { ...target, api: await verified(target.api) };
});

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("not believed", async () => ({
    api: await verified(replayOf(...folders)),
    hasNoQueueSizes: true,
  }));
});
