import { serveChain } from "../../server/chain/lite/serve.js";
import { LiteError } from "../../server/chain/lite-api.js";
import { ReplayedChain } from "../helpers/replayed-chain.js";
import { describeWithChain } from "../helpers/test-data.js";
import { describeLiteApi } from "./lite-api.contract.js";

describeWithChain("the first blocks of mainnet", (data) => {
  describeLiteApi("as a LiteApi", async () => ({
    api: serveChain(new ReplayedChain(data), {
      methods: {
        runMethod: () => Promise.reject(new Error("nothing is run here")),
        randomBytes: (count) => new Uint8Array(count),
      },
      sendMessage: () => Promise.reject(new LiteError(651, "node not synced")),
      now: () => 1_573_822_385,
    }),
  }));
});
