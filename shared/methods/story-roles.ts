/**
 * Roles in a devnet's sample data that examples can name: participants, the first contract of each kind that
 * `devnet.info` lists, a participant's friendly address with its last transaction, a transfer of jettons with the message that began its last transaction and the run of that, and the leading bidder
 * of a domain's auction. The service finds their addresses when it makes the documents.
 */
export const storyRoles = [
  "faucet",
  "ann",
  "ben",
  "cleo",
  "dan",
  "eve",
  "finn",
  "bidder",
  "jetton_master",
  "jetton_wallet",
  "nft_collection",
  "nft_item",
  "nft_sale",
  "dns_root",
  "multisig",
  "vesting",
  "nominator_pool",
  "nominator",
  "pool_validator",
  "friendly_account",
  "account_lt",
  "account_hash",
  "trace_id",
  "transaction_hash",
  "debug_run",
  "message_hash",
  "message_source",
  "message_destination",
  "message_lt",
] as const;

export type StoryRole = (typeof storyRoles)[number];

const mark = "story:";

/** Stands for the value of a role in the parameters of an example. */
export function ofStory(role: StoryRole): string {
  return mark + role;
}

/** The role that a parameter, or a part of one, stands for. */
export function storyRoleOf(value: unknown): StoryRole | undefined {
  return typeof value === "string" && value.startsWith(mark)
    ? (value.slice(mark.length) as StoryRole)
    : undefined;
}
