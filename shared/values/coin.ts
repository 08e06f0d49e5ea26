/** Display name of a network's coin. The chain is TON everywhere, and answers do not depend on this name. */
export function coinName(network: string): string {
  return network === "mainnet" ? "GRAM" : "TON";
}
