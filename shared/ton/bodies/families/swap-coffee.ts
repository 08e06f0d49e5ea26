/** swap.coffee: vaults, pools, cross-exchange swaps, staking; events. */
export const swapCoffee = `
staking_asset_data wallet:MsgAddress amount:Coins = StakingAssetData
staking_position_data user_points:Coins additional_points:Coins start_timestamp:uint64 end_timestamp:uint64 period_id:uint32 = StakingPositionData
staking_forward_data gas:Coins payload:^Cell = StakingForwardData
swap_step_params pool_address_hash:uint256 min_output_amount:Coins next:?^SwapStepParams = SwapStepParams
swap_params deadline:uint32 recipient:MsgAddress referral:MsgAddress notification_data:?^NotificationData = SwapParams
swap_step_internal_params previous_amount:Coins previous_asset_hint:?Asset min_output_amount:Coins next:?^SwapStepParams = SwapStepInternalParams
notification_data_single receiver:MsgAddress fwd_gas:Coins payload:^Cell = NotificationDataSingle
pool_params first:Asset second:Asset amm:AMM amm_settings:?^Cell = PoolParams
pool_creation_params public:PublicPoolCreationParams private:PrivatePoolCreationParams = PoolCreationParams
native$00 = Asset
jetton$01 chain:uint8 hash:uint256 = Asset
extra$10 id:uint32 = Asset
notification_data on_success:?^NotificationDataSingle on_failure:?^NotificationDataSingle = NotificationData
deposit_liquidity_params params:^DepositLiquidityParamsTrimmed pool_params:^PoolParams = DepositLiquidityParams
deposit_liquidity_params_trimmed recipient:MsgAddress use_recipient_on_failure:int1 referral:MsgAddress deadline:uint32 condition:DepositLiquidityCondition extra_settings:?^Cell notification_data:?^NotificationData = DepositLiquidityParamsTrimmed
contract_update code:?^Cell data:?^Cell = ContractUpdate
pool_reserves input_reserve:Coins output_reserve:Coins = PoolReserves
constant_product$000 = AMM
curve_fi_stable$001 = AMM
public_pool_creation_params recipient:MsgAddress use_recipient_on_failure:int1 notification_data:?^Cell = PublicPoolCreationParams
private_pool_creation_params is_active:uint1 extra_settings:?^Cell = PrivatePoolCreationParams
none$00 = DepositLiquidityCondition
lp_quantity$01 min_lp_amount:Coins = DepositLiquidityCondition
reserves_ratio$10 denominator:uint16 min_nominator:uint16 max_nominator:uint16 = DepositLiquidityCondition
complex$11 min_lp_amount:Coins denominator:uint16 min_nominator:uint16 max_nominator:uint16 = DepositLiquidityCondition

coffee_mev_protect_hold_funds#6bc79e7e query_id
coffee_mev_protect_failed_swap#ee51ce51 query_id recipient:MsgAddress
coffee_cross_dex_resend#200f9086 query_id next_recipient:MsgAddress next:^Cell total_gas:Coins next_gas:Coins
coffee_cross_dex_failure#b902e61a query_id recipient:MsgAddress
coffee_staking_init#be5a7595 query_id owner:MsgAddress jetton_data:^StakingAssetData position_data:^StakingPositionData periods:?^Cell
coffee_staking_deposit#f9471134 query_id sender:MsgAddressInt jetton_amount:Coins from_user:MsgAddressInt period_id:uint32
coffee_staking_withdraw#cb03bfaf query_id nft_id:uint64 owner:MsgAddress points:Coins jetton_data:^StakingAssetData
coffee_staking_withdraw#cb03bfaf query_id wallet:MsgAddress amount:Coins owner:MsgAddress
coffee_staking_withdraw#cb03bfaf query_id
coffee_staking_update_rewards#0a9577f0 query_id jetton_wallet:MsgAddress jetton_amount:Coins duration:uint64
coffee_staking_claim_rewards#b30c7310 query_id jetton_wallet:MsgAddress jetton_amount:Coins receiver:MsgAddress payload:?^StakingForwardData
coffee_swap#c0ffee00 query_id amount:Coins _:SwapStepParams params:^SwapParams
coffee_swap_extra#c0ffee01 query_id _:SwapStepParams params:^SwapParams
coffee_swap_internal#c0ffee20 query_id _:SwapStepInternalParams params:^SwapParams proof:^Cell
coffee_payout#c0ffee32 query_id
coffee_payout_internal#c0ffee21 query_id recipient:MsgAddress amount:Coins notification_data:?^NotificationDataSingle proof:?^Cell
coffee_deploy#c0ffee22 query_id code:^Cell data:^Cell action:?^Cell
coffee_create_pool#c0ffee02 query_id amount:Coins params:PoolParams creation_params:PoolCreationParams
coffee_create_pool_extra#c0ffee03 query_id params:PoolParams creation_params:PoolCreationParams
coffee_create_pool_creator_request#c0ffee23 query_id amount:Coins params:PoolParams creation_params:^PoolCreationParams sender:MsgAddress proof:^Cell
coffee_create_pool_creator_internal#c0ffee24 query_id asset:Asset amount:Coins creation_params:^PoolCreationParams
coffee_create_pool_request#c0ffee25 query_id amount1:Coins amount2:Coins tx_initiator:MsgAddress creation_params:^PoolCreationParams proof:^Cell
coffee_create_pool_internal#c0ffee26 query_id amount1:Coins amount2:Coins tx_initiator:MsgAddress recipient:MsgAddress use_recipient_on_failure:int1 extra_settings:?^Cell notification_data:?^NotificationData
coffee_deposit_liquidity#c0ffee04 query_id input_amount:Coins params:DepositLiquidityParams
coffee_deposit_liquidity_extra#c0ffee05 query_id params:DepositLiquidityParams
coffee_create_liquidity_depository_request#c0ffee27 query_id amount:Coins params:DepositLiquidityParams sender:MsgAddress proof:^Cell
coffee_create_liquidity_depository_internal#c0ffee28 query_id asset:Asset amount:Coins params:^DepositLiquidityParamsTrimmed
coffee_deposit_liquidity_internal#c0ffee29 query_id amount1:Coins amount2:Coins tx_initiator:MsgAddress params:^DepositLiquidityParamsTrimmed proof:^Cell
coffee_create_vault#c0ffee06 query_id asset:Asset
coffee_create_vault_internal#c0ffee2a query_id
coffee_withdraw_deposit#c0ffee07 query_id
coffee_notification#c0ffee36 query_id body:^Cell
coffee_update_admin#c0ffee40 query_id address:MsgAddress
coffee_activate_vault#c0ffee42 query_id asset:Asset wallet:MsgAddress
coffee_activate_vault_internal#c0ffee2c query_id wallet:MsgAddress
coffee_withdraw#c0ffee43 query_id pool_address:MsgAddress asset:Asset amount:Coins receiver:MsgAddress
coffee_withdraw_internal#c0ffee2d query_id asset:Asset amount:Coins receiver:MsgAddress
coffee_update_code_cells#c0ffee44 query_id first:^Cell second:^Cell
coffee_update_contract#c0ffee45 query_id contract_address:MsgAddress _:ContractUpdate
coffee_update_contract_internal#c0ffee2e query_id excesses_receiver:MsgAddress _:ContractUpdate
coffee_update_withdrawer#c0ffee46 query_id address:MsgAddress
coffee_staking_rewards_updated#0a9577f0 query_id jetton_wallet:MsgAddress duration:uint64 finish_at:uint64 rewards_rate:Coins
coffee_staking_rewards_claimed#b30c7310 query_id jetton_wallet:MsgAddress amount:Coins receiver:MsgAddress
coffee_swap_succeeded#c0ffee30 query_id input:Asset input_amount:Coins output_amount:Coins reserves:PoolReserves protocol_fee:Coins
coffee_swap_failed#c0ffee31 query_id input:Asset input_amount:Coins reserves:?^PoolReserves
coffee_deposit_liquidity_succeeded#c0ffee33 query_id amount1:Coins amount2:Coins lp_amount:Coins total_supply:PoolReserves reserves:PoolReserves
coffee_deposit_liquidity_failed#c0ffee34 query_id amount1:Coins amount2:Coins min_lp_amount:Coins total_supply:Coins reserves:PoolReserves
coffee_withdraw_liquidity_succeeded#c0ffee35 query_id amount1:Coins amount2:Coins lp_amount:Coins total_supply:PoolReserves reserves:PoolReserves
coffee_cross_dex_resend_forward_payload#4ee9b106 next:^Cell
coffee_staking_lock_forward_payload#0c0ffede period_id:uint32
coffee_swap_forward_payload#c0ffee10 _:SwapStepParams params:^SwapParams
coffee_create_pool_forward_payload#c0ffee11 params:PoolParams creation_params:PoolCreationParams
coffee_deposit_liquidity_forward_payload#c0ffee12 params:DepositLiquidityParams
`;
