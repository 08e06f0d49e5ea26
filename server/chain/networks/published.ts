import { type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { isPublicAddress } from "../../os/public-address.js";
import { GlobalConfigError, type ListedServer, parseGlobalConfig } from "../liteservers/global-config.js";
import type { ShippedNetwork } from "./shipped.js";

/** URLs of the networks' published global configurations. */
export const publishedAt: Readonly<Record<ShippedNetwork, string>> = {
  mainnet: "https://ton-blockchain.github.io/global.config.json",
  testnet: "https://ton-blockchain.github.io/testnet-global.config.json",
};

/** Each server gets a connection. The networks list about twenty. */
const maxServers = 256;

/**
 * The liteservers of a published global configuration; its other content is ignored. Throws a GlobalConfigError if it
 * belongs to another network, or lists servers that a published list has no reason to contain.
 */
export function publishedServers(text: string, zeroState: BlockIdExt): ListedServer[] {
  const config = parseGlobalConfig(text);
  if (!sameBlock(config.zeroState, zeroState)) throw new GlobalConfigError("it is of another network");
  // Servers with slices are ignored, because the list is not trusted to state which parts of the network a server has.
  const servers = config.servers.filter(({ slices }) => slices === undefined);
  if (servers.length === 0) throw new GlobalConfigError("it lists no liteservers of the whole network");
  if (servers.length > maxServers)
    throw new GlobalConfigError(`it lists ${servers.length} liteservers, more than ${maxServers}`);
  // Host names are rejected too, because they can resolve to any address.
  const hidden = servers.find(({ host }) => !isPublicAddress(host));
  if (hidden) throw new GlobalConfigError(`${hidden.host.slice(0, 100)} is not a public address`);
  return servers;
}
