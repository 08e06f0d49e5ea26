/** An address in raw form, upper case. Text, because classification compares addresses and uses them as keys. */
export type AddressText = string;
/** 32 bytes in base64. Text, because identifiers of actions are hashes of it. */
export type HashText = string;
/** Amounts of extra currencies, decimal, by their ids. */
export type ExtraCurrencies = Readonly<Record<string, string>>;

// Columns of the rows, named as the reference names them. Absent values are undefined.

/** The columns that a row can have besides those that every row has. */
export type Columns = {
  readonly source?: AddressText | undefined;
  readonly source_secondary?: AddressText | undefined;
  readonly destination?: AddressText | undefined;
  readonly destination_secondary?: AddressText | undefined;
  /** Undefined for TON where the type can carry TON. */
  readonly asset?: AddressText | undefined;
  readonly asset_secondary?: AddressText | undefined;
  readonly asset2?: AddressText | undefined;
  readonly asset2_secondary?: AddressText | undefined;
  readonly amount?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly value_extra_currencies?: ExtraCurrencies | undefined;
  /** Unsigned. */
  readonly opcode?: number | undefined;
};

/** An amount of a jetton; of TON without an asset. */
export type AssetAmount = { readonly asset: AddressText | undefined; readonly amount: bigint };

/** A bag of cells in base64. */
export type BocText = string;

type TonTransferDetails = { content: string | undefined; encrypted: boolean };

type JettonTransferDetails = {
  query_id: bigint | undefined;
  response_destination: AddressText | undefined;
  forward_amount: bigint | undefined;
  custom_payload: BocText | undefined;
  forward_payload: BocText | undefined;
  comment: string | undefined;
  is_encrypted_comment: boolean | undefined;
};

export type SwapTransfer = {
  amount: bigint | undefined;
  asset: AddressText | undefined;
  source: AddressText | undefined;
  source_jetton_wallet: AddressText | undefined;
  destination: AddressText | undefined;
  destination_jetton_wallet: AddressText | undefined;
};

export type PeerSwap = {
  asset_in: AddressText | undefined;
  amount_in: bigint;
  asset_out: AddressText | undefined;
  amount_out: bigint;
};

type SwapDetails = {
  dex: string;
  sender: AddressText | undefined;
  dex_incoming_transfer: SwapTransfer;
  dex_outgoing_transfer: SwapTransfer;
  peer_swaps: readonly PeerSwap[];
  min_out_amount: bigint | undefined;
};

export type DepositLiquidityDetails = {
  dex: string;
  asset1: AddressText | undefined;
  amount1: bigint | undefined;
  asset2: AddressText | undefined;
  amount2: bigint | undefined;
  user_jetton_wallet_1: AddressText | undefined;
  user_jetton_wallet_2: AddressText | undefined;
  lp_tokens_minted: bigint | undefined;
  target_asset_1?: AddressText | undefined;
  target_amount_1?: bigint | undefined;
  target_asset_2?: AddressText | undefined;
  target_amount_2?: bigint | undefined;
  vault_excesses?: readonly AssetAmount[];
  tick_lower?: bigint | undefined;
  tick_upper?: bigint | undefined;
  nft_index?: bigint | undefined;
  nft_address?: AddressText | undefined;
};

export type WithdrawLiquidityDetails = {
  dex: string;
  amount1: bigint | undefined;
  amount2: bigint | undefined;
  asset1_out: AddressText | undefined;
  asset2_out: AddressText | undefined;
  user_jetton_wallet_1: AddressText | undefined;
  user_jetton_wallet_2: AddressText | undefined;
  dex_wallet_1: AddressText | undefined;
  dex_wallet_2: AddressText | undefined;
  dex_jetton_wallet_1: AddressText | undefined;
  dex_jetton_wallet_2: AddressText | undefined;
  is_refund?: boolean;
  lp_tokens_burnt: bigint | undefined;
  burned_nft_index?: bigint | undefined;
  burned_nft_address?: AddressText | undefined;
  tick_lower?: bigint | undefined;
  tick_upper?: bigint | undefined;
};

