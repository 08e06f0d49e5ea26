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
  const replay = change(replayOf(chain.folder));
  const { init: zeroState } = await replay.getMasterchainInfo();
  const { gateway, address } = await openGateway(replay);
  onTestFinished(() => gateway.close());
  const globalConfig = join(temporaryFolder(), "global.config.json");
  writeFileSync(globalConfig, globalConfigText({ ...address, zeroState }));
  return { globalConfig };
}
