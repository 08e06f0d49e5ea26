import { describeLiteApi } from "../../helpers/chain/contract/lite-api.contract.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { describeWithChain } from "../../helpers/test-data.js";

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("as a LiteApi", async () => ({ api: replayOf(...folders) }));
});
