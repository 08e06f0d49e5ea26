import { describeLiteApi } from "../../helpers/chain/contract/lite-api.contract.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";
import { openPool, verifierFor } from "../../helpers/peers/open-pool.js";
import { describeWithChain } from "../../helpers/test-data.js";

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("through two gateways and a pool that verifies proofs", async () => {
    const replay = replayOf(...folders);
    const gateways = [await openGateway(replay), await openGateway(replay)];
    const servers = gateways.map(({ address }) => address);
    const pool = await openPool(replay, servers, { verify: await verifierFor(replay) });
    // States of that time do not store the size of their queue, so it cannot be proven.
    const believing = await openPool(replay, servers);
    return {
      api: { ...pool.api, getOutMsgQueueSizes: believing.api.getOutMsgQueueSizes },
      async close() {
        pool.close();
        believing.close();
        for (const { gateway } of gateways) await gateway.close();
      },
    };
  });
});
