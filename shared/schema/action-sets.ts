// Words for sets of action types that clients support, as TON Center defines them. Every set has the types of `v1`.

const v1 = [
  "call_contract",
  "contract_deploy",
  "ton_transfer",
  "stake_deposit",
  "stake_withdrawal",
  "stake_withdrawal_request",
  "dex_deposit_liquidity",
  "jetton_transfer",
  "nft_transfer",
  "nft_mint",
  "jetton_burn",
  "jetton_mint",
  "jetton_swap",
  "change_dns",
  "delete_dns",
  "renew_dns",
  "subscribe",
  "dex_withdraw_liquidity",
  "unsubscribe",
  "election_deposit",
  "election_recover",
  "auction_bid",
  "tick_tock",
] as const;

const multisig = ["multisig_create_order", "multisig_approve", "multisig_execute"] as const;
const vesting = ["vesting_send_message", "vesting_add_whitelist"] as const;
const evaa = ["evaa_supply", "evaa_withdraw", "evaa_liquidate"] as const;
const jvault = ["jvault_stake", "jvault_unstake", "jvault_claim", "jvault_unstake_request"] as const;
const coffee = [
  "coffee_create_vault",
  "coffee_create_pool_creator",
  "coffee_create_pool",
  "coffee_mev_protect_hold_funds",
  "coffee_staking_claim_rewards",
  "coffee_staking_deposit",
  "coffee_staking_withdraw",
] as const;

const v2 = [
  ...v1,
  ...multisig,
  ...vesting,
  ...evaa,
  ...jvault,
  ...coffee,
  "nft_discovery",
  "tonco_deploy_pool",
  "coffee_mev_protect_failed_swap",
  "unknown",
] as const;

const nftMarket = [
  "nft_put_on_sale",
  "nft_put_on_auction",
  "auction_outbid",
  "nft_cancel_sale",
  "nft_purchase",
  "nft_cancel_auction",
  "nft_finish_auction",
  "teleitem_start_auction",
  "teleitem_cancel_auction",
  "nft_update_sale",
  "dns_purchase",
  "dns_release",
] as const;

const layerzero = [
  "layerzero_send",
  "layerzero_send_tokens",
  "layerzero_receive",
  "layerzero_commit_packet",
  "layerzero_dvn_verify",
] as const;

const cocoon = [
  "cocoon_worker_payout",
  "cocoon_proxy_payout",
  "cocoon_proxy_charge",
  "cocoon_client_top_up",
  "cocoon_register_proxy",
  "cocoon_unregister_proxy",
  "cocoon_client_register",
  "cocoon_client_change_secret_hash",
  "cocoon_client_request_refund",
  "cocoon_grant_refund",
  "cocoon_client_increase_stake",
  "cocoon_client_withdraw",
] as const;

const v3 = [...v2, ...nftMarket, ...layerzero] as const;
const v4 = [...v3, ...cocoon] as const;
const v5 = [...v4, "dedust_v2_claim_fees", "dedust_v2_claim_reward"] as const;
const nft = ["nft_transfer", "nft_mint", "auction_bid"] as const;
const dns = ["change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"] as const;

/** Sets of action types by their words. */
const actionSets: Readonly<Record<string, readonly string[]>> = {
  v1,
  v2,
  v3,
  v4,
  v5,
  latest: v5,
  staking: ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"],
  jettons: ["jetton_transfer", "jetton_burn", "jetton_mint"],
  nft,
  "nft.v3": [...nft, ...nftMarket],
  dns,
  "dns.v2": dns,
  multisig,
  vesting,
  evaa,
  jvault,
  coffee,
  layerzero,
  cocoon,
  tgbtc: [
    "tgbtc_dkg_log_fallback",
    "tgbtc_new_key",
    "tgbtc_new_key_fallback",
    "tgbtc_burn",
    "tgbtc_burn_fallback",
    "tgbtc_mint",
    "tgbtc_mint_fallback",
  ],
};

/**
 * The types that a client supports: words and types, `v1` always included. Without any words, the types of `latest`.
 */
export function supportedTypes(words: readonly string[]): string[] {
  const named = words.length === 0 ? ["latest"] : words;
  return [...new Set([...v1, ...named.flatMap((word) => actionSets[word] ?? [word])])];
}
