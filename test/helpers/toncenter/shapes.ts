// Tables of TON Center's indexer, by the migrations of ton-indexer 1.2.10: names of columns by their types.

/** Words of enumerations, in their order. */
export const enumerations = {
  account_status_type: "uninit frozen active nonexist",
  bounce_type: "negfunds nofunds ok",
  descr_type: "ord storage tick_tock split_prepare split_install merge_prepare merge_install",
  msg_direction: "out in",
  skipped_reason_type: "no_state bad_state no_gas suspended",
  status_change_type: "unchanged frozen deleted",
  trace_classification_state: "unclassified failed ok broken",
  trace_state: "complete pending broken",
} as const;

/** Names of columns by their types: `type: name name; type: name`. */
type Columns = string;

/** Members of composite types; those that others contain come first. */
export const compositeTypes: Readonly<Record<string, Columns>> = {
  blockid: "integer: workchain seqno; bigint: shard",
  change_dns_record_details: "varchar: key value_schema value; integer: flags",
  liquidity_vault_excess_details: "varchar: asset; numeric: amount",
  dex_deposit_liquidity_details: `varchar: dex asset1 asset2 user_jetton_wallet_1 user_jetton_wallet_2 target_asset_1 target_asset_2 nft_address;
    numeric: amount1 amount2 lp_tokens_minted target_amount_1 target_amount_2 tick_lower tick_upper nft_index;
    liquidity_vault_excess_details[]: vault_excesses`,
  dex_transfer_details: `numeric: amount;
    tonaddr: asset source destination source_jetton_wallet destination_jetton_wallet`,
  dex_withdraw_liquidity_details: `varchar: dex asset1_out asset2_out user_jetton_wallet_1 user_jetton_wallet_2 dex_jetton_wallet_1 dex_jetton_wallet_2 dex_wallet_1 dex_wallet_2 burned_nft_address;
    numeric: amount1 amount2 lp_tokens_burnt burned_nft_index tick_lower tick_upper`,
  jetton_transfer_details: `tonaddr: response_destination;
    numeric: forward_amount query_id;
    text: custom_payload forward_payload comment;
    boolean: is_encrypted_comment`,
  nft_mint_details: "numeric: nft_item_index",
  nft_transfer_details: `boolean: is_purchase payout_comment_encrypted payout_comment_encoded;
    numeric: price query_id forward_amount nft_item_index payout_amount royalty_amount;
    text: custom_payload forward_payload payout_comment;
    tonaddr: response_destination real_prev_owner marketplace_address;
    varchar: marketplace`,
  peer_swap_details: "tonaddr: asset_in asset_out; numeric: amount_in amount_out",
  jetton_swap_details: `varchar: dex;
    tonaddr: sender;
    dex_transfer_details: dex_incoming_transfer dex_outgoing_transfer;
    peer_swap_details[]: peer_swaps;
    numeric: min_out_amount`,
  staking_details: "varchar: provider ts_nft; numeric: tokens_burnt tokens_minted",
  ton_transfer_details: "text: content; boolean: encrypted",
  multisig_create_order_details: `numeric: query_id order_seqno creator_index expiration_date;
    boolean: is_created_by_signer is_signed_by_creator;
    varchar: order_boc`,
  multisig_approve_details: "numeric: signer_index exit_code",
  multisig_execute_details: `numeric: query_id order_seqno expiration_date approvals_num;
    varchar: signers_hash order_boc`,
  vesting_send_message_details: "numeric: query_id; varchar: message_boc",
  vesting_add_whitelist_details: "numeric: query_id; varchar[]: accounts_added",
  evaa_supply_details: `varchar: sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master asset_id;
    boolean: is_ton`,
  evaa_withdraw_details: `varchar: sender_jetton_wallet recipient_jetton_wallet master_jetton_wallet master fail_reason asset_id`,
  evaa_liquidate_details: "text: fail_reason; numeric: debt_amount; varchar: asset_id",
  jvault_claim_details: "varchar[]: claimed_jettons; numeric[]: claimed_amounts",
  jvault_stake_details: "numeric: period minted_stake_jettons; varchar: stake_wallet",
  tonco_deploy_pool_details: `varchar: jetton0_router_wallet jetton1_router_wallet jetton0_minter jetton1_minter;
    integer: tick_spacing protocol_fee lp_fee_base lp_fee_current;
    numeric: initial_price_x96;
    boolean: pool_active`,
  coffee_create_pool_details: `numeric: amount_1 amount_2 lp_tokens_minted;
    tonaddr: initiator_1 initiator_2 provided_asset pool_creator_contract`,
  coffee_staking_deposit_details: "tonaddr: minted_item_address; numeric: minted_item_index",
  coffee_staking_withdraw_details: "tonaddr: nft_address; numeric: nft_index points",
  nft_listing_details: `numeric: nft_item_index full_price marketplace_fee royalty_amount mp_fee_factor mp_fee_base royalty_fee_base max_bid min_bid;
    tonaddr: marketplace_fee_address royalty_address;
    varchar: marketplace`,
  layerzero_send_details: `numeric: send_request_id native_fee zro_fee;
    varchar: msglib_manager msglib;
    tonaddr: uln endpoint channel`,
  layerzero_packet_details: `varchar: src_oapp dst_oapp guid message;
    integer: src_eid dst_eid;
    numeric: nonce`,
  layerzero_dvn_verify_details: "numeric: nonce; varchar: status; tonaddr: dvn proxy uln uln_connection",
  cocoon_worker_payout_details: `varchar: payout_type;
    numeric: query_id new_tokens worker_tokens;
    integer: worker_state`,
  cocoon_proxy_payout_details: "numeric: query_id",
  cocoon_proxy_charge_details: "numeric: query_id new_tokens_used; varchar: expected_address",
  cocoon_client_top_up_details: "numeric: query_id",
  cocoon_register_proxy_details: "numeric: query_id",
  cocoon_unregister_proxy_details: "numeric: query_id; integer: seqno",
  cocoon_client_register_details: "numeric: query_id nonce",
  cocoon_client_change_secret_hash_details: "numeric: query_id; varchar: new_secret_hash",
  cocoon_client_request_refund_details: "numeric: query_id; boolean: via_wallet",
  cocoon_grant_refund_details: "numeric: query_id new_tokens_used; varchar: expected_address",
  cocoon_client_increase_stake_details: "numeric: query_id new_stake",
  cocoon_client_withdraw_details: "numeric: query_id withdraw_amount",
};

