import type { ActionType } from "../schema/v3/actions.js";
import type { Preview } from "../schema/v3/texts.js";

type Icon = Preview["icon"];

const types: Partial<Record<Icon, readonly ActionType[]>> = {
  transfer: ["ton_transfer", "extra_currency_transfer", "jetton_transfer"],
  call: ["call_contract"],
  deploy: ["contract_deploy"],
  system: ["tick_tock"],
  swap: ["jetton_swap", "coffee_mev_protect_hold_funds", "coffee_mev_protect_failed_swap"],
  mint: ["jetton_mint", "tgbtc_mint", "tgbtc_mint_fallback"],
  burn: ["jetton_burn", "tgbtc_burn", "tgbtc_burn_fallback"],
  nft: ["nft_mint", "nft_transfer", "nft_discovery"],
  sale: ["nft_purchase", "nft_put_on_sale", "nft_cancel_sale", "nft_update_sale"],
  auction: [
    "auction_bid",
    "auction_outbid",
    "nft_put_on_auction",
    "teleitem_start_auction",
    "nft_cancel_auction",
    "teleitem_cancel_auction",
    "nft_finish_auction",
  ],
  domain: ["change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"],
  liquidity: [
    "dex_deposit_liquidity",
    "dex_withdraw_liquidity",
    "tonco_deploy_pool",
    "dedust_v2_claim_fees",
    "dedust_v2_claim_reward",
    "coffee_create_pool",
    "coffee_create_pool_creator",
    "coffee_create_vault",
  ],
  stake: [
    "stake_deposit",
    "stake_withdrawal",
    "stake_withdrawal_request",
    "election_deposit",
    "election_recover",
    "coffee_staking_deposit",
    "coffee_staking_withdraw",
    "coffee_staking_claim_rewards",
    "jvault_stake",
    "jvault_unstake",
    "jvault_unstake_request",
    "jvault_claim",
  ],
  subscription: ["subscribe", "unsubscribe"],
  multisig: ["multisig_create_order", "multisig_approve", "multisig_execute"],
  vesting: ["vesting_send_message", "vesting_add_whitelist"],
  wallet: ["gasless_request", "change_wallet_key"],
  lending: ["evaa_supply", "evaa_withdraw", "evaa_liquidate"],
};

/** Types of a protocol without icons of their own, by the beginning of their names. */
const prefixes: readonly (readonly [string, Icon])[] = [
  ["tgbtc_", "bridge"],
  ["layerzero_", "bridge"],
  ["cocoon_", "service"],
];

const byType: ReadonlyMap<string, Icon> = new Map(
  Object.entries(types).flatMap(([icon, names]) => names.map((name) => [name, icon as Icon] as const)),
);

/** The kind of icon for a type of action; `unknown` for types that this version does not know. */
export function iconOf(type: string): Icon {
  return byType.get(type) ?? prefixes.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "unknown";
}

/** The types of actions with a kind of icon, where that does not depend on the protocol. */
export function typesOfIcon(icon: string): readonly ActionType[] | undefined {
  return Object.hasOwn(types, icon) ? types[icon as Icon] : undefined;
}
