// The details of actions, which TON Center stores in a composite column for each family.

/**
 * Their composite columns, with the amounts in them: those are numbers of any size, which ours has as texts. Other members are
 * the same in ours.
 */
const amountsIn: Readonly<Record<string, readonly string[]>> = {
  ton_transfer_data: [],
  jetton_transfer_data: ["forward_amount", "query_id"],
  nft_transfer_data: [
    "price",
    "query_id",
    "forward_amount",
    "nft_item_index",
    "payout_amount",
    "royalty_amount",
  ],
  nft_listing_data: [
    "nft_item_index",
    "full_price",
    "marketplace_fee",
    "royalty_amount",
    "mp_fee_factor",
    "mp_fee_base",
    "royalty_fee_base",
    "max_bid",
    "min_bid",
  ],
  nft_mint_data: ["nft_item_index"],
  change_dns_record_data: [],
  dex_deposit_liquidity_data: [
    "amount1",
    "amount2",
    "lp_tokens_minted",
    "target_amount_1",
    "target_amount_2",
    "tick_lower",
    "tick_upper",
    "nft_index",
  ],
  dex_withdraw_liquidity_data: [
    "amount1",
    "amount2",
    "lp_tokens_burnt",
    "burned_nft_index",
    "tick_lower",
    "tick_upper",
  ],
  staking_data: ["tokens_burnt", "tokens_minted"],
  tonco_deploy_pool_data: [
    "tick_spacing",
    "initial_price_x96",
    "protocol_fee",
    "lp_fee_base",
    "lp_fee_current",
  ],
  multisig_create_order_data: ["query_id", "order_seqno"],
  multisig_approve_data: [],
  multisig_execute_data: ["query_id", "order_seqno"],
  vesting_send_message_data: ["query_id"],
  vesting_add_whitelist_data: ["query_id"],
  evaa_supply_data: [],
  evaa_withdraw_data: [],
  evaa_liquidate_data: ["debt_amount"],
  jvault_stake_data: ["period", "minted_stake_jettons"],
  coffee_create_pool_data: ["amount_1", "amount_2", "lp_tokens_minted"],
  coffee_staking_deposit_data: ["minted_item_index"],
  coffee_staking_withdraw_data: ["nft_index", "points"],
  layerzero_send_data: ["send_request_id", "native_fee", "zro_fee"],
  layerzero_packet_data: ["nonce"],
  layerzero_dvn_verify_data: ["nonce"],
  cocoon_worker_payout_data: ["query_id", "new_tokens", "worker_tokens"],
  cocoon_proxy_payout_data: ["query_id"],
  cocoon_proxy_charge_data: ["query_id", "new_tokens_used"],
  cocoon_client_top_up_data: ["query_id"],
  cocoon_register_proxy_data: ["query_id"],
  cocoon_unregister_proxy_data: ["query_id"],
  cocoon_client_register_data: ["query_id", "nonce"],
  cocoon_client_change_secret_hash_data: ["query_id"],
  cocoon_client_request_refund_data: ["query_id"],
  cocoon_grant_refund_data: ["query_id", "new_tokens_used"],
  cocoon_client_increase_stake_data: ["query_id", "new_stake"],
  cocoon_client_withdraw_data: ["query_id", "withdraw_amount"],
  jetton_swap_data: ["min_out_amount"],
  jvault_claim_data: [],
};

/** Members that are composite values, or lists, themselves. Lists are never absent in ours. */
const membersIn: Readonly<Record<string, (value: string) => string>> = {
  dex_deposit_liquidity_data: (value) => `'vault_excesses', (
    select coalesce(jsonb_agg(jsonb_build_object('asset', e.asset, 'amount', e.amount::text) order by e.ordinality), '[]')
    from unnest(${value}.vault_excesses) with ordinality e)`,
  vesting_add_whitelist_data: (value) => `'accounts_added', ${listIn(`${value}.accounts_added`)}`,
  jetton_swap_data: (value) => `
    'dex_incoming_transfer', ${withAmounts(`${value}.dex_incoming_transfer`, ["amount"])},
    'dex_outgoing_transfer', ${withAmounts(`${value}.dex_outgoing_transfer`, ["amount"])},
    'peer_swaps', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'asset_in', p.asset_in, 'amount_in', p.amount_in::text,
        'asset_out', p.asset_out, 'amount_out', p.amount_out::text) order by p.ordinality), '[]')
      from unnest(${value}.peer_swaps) with ordinality p)`,
  jvault_claim_data: (value) => `
    'claimed_jettons', ${listIn(`${value}.claimed_jettons`)}, 'claimed_amounts', ${listIn(`${value}.claimed_amounts::text[]`)}`,
};

function listIn(list: string): string {
  return `coalesce(to_jsonb(${list}), '[]')`;
}

/** A composite value as an object whose amounts are texts. */
function withAmounts(value: string, amounts: readonly string[], members = ""): string {
  const texts = amounts.map((name) => `'${name}', (${value}).${name}::text`);
  const others = [...texts, ...(members === "" ? [] : [members])].join(", ");
  return `coalesce(to_jsonb(${value}), '{}') || jsonb_build_object(${others})`;
}

/** Texts that they store in columns of addresses. */
const extra = `jsonb_build_object('extra', jsonb_build_object(
  'btc_txid', case when x.type in ('tgbtc_mint', 'tgbtc_mint_fallback') then x.asset_secondary::text end,
  'pubkey', case
    when x.type in ('tgbtc_new_key', 'tgbtc_new_key_fallback') then x.source_secondary::text
    when x.type = 'tgbtc_dkg_log_fallback' then x.asset::text end))`;

/** SQL of the details of row `x` of actions as ours has them: an object of objects, without what is null. */
export const storedDetails = `jsonb_strip_nulls(${[
  extra,
  ...Object.entries(amountsIn).map(([name, amounts]) => {
    const object = withAmounts(`x.${name}`, amounts, membersIn[name]?.(`(x.${name})`));
    return `case when x.${name} is distinct from null then jsonb_build_object('${name}', ${object}) else '{}' end`;
  }),
].join("\n  || ")})`;

/** Details of an action that lacks those of its type: all members are absent. */
const absentDetails: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.keys(amountsIn).map((name) => [name, {}])),
  vesting_add_whitelist_data: { accounts_added: [] },
  jetton_swap_data: { dex_incoming_transfer: {}, dex_outgoing_transfer: {}, peer_swaps: [] },
  jvault_claim_data: { claimed_jettons: [], claimed_amounts: [] },
};

/** `details` with those that are missing. */
export function completeDetails(details: object = {}): object {
  return { ...absentDetails, ...details };
}
