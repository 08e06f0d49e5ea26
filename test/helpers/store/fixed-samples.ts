import type { Samples } from "./filter-pairs.js";

const flags = [
  "exclude_externals",
  "only_externals",
  "exclude_zero_balance",
  "include_on_sale",
  "sort_by_last_transaction_lt",
  "include_accounts",
  "include_actions",
  "include_text",
  "include_transactions",
  "include_abi",
  "include_boc",
  "include_storage",
  "include_orders",
  "include_parts",
  "include_nft_items",
  "parse_actions",
  "check_whitelist",
  "finished",
  "return_participants",
  "return_validators",
] as const;

/** Values of the parameters of v3 that name nothing in an index. */
export const fixedSamples: Samples = {
  workchain: ["0"],
  direction: ["in", "out"],
  sort: ["asc"],
  interval: ["day"],
  hours: ["2"],
  state: ["won"],
  type: ["reward"],
  supported_action_types: ["v1"],
  initiated_by_account: ["true", "false"],
  ...Object.fromEntries(flags.map((name) => [name, ["true"]])),
};
