import { describeLiteApi } from "../chain/lite-api.contract.js";
import { describeWithChain } from "../helpers/test-data.js";
import { replayOf } from "./open-replay.js";

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("as a LiteApi", async () => ({ api: replayOf(...folders) }));
});