/** Composite types that only others contain. */
const inner = ["blockid", "liquidity_vault_excess_details", "dex_transfer_details", "peer_swap_details"];
const details = Object.keys(compositeTypes).filter((name) => !inner.includes(name));

type ForeignTableShape = { readonly key: string; readonly columns: Columns };

const table = (key: string, columns: Columns): ForeignTableShape => ({ key, columns });
const contract = (columns: Columns) =>
  table(
    "address",
    `bigserial: id; tonaddr: address; ${columns}; bigint: last_transaction_lt; tonhash: code_hash data_hash`,
  );
const event = (columns: Columns) =>
  table(
    "tx_hash, tx_lt",
    `tonhash: tx_hash trace_id; bigint: tx_lt; integer: tx_now mc_seqno; boolean: tx_aborted; text: custom_payload;
    tonaddr: response_destination; numeric: query_id; ${columns}`,
  );

/** Columns of the tables that answers are read from. */
export const tableShapes: Readonly<Record<string, ForeignTableShape>> = {
  blocks: table(
    "workchain, shard, seqno",
    `integer: workchain seqno mc_block_workchain mc_block_seqno global_id version flags validator_list_hash_short gen_catchain_seqno min_ref_mc_seqno prev_key_block_seqno vert_seqno master_ref_seqno tx_count;
    bigint: shard mc_block_shard gen_utime start_lt end_lt;
    tonhash: root_hash file_hash rand_seed created_by;
    boolean: after_merge before_split after_split want_merge want_split key_block vert_seqno_incr;
    blockid[]: prev_blocks`,
  ),
  shard_state: table(
    "mc_seqno, workchain, shard, seqno",
    `integer: mc_seqno workchain seqno;
    bigint: shard`,
  ),
  transactions: table(
    "hash, lt",
    `tonaddr: account split_info_this_addr split_info_sibling_addr;
    tonhash: hash trace_id prev_trans_hash account_state_hash_before account_state_hash_after compute_vm_init_state_hash compute_vm_final_state_hash action_action_list_hash;
    bigint: lt block_shard prev_trans_lt total_fees storage_fees_collected storage_fees_due credit_due_fees_collected credit compute_gas_fees compute_gas_used compute_gas_limit compute_gas_credit compute_vm_steps action_total_fwd_fees action_total_action_fees action_tot_msg_size_cells action_tot_msg_size_bits bounce_msg_size_cells bounce_msg_size_bits bounce_req_fwd_fees bounce_msg_fees bounce_fwd_fees;
    integer: block_workchain block_seqno mc_block_seqno now compute_exit_code compute_exit_arg;
    account_status_type: orig_status end_status;
    jsonb: total_fees_extra_currencies credit_extra_currencies;
    descr_type: descr;
    boolean: aborted destroyed credit_first is_tock installed compute_skipped compute_success compute_msg_state_used compute_account_activated action_success action_valid action_no_funds;
    status_change_type: storage_status_change action_status_change;
    skipped_reason_type: skipped_reason;
    smallint: compute_mode;
    int: action_result_code action_result_arg action_tot_actions action_spec_actions action_skipped_actions action_msgs_created split_info_cur_shard_pfx_len split_info_acc_split_depth;
    bounce_type: bounce`,
  ),
  messages: table(
    "tx_hash, tx_lt, msg_hash, direction",
    `tonhash: tx_hash msg_hash msg_hash_norm trace_id body_hash init_state_hash;
    bigint: tx_lt value fwd_fee ihr_fee created_lt created_at import_fee;
    integer: mc_seqno opcode;
    msg_direction: direction;
    tonaddr: source destination;
    jsonb: value_extra_currencies;
    numeric: extra_flags;
    boolean: ihr_disabled bounce bounced`,
  ),
  message_contents: table("hash", "tonhash: hash; text: body"),
  account_states: table(
    "hash",
    `tonhash: hash frozen_hash data_hash code_hash;
    tonaddr: account;
    bigint: balance;
    jsonb: balance_extra_currencies;
    account_status_type: account_status`,
  ),
  latest_account_states: table(
    "account",
    `bigserial: id;
    tonaddr: account account_friendly;
    tonhash: hash last_trans_hash frozen_hash data_hash code_hash;
    bigint: balance last_trans_lt;
    jsonb: balance_extra_currencies;
    account_status_type: account_status;
    integer: timestamp;
    text: data_boc code_boc`,
  ),
  nft_collections: contract("tonaddr: owner_address; numeric: next_item_index; jsonb: collection_content"),
  nft_items: contract(`tonaddr: collection_address owner_address real_owner;
    boolean: init;
    numeric: index;
    jsonb: content`),
  nft_transfers: event(`numeric: nft_item_index forward_amount;
    tonaddr: nft_item_address nft_collection_address old_owner new_owner;
    text: forward_payload`),
  jetton_masters: contract(`tonaddr: admin_address;
    numeric: total_supply;
    boolean: mintable;
    jsonb: jetton_content;
    tonhash: jetton_wallet_code_hash`),
  mintless_jetton_masters: table(
    "address",
    `bigserial: id;
    tonaddr: address;
    boolean: is_indexed;
    character varying[]: custom_payload_api_uri`,
  ),
  jetton_wallets: contract(`tonaddr: owner jetton;
    numeric: balance mintless_amount;
    bigint: mintless_start_from mintless_expire_at;
    boolean: mintless_is_claimed`),
  jetton_burns: event("numeric: amount; tonaddr: owner jetton_wallet_address jetton_master_address"),
  jetton_transfers: event(`numeric: amount forward_ton_amount;
    tonaddr: source destination jetton_wallet_address jetton_master_address;
    text: forward_payload`),
  getgems_nft_sales:
    contract(`tonaddr: marketplace_address nft_address nft_owner_address marketplace_fee_address royalty_address;
    boolean: is_complete;
    bigint: created_at;
    numeric: full_price marketplace_fee royalty_amount sold_at sold_query_id;
    jsonb: jetton_price_dict`),
  getgems_nft_auctions:
    contract(`tonaddr: mp_addr nft_addr nft_owner last_member mp_fee_addr royalty_fee_addr jetton_wallet jetton_master;
    boolean: end_flag is_canceled activated is_broken_state;
    bigint: end_time min_step mp_fee_factor mp_fee_base royalty_fee_factor royalty_fee_base created_at last_bid_at step_time;
    numeric: last_bid max_bid min_bid last_query_id;
    varchar: public_key`),
  multisig: contract("numeric: next_order_seqno; bigint: threshold; tonaddr[]: signers proposers"),
  multisig_orders: contract(`tonaddr: multisig_address;
    numeric: order_seqno approvals_mask;
    bigint: threshold approvals_num expiration_date;
    boolean: sent_for_execution;
    text: order_boc;
    tonaddr[]: signers`),
  traces: table(
    "trace_id",
    `tonhash: trace_id external_hash external_hash_norm;
    integer: mc_seqno_start mc_seqno_end start_utime end_utime;
    bigint: start_lt end_lt pending_edges_ edges_ nodes_;
    trace_state: state;
    trace_classification_state: classification_state`,
  ),
  actions: table(
    "trace_id, action_id",
    `tonhash: trace_id action_id trace_external_hash trace_external_hash_norm;
    bigint: start_lt end_lt start_utime end_utime opcode trace_end_lt;
    tonaddr: source source_secondary destination destination_secondary asset asset_secondary asset2 asset2_secondary;
    tonhash[]: tx_hashes;
    varchar: type parent_action_id;
    numeric: value amount;
    boolean: success;
    integer: trace_end_utime mc_seqno_end trace_mc_seqno_end;
    varchar[]: ancestor_type;
    jsonb: value_extra_currencies extra;
    ${details.map((name) => `${name}: ${name.replace("_details", "_data")}`).join("; ")}`,
  ),
  action_accounts: table(
    "account, trace_end_lt, trace_id, action_end_lt, action_id",
    `tonhash: action_id trace_id;
    tonaddr: account;
    bigint: trace_end_lt action_end_lt action_end_utime;
    integer: trace_end_utime`,
  ),
  dns_entries: table(
    "nft_item_address",
    `tonaddr: nft_item_address nft_item_owner dns_next_resolver dns_wallet;
    varchar: domain;
    varchar(64): dns_site_adnl dns_storage_bag_id;
    bigint: last_transaction_lt`,
  ),
  vesting_contracts: contract(`tonaddr: vesting_sender_address owner_address;
    integer: vesting_start_time vesting_total_duration unlock_period cliff_duration;
    numeric: vesting_total_amount`),
  vesting_whitelist: table(
    "vesting_contract_address, wallet_address",
    `tonaddr: vesting_contract_address wallet_address`,
  ),
  contract_methods: table("code_hash", "tonhash: code_hash; bigint[]: methods"),
  address_metadata: table(
    "address, type",
    `varchar: address type name description symbol image;
    boolean: valid reindex_allowed;
    jsonb: extra;
    bigint: updated_at expires_at`,
  ),
  marketplace_names: table("address", "tonaddr: address; varchar: name"),
  telemint_nft_items: contract(`tonaddr: bidder_address beneficiary_address royalty_destination;
    varchar: token_name;
    numeric: bid min_bid initial_min_bid max_bid min_bid_step;
    integer: bid_ts end_time;
    bigint: min_extend_time duration royalty_numerator royalty_denominator`),
  address_metadata_flags: table("address", "varchar: address; boolean: is_nsfw is_scam"),
};
