import type { ActionType } from "./action-details.js";

/** Types by their codes in `kind`: a new one takes the last place. */
const types = [
  "call_contract",
  "contract_deploy",
  "ton_transfer",
  "tick_tock",
  "unknown",
  "jetton_transfer",
  "jetton_burn",
  "jetton_mint",
  "jetton_swap",
  "dex_deposit_liquidity",
  "dex_withdraw_liquidity",
  "dedust_v2_claim_fees",
  "dedust_v2_claim_reward",
  "tonco_deploy_pool",
  "coffee_create_vault",
  "coffee_create_pool_creator",
  "coffee_create_pool",
  "coffee_mev_protect_hold_funds",
  "coffee_mev_protect_failed_swap",
  "coffee_staking_claim_rewards",
  "coffee_staking_deposit",
  "coffee_staking_withdraw",
  "stake_deposit",
  "stake_withdrawal",
  "stake_withdrawal_request",
  "election_deposit",
  "election_recover",
  "subscribe",
  "unsubscribe",
  "nft_mint",
  "nft_transfer",
  "nft_purchase",
  "nft_discovery",
  "nft_put_on_sale",
  "nft_put_on_auction",
  "nft_update_sale",
  "nft_cancel_sale",
  "nft_cancel_auction",
  "nft_finish_auction",
  "teleitem_start_auction",
  "teleitem_cancel_auction",
  "auction_bid",
  "auction_outbid",
  "dns_purchase",
  "dns_release",
  "change_dns",
  "delete_dns",
  "renew_dns",
  "multisig_create_order",
  "multisig_approve",
  "multisig_execute",
  "vesting_send_message",
  "vesting_add_whitelist",
  "evaa_supply",
  "evaa_withdraw",
  "evaa_liquidate",
  "jvault_stake",
  "jvault_unstake",
  "jvault_unstake_request",
  "jvault_claim",
  "tgbtc_mint",
  "tgbtc_mint_fallback",
  "tgbtc_burn",
  "tgbtc_burn_fallback",
  "tgbtc_new_key",
  "tgbtc_new_key_fallback",
  "tgbtc_dkg_log_fallback",
  "layerzero_send",
  "layerzero_send_tokens",
  "layerzero_receive",
  "layerzero_commit_packet",
  "layerzero_dvn_verify",
  "cocoon_worker_payout",
  "cocoon_proxy_payout",
  "cocoon_proxy_charge",
  "cocoon_grant_refund",
  "cocoon_client_top_up",
  "cocoon_register_proxy",
  "cocoon_unregister_proxy",
  "cocoon_client_register",
  "cocoon_client_change_secret_hash",
  "cocoon_client_request_refund",
  "cocoon_client_increase_stake",
  "cocoon_client_withdraw",
] as const satisfies readonly ActionType[];

/** Fails to compile if a type has no code. */
const codedTypes: readonly string[] = types satisfies readonly (ActionType extends (typeof types)[number]
  ? ActionType
  : never)[];

const codes: ReadonlyMap<string, number> = new Map(codedTypes.map((type, place) => [type, place + 1]));
/** A type without a code, as the names of some ancestors are. */
const otherType = 127;
const perType = 128;

/** Types that decide whether lists show an action: its own, and that of the first action that it is a part of. */
type Kinded = { readonly type: string; readonly ancestor_type: readonly string[] };

/** The kind of an action as a number; see `mayBeShown`. */
export function kindOf({ type, ancestor_type: [ancestor] }: Kinded): number {
  return codeOf(type) * perType + (ancestor === undefined ? 0 : codeOf(ancestor));
}

function codeOf(type: string): number {
  return codes.get(type) ?? otherType;
}

/** Whether a list of some types can have actions of a kind, without the parts of actions of other types. */
export function mayBeShown(
  kind: number,
  { wanted, ancestors }: { wanted: ReadonlySet<string>; ancestors: ReadonlySet<string> },
): boolean {
  const type = codedTypes[Math.floor(kind / perType) - 1];
  const ancestor = codedTypes[(kind % perType) - 1];
  return (type === undefined || wanted.has(type)) && (ancestor === undefined || !ancestors.has(ancestor));
}
