import { isPublicAddress } from "../../os/public-address.js";
import { type BlockIdExt, sameBlock } from "../../tlb/block-id.js";
import { GlobalConfigError, type ListedServer, parseGlobalConfig } from "../pool/global-config.js";
import type { ShippedNetwork } from "./shipped.js";

/** Where the networks publish their global configurations. */
export const publishedAt: Readonly<Record<ShippedNetwork, string>> = {
  mainnet: "https://ton-blockchain.github.io/global.config.json",
  testnet: "https://ton-blockchain.github.io/testnet-global.config.json",
};

/** Each gets a connection. The networks list some twenty. */
const maxServers = 256;

/**
 * The liteservers of a published global configuration, of which nothing else is used. Throws a GlobalConfigError if it is
 * of another network, or lists servers that a published list has no reason to name.
 */
export function publishedServers(text: string, zeroState: BlockIdExt): ListedServer[] {
  const config = parseGlobalConfig(text);
  if (!sameBlock(config.zeroState, zeroState)) throw new GlobalConfigError("it is of another network");
  // Which parts of the network a server has is more than the list is trusted for.
  const servers = config.servers.filter(({ slices }) => slices === undefined);
  if (servers.length === 0) throw new GlobalConfigError("it lists no liteservers of the whole network");
  if (servers.length > maxServers)
    throw new GlobalConfigError(`it lists ${servers.length} liteservers, more than ${maxServers}`);
  // Host names are refused too: they can stand for any address.
  const hidden = servers.find(({ host }) => !isPublicAddress(host));
  if (hidden) throw new GlobalConfigError(`${hidden.host.slice(0, 100)} is not a public address`);
  return servers;
}