type StakingDetails = {
  provider: "nominator" | "liquid_staking" | "ethena";
  tokens_minted?: bigint | undefined;
  tokens_burnt?: bigint | undefined;
  ts_nft?: AddressText | undefined;
};

export type NftTransferDetails = {
  query_id?: bigint | undefined;
  is_purchase?: boolean;
  price?: bigint | undefined;
  nft_item_index?: bigint | undefined;
  forward_amount?: bigint | undefined;
  custom_payload?: BocText | undefined;
  forward_payload?: BocText | undefined;
  response_destination?: AddressText | undefined;
  marketplace?: string | undefined;
  marketplace_address?: AddressText | undefined;
  real_prev_owner?: AddressText | undefined;
  payout_amount?: bigint | undefined;
  payout_comment?: string | undefined;
  payout_comment_encrypted?: boolean | undefined;
  payout_comment_encoded?: boolean | undefined;
  royalty_amount?: bigint | undefined;
};

type NftListingDetails = {
  nft_item_index?: bigint | undefined;
  full_price?: bigint | undefined;
  marketplace_fee?: bigint | undefined;
  marketplace_fee_address?: AddressText | undefined;
  royalty_amount?: bigint | undefined;
  royalty_address?: AddressText | undefined;
  mp_fee_factor?: bigint | undefined;
  mp_fee_base?: bigint | undefined;
  royalty_fee_base?: bigint | undefined;
  max_bid?: bigint | undefined;
  min_bid?: bigint | undefined;
  marketplace?: string | undefined;
};

type DnsRecordDetails = {
  /** Hex. */
  key: string;
  value_schema?: string | undefined;
  value?: string | undefined;
  flags?: number | undefined;
};

/** Columns of types that share a shape. */
type NftTransfer = {
  readonly nft_transfer_data: NftTransferDetails;
  readonly nft_listing_data?: NftListingDetails;
};
type NftListing = {
  readonly nft_listing_data: NftListingDetails;
  readonly nft_transfer_data?: NftTransferDetails;
};
type Nothing = { readonly [name in never]: never };
type WithdrawLiquidity = { readonly dex_withdraw_liquidity_data: WithdrawLiquidityDetails };
type Staking = { readonly staking_data: StakingDetails };
/** Texts that the reference keeps in columns for addresses. */
type Extra<T> = { readonly extra: T };

export type LayerZeroPacketDetails = {
  src_oapp: string;
  dst_oapp: string;
  src_eid: number;
  dst_eid: number;
  nonce: bigint;
  guid: string;
  message: string;
};

export type LayerZeroSendDetails = {
  send_request_id: bigint;
  msglib_manager: string;
  msglib: string;
  uln: AddressText | undefined;
  native_fee: bigint;
  zro_fee: bigint;
  endpoint: AddressText | undefined;
  channel: AddressText | undefined;
};

type LayerZeroPacket = { readonly layerzero_packet_data: LayerZeroPacketDetails };
type LayerZeroSend = LayerZeroPacket & { readonly layerzero_send_data: LayerZeroSendDetails };

