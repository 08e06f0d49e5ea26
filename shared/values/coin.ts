/** What people call the coin of a network. The chain is TON everywhere, and nothing in answers depends on this name. */
export function coinName(network: string): string {
  return network === "mainnet" ? "GRAM" : "TON";
}
