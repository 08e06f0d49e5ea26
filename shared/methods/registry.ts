import type { Definitions } from "./define.js";
import { devnetMethods } from "./devnet.js";
import { rpcMethods } from "./rpc.js";
import { accountMethods } from "./v2/accounts.js";
import { blockMethods } from "./v2/blocks.js";
import { configMethods } from "./v2/config.js";
import { transactionMethods } from "./v2/transactions.js";
import { utilMethods } from "./v2/utils.js";

/**
 * Every method of the service, by its JSON-RPC name: v2 flat, the others below `v3`, `devnet` and `rpc`.
 * REST routes, documents, client types and tests are made from this object.
 */
export const registry = {
  ...accountMethods,
  ...blockMethods,
  ...transactionMethods,
  ...configMethods,
  ...utilMethods,
  devnet: devnetMethods,
  rpc: rpcMethods,
} satisfies Definitions;

export type Registry = typeof registry;
