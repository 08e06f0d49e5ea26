import type { LiteApi } from "../../../../../shared/ton/lite/lite-api.js";
import { verifyingLiteApi } from "../../../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { describeLiteApi } from "../../../../helpers/chain/contract/lite-api.contract.js";
import { replayOf } from "../../../../helpers/chain/open-replay.js";
import { trustFromZero } from "../../../../helpers/chain/trusted.js";
import { openGateway } from "../../../../helpers/peers/gateway-line.js";
import { openLiteservers } from "../../../../helpers/peers/open-liteservers.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

/** Three servers of a chain, all of them verified. */
async function throughPool(chain: LiteApi) {
  const trust = await trustFromZero(chain);
  const gateways = [await openGateway(chain), await openGateway(chain), await openGateway(chain)];
  const addresses = gateways.map(({ address }) => address);
  const pool = await openLiteservers(chain, addresses, { verify: (api) => verifyingLiteApi(api, trust) });
  return {
    api: pool.api,
    async close() {
      pool.close();
      for (const { gateway } of gateways) await gateway.close();
    },
  };
}

describeWithChain("the first blocks of mainnet", ({ folders }) => {
  describeLiteApi("through a pool that believes no server", async () => ({
    ...(await throughPool(replayOf(...folders))),
    hasNoQueueSizes: true,
  }));
});
