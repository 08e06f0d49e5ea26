import { type ActionType, actionDeclarations, actionTypes } from "../actions/all.js";

// Words for sets of action types that clients support, as TON Center defines them. Every set has the types of `v1`.

const named = (prefix: string) => actionTypes.filter((type) => type.startsWith(prefix));

/** The types of a version and of the earlier ones. */
const upTo = (version: string) =>
  actionTypes.filter((type) => {
    const { since } = actionDeclarations[type];
    return since !== undefined && since <= version;
  });

const v1 = upTo("v1");
const v5 = upTo("v5");
const nft: readonly ActionType[] = ["nft_transfer", "nft_mint", "auction_bid"];
const nftMarket = actionTypes.filter(
  (type) => actionDeclarations[type].since === "v3" && !type.startsWith("layerzero_"),
);
const dns = ["change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"];

/** Sets of action types by their words. */
const actionSets: Readonly<Record<string, readonly string[]>> = {
  v1,
  v2: upTo("v2"),
  v3: upTo("v3"),
  v4: upTo("v4"),
  v5,
  latest: v5,
  staking: named("stake_"),
  jettons: ["jetton_transfer", "jetton_burn", "jetton_mint"],
  nft,
  "nft.v3": [...nft, ...nftMarket],
  dns,
  "dns.v2": dns,
  multisig: named("multisig_"),
  vesting: named("vesting_"),
  evaa: named("evaa_"),
  jvault: named("jvault_"),
  coffee: named("coffee_").filter((type) => type !== "coffee_mev_protect_failed_swap"),
  layerzero: named("layerzero_"),
  cocoon: named("cocoon_"),
  tgbtc: named("tgbtc_"),
};

/**
 * The types that a client supports: words and types, `v1` always included. Without any words, the types of `latest`.
 */
export function supportedTypes(words: readonly string[]): string[] {
  const named = words.length === 0 ? ["latest"] : words;
  return [...new Set([...v1, ...named.flatMap((word) => actionSets[word] ?? [word])])];
}
