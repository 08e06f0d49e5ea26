import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { globalConfigText } from "../../../server/chain/gateway/global-config.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { replayOf } from "../chain/open-replay.js";
import { temporaryFolder } from "../temporary-folder.js";
import type { ChainData } from "../test-data.js";
import { openGateway } from "./gateway-line.js";

/** A liteserver over recorded blocks of mainnet, changed as a test needs, and its global configuration file. */
export async function mainnetGateway(
  chain: ChainData,
  change = (api: LiteApi) => api,
): Promise<{ globalConfig: string }> {
  return { globalConfig: await gatewayTo(change(replayOf(chain.folder))) };
}

/** The global configuration file of a liteserver in front of an api, until the end of the test. */
export async function gatewayTo(api: LiteApi): Promise<string> {
  const { init: zeroState } = await api.getMasterchainInfo();
  const { gateway, address } = await openGateway(api);
  onTestFinished(() => gateway.close());
  const globalConfig = join(temporaryFolder(), "global.config.json");
  writeFileSync(globalConfig, globalConfigText({ ...address, zeroState }));
  return globalConfig;
}
