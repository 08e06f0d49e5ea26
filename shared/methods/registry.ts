import type { Definitions } from "./define.js";
import { rpcMethods } from "./rpc.js";
import { utilMethods } from "./v2/utils.js";

/**
 * Every method of the service, by its JSON-RPC name: v2 flat, the others below `v3`, `devnet` and `rpc`.
 * REST routes, documents, client types and tests are made from this object.
 */
export const registry = {
  ...utilMethods,
  rpc: rpcMethods,
} satisfies Definitions;

export type Registry = typeof registry;
