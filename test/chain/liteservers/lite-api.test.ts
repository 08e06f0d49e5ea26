import { busyChain } from "../../helpers/chain/busy-chain.js";
import { describeLiteApi } from "../../helpers/chain/contract/lite-api.contract.js";
import type { Target } from "../../helpers/chain/contract/target.js";
import { isLong } from "../../helpers/effort.js";
import { openGateway, throughGateway } from "../../helpers/peers/gateway-line.js";
import { openLiteservers, verifierFor } from "../../helpers/peers/open-liteservers.js";

/** A devnet behind three gateways, read through a pool with or without proofs. */
async function devnetThroughPool(verified: boolean): Promise<Target> {
  const chain = await busyChain();
  const gateways = [await openGateway(chain.api), await openGateway(chain.api), await openGateway(chain.api)];
  const servers = gateways.map(({ address }) => address);
  const pool = await openLiteservers(
    chain.api,
    servers,
    verified ? { verify: await verifierFor(chain.api) } : {},
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
}

describeLiteApi("a devnet through three gateways and a pool that verifies proofs", () =>
  devnetThroughPool(true),
);

if (isLong) {
  describeLiteApi("a devnet through three gateways and a pool", () => devnetThroughPool(false));

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
}
