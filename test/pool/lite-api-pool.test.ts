import { busyChain } from "../chain/busy-chain.js";
import { describeLiteApi } from "../chain/lite-api.contract.js";
import { openGateway } from "../gateway/gateway-line.js";
import { openPool } from "./open-pool.js";

describeLiteApi("a devnet through three gateways and a pool", async () => {
  const chain = await busyChain();
  const gateways = [await openGateway(chain.api), await openGateway(chain.api), await openGateway(chain.api)];
  const pool = await openPool(
    chain.api,
    gateways.map(({ address }) => address),
  );
  return {
    ...chain,
    api: pool.api,
    async close() {
      pool.close();
      for (const { gateway } of gateways) await gateway.close();
      await chain.close?.();
    },
  };
});
