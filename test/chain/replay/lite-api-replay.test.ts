import { replayOf } from "../../helpers/chain/open-replay.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { describeLiteApi } from "../lite-api.contract.js";

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("as a LiteApi", async () => ({ api: replayOf(...folders) }));
});