/** The columns of details that rows of a type have. */
export type DetailsByType = {
  call_contract: Nothing;
  contract_deploy: Nothing;
  ton_transfer: { readonly ton_transfer_data: TonTransferDetails };
  tick_tock: Nothing;
  unknown: Nothing;

  jetton_transfer: { readonly jetton_transfer_data: JettonTransferDetails };
  jetton_burn: Nothing;
  jetton_mint: Nothing;

  jetton_swap: { readonly jetton_swap_data: SwapDetails };
  dex_deposit_liquidity: { readonly dex_deposit_liquidity_data: DepositLiquidityDetails };
  dex_withdraw_liquidity: WithdrawLiquidity;
  dedust_v2_claim_fees: WithdrawLiquidity;
  dedust_v2_claim_reward: WithdrawLiquidity;
  tonco_deploy_pool: {
    readonly tonco_deploy_pool_data: {
      jetton0_router_wallet: AddressText | undefined;
      jetton1_router_wallet: AddressText | undefined;
      jetton0_minter: AddressText | undefined;
      jetton1_minter: AddressText | undefined;
      tick_spacing: bigint;
      initial_price_x96: bigint;
      protocol_fee: bigint;
      lp_fee_base: bigint;
      lp_fee_current: bigint;
      pool_active: boolean;
    };
  };
  coffee_create_vault: Nothing;
  coffee_create_pool_creator: Nothing;
  coffee_create_pool: {
    readonly coffee_create_pool_data: {
      amount_1: bigint | undefined;
      amount_2: bigint | undefined;
      initiator_1: AddressText | undefined;
      initiator_2: AddressText | undefined;
      provided_asset: AddressText | undefined;
      lp_tokens_minted: bigint | undefined;
    };
  };
  coffee_mev_protect_hold_funds: Nothing;
  coffee_mev_protect_failed_swap: Nothing;
  coffee_staking_claim_rewards: Nothing;
  coffee_staking_deposit: {
    readonly coffee_staking_deposit_data: {
      minted_item_address: AddressText | undefined;
      minted_item_index: bigint | undefined;
    };
  };
  coffee_staking_withdraw: {
    readonly coffee_staking_withdraw_data: {
      nft_address: AddressText | undefined;
      nft_index: bigint | undefined;
      points: bigint | undefined;
    };
  };

  stake_deposit: Staking;
  stake_withdrawal: Staking;
  stake_withdrawal_request: Staking;
  election_deposit: Nothing;
  election_recover: Nothing;
  subscribe: Nothing;
  unsubscribe: Nothing;

  nft_mint: { readonly nft_mint_data: { nft_item_index: bigint | undefined } };
  nft_transfer: NftTransfer;
  nft_purchase: NftTransfer;
  nft_discovery: NftTransfer;
  nft_put_on_sale: NftListing;
  nft_put_on_auction: NftListing;
  nft_update_sale: NftListing;
  nft_cancel_sale: NftTransfer;
  nft_cancel_auction: NftTransfer;
  nft_finish_auction: NftTransfer;
  teleitem_start_auction: NftListing;
  teleitem_cancel_auction: NftTransfer;
  auction_bid: NftTransfer;
  auction_outbid: Nothing;
  dns_purchase: NftTransfer;
  dns_release: NftTransfer;
  change_dns: { readonly change_dns_record_data: DnsRecordDetails };
  delete_dns: { readonly change_dns_record_data: DnsRecordDetails };
  renew_dns: Nothing;

  multisig_create_order: {
    readonly multisig_create_order_data: {
      query_id: bigint;
      order_seqno: bigint;
      is_created_by_signer: boolean;
      is_signed_by_creator: boolean;
      creator_index: number;
      expiration_date: number;
      order_boc: BocText;
    };
  };
  multisig_approve: {
    readonly multisig_approve_data: { signer_index: number; exit_code: number };
  };
  multisig_execute: {
    readonly multisig_execute_data: {
      query_id: bigint;
      order_seqno: bigint;
      expiration_date: number;
      approvals_num: number;
      signers_hash: HashText;
      order_boc: BocText;
    };
  };
  vesting_send_message: {
    readonly vesting_send_message_data: { query_id: bigint; message_boc: BocText };
  };
  vesting_add_whitelist: {
    readonly vesting_add_whitelist_data: { query_id: bigint; accounts_added: readonly AddressText[] };
  };

  evaa_supply: {
    readonly evaa_supply_data: {
      is_ton: boolean;
      asset_id: string | undefined;
      master: AddressText | undefined;
      sender_jetton_wallet?: AddressText | undefined;
      recipient_jetton_wallet: AddressText | undefined;
      master_jetton_wallet: AddressText | undefined;
    };
  };
  evaa_withdraw: {
    readonly evaa_withdraw_data: {
      is_ton: boolean;
      asset_id: string | undefined;
      master: AddressText | undefined;
      recipient_jetton_wallet: AddressText | undefined;
      master_jetton_wallet: AddressText | undefined;
      fail_reason: string | undefined;
    };
  };
  evaa_liquidate: {
    readonly evaa_liquidate_data: {
      asset_id: string | undefined;
      debt_amount: bigint | undefined;
      fail_reason: string | undefined;
    };
  };

  jvault_stake: {
    readonly jvault_stake_data: {
      period: bigint | undefined;
      minted_stake_jettons?: bigint | undefined;
      stake_wallet: AddressText | undefined;
    };
  };
  jvault_unstake: Nothing;
  jvault_unstake_request: Nothing;
  jvault_claim: {
    readonly jvault_claim_data: {
      claimed_jettons: readonly AddressText[];
      claimed_amounts: readonly bigint[];
    };
  };

  tgbtc_mint: Extra<{ btc_txid: string | undefined }>;
  tgbtc_mint_fallback: Extra<{ btc_txid: string | undefined }>;
  tgbtc_burn: Nothing;
  tgbtc_burn_fallback: Nothing;
  tgbtc_new_key: Extra<{ pubkey: string | undefined }>;
  tgbtc_new_key_fallback: Extra<{ pubkey: string | undefined }>;
  tgbtc_dkg_log_fallback: Extra<{ pubkey: string | undefined }>;

  layerzero_send: LayerZeroSend;
  layerzero_send_tokens: LayerZeroSend;
  layerzero_receive: LayerZeroPacket;
  layerzero_commit_packet: LayerZeroPacket;
  layerzero_dvn_verify: {
    readonly layerzero_dvn_verify_data: {
      nonce: bigint;
      status: string;
      dvn: AddressText | undefined;
      proxy: AddressText | undefined;
      uln: AddressText | undefined;
      uln_connection: AddressText | undefined;
    };
  };

  cocoon_worker_payout: {
    readonly cocoon_worker_payout_data: {
      payout_type: string;
      query_id: bigint;
      new_tokens: bigint;
      worker_state: number;
      worker_tokens: bigint;
    };
  };
  cocoon_proxy_payout: { readonly cocoon_proxy_payout_data: { query_id: bigint } };
  cocoon_proxy_charge: {
    readonly cocoon_proxy_charge_data: CocoonCharge;
  };
  cocoon_grant_refund: {
    readonly cocoon_grant_refund_data: CocoonCharge;
  };
  cocoon_client_top_up: { readonly cocoon_client_top_up_data: { query_id: bigint } };
  cocoon_register_proxy: { readonly cocoon_register_proxy_data: { query_id: bigint } };
  cocoon_unregister_proxy: {
    readonly cocoon_unregister_proxy_data: { query_id: bigint; seqno: number };
  };
  cocoon_client_register: {
    readonly cocoon_client_register_data: { query_id: bigint; nonce: bigint };
  };
  cocoon_client_change_secret_hash: {
    readonly cocoon_client_change_secret_hash_data: { query_id: bigint; new_secret_hash: string };
  };
  cocoon_client_request_refund: {
    readonly cocoon_client_request_refund_data: { query_id: bigint; via_wallet: boolean };
  };
  cocoon_client_increase_stake: {
    readonly cocoon_client_increase_stake_data: { query_id: bigint; new_stake: bigint };
  };
  cocoon_client_withdraw: {
    readonly cocoon_client_withdraw_data: { query_id: bigint; withdraw_amount: bigint };
  };
};

type CocoonCharge = { query_id: bigint; new_tokens_used: bigint; expected_address: string | undefined };

export type ActionType = keyof DetailsByType;

/** The columns that a family fills for a row of a type. */
export type ColumnsOf<T extends ActionType> = Columns & DetailsByType[T];
