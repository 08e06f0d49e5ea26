/**
 * What examples name of a devnet's sample data: participants, the first contract of each kind that `devnet.info` lists, and a
 * transfer of jettons with the message that began its last transaction, and who leads an auction of a domain. They are found when the documents are made.
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
  "trace_id",
  "transaction_hash",
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
