/** Description of each group of methods. */
const descriptions: Readonly<Record<string, string>> = {
  Accounts: "Balances, states and names of accounts.",
  Acton:
    "Contracts of the service's catalogue and of its operator, and their storage, messages and get-methods by ABIs.",
  "Actions and traces":
    "Actions, the traces that they are part of, changes of balances, and states of messages.",
  "Blockchain data": "Blocks, transactions and messages.",
  Blocks: "Blocks of the masterchain and of shards, and proofs of them.",
  Configuration: "Parameters of the network, and public libraries.",
  DNS: "Domains, and auctions of them.",
  Emulation: "Effects of a message, without sending it.",
  "Get-methods": "Runs of get-methods of contracts.",
  "JSON-RPC": "Calls of any method by its name.",
  Jettons: "Jettons, their wallets, transfers and burns.",
  Legacy: "Methods of API v2 that programs for API v3 call.",
  Liteserver: "Queries of liteservers and their proofs.",
  Multisig: "Multisig wallets and their orders.",
  NFTs: "Collections, items, sales and transfers of NFTs.",
  Send: "Messages to the network, and fees of them.",
  Service: "State of the service.",
  Staking: "Nominator pools and their nominators.",
  Stats: "Statistics of accounts.",
  Transactions: "Transactions of accounts and blocks, and searches for them.",
  Utils: "Forms of addresses and hashes, and decoding of messages.",
  Validators: "Elections, validator sets and complaints.",
  Vesting: "Vesting wallets.",
  Webhooks: "Events sent to URLs of callers.",
};

/** The tags of an OpenAPI document by these names, each once. */
export function tagsOf(names: readonly string[]): { name: string; description?: string }[] {
  return [...new Set(names)].map((name) => {
    const description = descriptions[name];
    return { name, ...(description !== undefined && { description }) };
  });
}
