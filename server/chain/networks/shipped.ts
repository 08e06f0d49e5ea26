import { readFileSync } from "node:fs";
import { type GlobalConfig, parseGlobalConfig } from "../liteservers/global-config.js";

/** Networks whose global configuration comes with the program. */
export const shippedNetworks = ["mainnet", "testnet"] as const;
export type ShippedNetwork = (typeof shippedNetworks)[number];

/**
 * A configuration file as published by the network; its init block may have been replaced by a newer one
 * (`.ci/anchor.mjs`).
 */
export function shippedFile(network: ShippedNetwork): URL {
  return new URL(`./${network}.data.json`, import.meta.url);
}

/** The global configuration of a network. Its zero state and its blocks are trusted. */
export function shippedConfig(network: ShippedNetwork): GlobalConfig {
  return parseGlobalConfig(readFileSync(shippedFile(network), "utf8"));
}
