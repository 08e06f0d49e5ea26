import { busyChain } from "../../helpers/busy-chain.js";
import { replayOf } from "../../helpers/open-replay.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { verified } from "../../helpers/trusted.js";
import { describeLiteApi } from "../lite-api.contract.js";

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
