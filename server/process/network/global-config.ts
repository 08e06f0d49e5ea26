import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { type GlobalConfig, parseGlobalConfig } from "../../chain/liteservers/global-config.js";
import { publishedAt } from "../../chain/networks/published.js";
import { newestServers, type ServerList } from "../../chain/networks/server-list.js";
import { type ShippedNetwork, shippedConfig, shippedNetworks } from "../../chain/networks/shipped.js";
import { ConfigError, type Network } from "../../config/settings.js";
import { KeptFiles } from "../../os/kept-files.js";
import type { Context } from "../context/context.js";

/** The file that lists the liteservers. */
export type ListSource = "file" | ServerList["source"];

/**
 * The global configuration of mainnet or testnet: the file that the settings name, or the one that comes with the program, with
 * the newest liteservers. Throws `ConfigError` if the file is invalid or of the other network.
 */
export async function openGlobalConfig(
  context: Pick<Context, "config" | "cacheFolder" | "log" | "fallback">,
): Promise<GlobalConfig & { source: ListSource }> {
  const { config, log } = context;
  const network = config.network as ShippedNetwork;
  const { globalConfig: path } = config;
  if (path !== undefined) {
    const given = await readGlobalConfig(path);
    confirmNetwork(network, given.zeroState);
    return { ...given, source: "file" };
  }
  const shipped = shippedConfig(network);
  const { source, servers } = await listFor(network, shipped, context);
  log.info({ source, servers: servers.length }, `liteservers of ${network}: the ${source} list`);
  return { ...shipped, servers: [...servers], source };
}

function listFor(
  network: ShippedNetwork,
  shipped: GlobalConfig,
  { config, cacheFolder, log, fallback }: Pick<Context, "config" | "cacheFolder" | "log" | "fallback">,
): ServerList | Promise<ServerList> {
  const url = config.globalConfigUrl ?? publishedAt[network];
  // Without proofs liteservers are trusted, which is more than a published list may decide.
  if (url === "off" || !config.verifyProofs) return { source: "shipped", servers: shipped.servers };
  const onFailure = (error: unknown) => fallback("kept-file", error);
  const folder = cacheFolder && join(cacheFolder, "liteservers");
  const kept = folder === undefined ? undefined : new KeptFiles(folder, 16, onFailure);
  return newestServers({ network, shipped, url, kept, log });
}

/** Reads a global configuration from its file. Throws `ConfigError`. */
export async function readGlobalConfig(path: string): Promise<GlobalConfig> {
  try {
    return parseGlobalConfig(await readFile(path, "utf8"));
  } catch (cause) {
    throw new ConfigError([`${path} cannot be used: ${(cause as Error).message}`]);
  }
}

/** Refuses the configuration of mainnet for testnet and vice versa. Other zero states are accepted for both. */
function confirmNetwork(network: Network, zeroState: BlockIdExt): void {
  const known = shippedNetworks.find((each) => sameBlock(shippedConfig(each).zeroState, zeroState));
  if (known !== undefined && known !== network)
    throw new ConfigError([`the global configuration is that of ${known}, not of ${network}`]);
}
