import { describe } from "vitest";
import type { LiteApi } from "../../server/chain/lite-api.js";
import { type ChainApp, firstBlocks, startChainApp } from "../helpers/chain-app.js";
import { openGateway } from "../helpers/gateway-line.js";
import { openPool, verifierFor } from "../helpers/open-pool.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";

/** The interface over recorded blocks, and the blocks themselves. */
type Opened = { app: ChainApp; lite: LiteApi; close(): Promise<void> };

/** A suite over the first blocks of mainnet: once read directly, once through liteservers whose answers are verified. */
export function describeMainnet(
  title: string,
  body: (open: () => Promise<Opened>, data: ChainData) => void,
): void {
  describeWithChain(title, (data) => {
    describe("read directly", () =>
      body(async () => {
        const lite = firstBlocks(data);
        const app = await startChainApp(lite);
        return { app, lite, close: () => app.close() };
      }, data));

    describe("through verified liteservers", () =>
      body(async () => {
        const lite = firstBlocks(data);
        const gateways = await Promise.all([lite, lite, lite].map((api) => openGateway(api)));
        const servers = gateways.map(({ address }) => address);
        const pool = await openPool(lite, servers, { verify: await verifierFor(lite) });
        const app = await startChainApp(pool.api);
        return {
          app,
          lite,
          async close() {
            await app.close();
            pool.close();
            for (const { gateway } of gateways) await gateway.close();
          },
        };
      }, data));
  });
}
