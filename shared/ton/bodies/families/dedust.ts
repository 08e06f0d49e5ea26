/** DeDust, protocol 2: factory, vaults, pools, deposits, jetton payloads, events. */
export const dedust = `
proof factory_addr:MsgAddress contract_type:ContractType params:Asset = VaultProof
proof factory_addr:MsgAddress contract_type:ContractType params:PoolParams = PoolProof
proof factory_addr:MsgAddress contract_type:ContractType params:^[owner_addr:MsgAddress pool_params:PoolParams] = LiquidityDepositProof
native$0000 = Asset
jetton$0001 workchain_id:int8 address:bits256 = Asset
code_installer#01 = Role
code_updater#02 = Role
fee_collector#03 = Role
fee_configurator#04 = Role
stable_pool_factory#05 = Role
legacy_vault_factory#06 = Role
quote_synchronizer#07 = Role
quote_configurator#08 = Role
pool_params is_stable:Bool asset0:Asset asset1:Asset = PoolParams
_ min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins = DepositLiquidityParams
step pool_addr:MsgAddress params:SwapStepParams = SwapStep
swap_params deadline:uint32 recipient_addr:MsgAddress referral_addr:MsgAddress fulfill_payload:?^Cell reject_payload:?^Cell = SwapParams
step_params kind:SwapKind limit:Coins next:?^SwapStep = SwapStepParams
given_in$0 = SwapKind
given_out$1 = SwapKind
vault#01 = ContractType
pool#02 = ContractType
liquidity_deposit#03 = ContractType
operator#04 = ContractType

dedust_transfer_ownership#ca61554e query_id new_owner_addr:MsgAddress
dedust_accept_ownership#dee60404 query_id
dedust_cancel_ownership_transfer#16cb7fc2 query_id
dedust_install_vault_code#bc3f26f6 query_id asset_type:uint4 code_version:uint16 code:^Cell
dedust_create_vault#21cfe02b query_id asset:Asset
dedust_create_legacy_jetton_vault#c9a5752d query_id minter_addr:MsgAddress resolver_addr:MsgAddress
dedust_upgrade_vault#25d66911 query_id asset:Asset
dedust_upgrade#df4a27aa query_id code_version:uint16 code:^Cell
dedust_reset_gas#9f3f0937 query_id
dedust_deploy_operator#b9d29997 query_id role:Role user_addr:MsgAddress
dedust_change_operator_user_addr#1be6df93 query_id role:Role user_addr:MsgAddress
dedust_install_operator_code#e505d21a query_id code_version:uint16 code:^Cell
dedust_upgrade_operator#0085f5a3 query_id role:Role
dedust_install_pool_code#a3e45df1 query_id code_version:uint16 code:^Cell
dedust_create_volatile_pool#97d51f2f query_id asset0:Asset asset1:Asset
dedust_create_stable_pool#7c40ac87 query_id asset0:Asset asset0_decimals:uint8 asset1:Asset asset1_decimals:uint8
dedust_upgrade_pool#53e252ae query_id pool_params:PoolParams
dedust_sync_fee_collector_addr#817462a9 query_id pool_addr:MsgAddress
dedust_configure_pool_asset_quote_provider#a805f43e query_id pool_addr:MsgAddress asset:Asset quote_provider_addr:MsgAddress
dedust_sync_pool_asset_quote#59317e9a query_id pool_addr:MsgAddress asset:Asset
dedust_install_liquidity_deposit_code#99a84311 query_id code_version:uint16 code:^Cell
dedust_create_liquidity_deposit#f04ec526 query_id proof:^VaultProof owner_addr:MsgAddress pool_params:PoolParams _:^[asset0_target_balance:Coins asset1_target_balance:Coins deposit_asset:Asset deposit_amount:Coins min_lp_amount:Coins] fulfill_payload:?^Cell reject_payload:?^Cell
dedust_destroy_non_ready_vault#8a518d0d query_id asset:Asset
dedust_install#9b3aa3fa query_id blank_code:^Cell code_version:uint16 code:^Cell extra_params:Cell
dedust_pay_out_from_deposit#6b0b787f query_id proof:^LiquidityDepositProof amount:Coins payload:?^Cell
dedust_pay_out_from_pool#ad4eb6f5 query_id proof:^PoolProof amount:Coins recipient_addr:MsgAddress payload:?^Cell
dedust_provide_vault_state#e93405b9 query_id
dedust_take_vault_state#a913dc0d query_id is_ready:Bool
dedust_deposit_liquidity#d55e4686 query_id amount:Coins pool_params:PoolParams deposit_params:^DepositLiquidityParams fulfill_payload:?^Cell reject_payload:?^Cell
dedust_deposit_liquidity#d55e4686 query_id amount:Coins pool_params:PoolParams min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins fulfill_payload:?^Cell reject_payload:?^Cell
dedust_payout#474f86cf query_id payload:?^Cell
dedust_swap#ea06185d query_id amount:Coins _:SwapStep swap_params:^SwapParams
dedust_deposit_liquidity#40e108d6 pool_params:PoolParams min_lp_amount:Coins asset0_target_balance:Coins asset1_target_balance:Coins fulfill_payload:?^Cell reject_payload:?^Cell
dedust_swap#e3a0d482 _:SwapStep swap_params:^SwapParams
dedust_destroy_non_ready#9d65482b query_id
dedust_deposit_liquidity_all#b56b9598 query_id proof:^LiquidityDepositProof owner_addr:MsgAddress min_lp_amount:Coins _:^[asset0:Asset asset0_amount:Coins asset1:Asset asset1_amount:Coins] fulfill_payload:?^Cell reject_payload:?^Cell
dedust_swap_external#61ee542d query_id proof:^VaultProof amount:Coins sender_addr:MsgAddress current:SwapStepParams swap_params:^SwapParams
dedust_swap_peer#72aca8aa query_id proof:^PoolProof asset:Asset amount:Coins sender_addr:MsgAddress current:SwapStepParams swap_params:^SwapParams
dedust_collect_fees#0b429f52 query_id asset0_amount:Coins asset0_destination:MsgAddress asset0_payload:?^Cell asset1_amount:Coins asset1_destination:MsgAddress asset1_payload:?^Cell
dedust_configure_fee_collector_addr#eda15922 query_id fee_collector_addr:MsgAddress
dedust_configure_quote_provider#abb46b3d query_id asset:Asset quote_provider_addr:MsgAddress
dedust_sync_asset_quote#6873c90c query_id asset:Asset
dedust_provide_pool_state#6e24728d query_id include_assets:Bool
dedust_take_pool_state#bddd4954 query_id reserve0:Coins reserve1:Coins total_supply:Coins assets:?^[asset0:Asset asset1:Asset]
dedust_configure_start_time#7ed7f6ce query_id start_at:uint32
dedust_deposit#b544f4a4 sender_addr:MsgAddress amount0:Coins amount1:Coins reserve0:Coins reserve1:Coins liquidity:Coins
dedust_withdrawal#3aa870a6 sender_addr:MsgAddress liquidity:Coins amount0:Coins amount1:Coins reserve0:Coins reserve1:Coins
dedust_swap#9c610de3 asset_in:Asset asset_out:Asset amount_in:Coins amount_out:Coins _:^[sender_addr:MsgAddress referral_addr:MsgAddress reserve0:Coins reserve1:Coins]
dedust_deposit_asset#54240fe5 query_id asset:Asset amount:Coins
dedust_fulfill_deposit#aae79256 query_id proof:^PoolProof asset0_deposit:Coins asset1_deposit:Coins
dedust_reject_deposit#e1a36cd4 query_id proof:^PoolProof payload:?^Cell
dedust_cancel_deposit#166cedee query_id payload:?^Cell
dedust_provide_current_quote#ad83913f query_id custom_payload:?^Cell
dedust_take_current_quote#0a420458 query_id quote_numerator:uint128 quote_denominator:uint128 custom_payload:?^Cell
dedust_configure_trade_fee#c015297f query_id trade_fee:uint16
dedust_reset_gas_v2#26c63ab7 query_id response_destination:MsgAddress
dedust_set_user_addr#48e5a95d query_id user_addr:MsgAddress
dedust_forward#f1989255 query_id destination:MsgAddress body:^Cell
`;
