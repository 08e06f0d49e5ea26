import { busyChain } from "../../helpers/chain/busy-chain.js";
import { describeLiteApi } from "../../helpers/chain/contract/lite-api.contract.js";
import { throughGateway } from "../../helpers/peers/gateway-line.js";

describeLiteApi("a devnet through the gateway and one connection", async () => {
  const chain = await busyChain();
  const { api, close } = await throughGateway(chain.api);
  return {
    ...chain,
    api,
    async close() {
      await close();
      await chain.close?.();
    },
  };
});
