import { busyChain } from "../../../../helpers/chain/busy-chain.js";
import { describeLiteApi } from "../../../../helpers/chain/contract/lite-api.contract.js";
import { replayOf } from "../../../../helpers/chain/open-replay.js";
import { verified } from "../../../../helpers/chain/trusted.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

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
