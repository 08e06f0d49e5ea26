/** Storm Trade: perpetual futures, smart accounts, order bundles. */
export const storm = `
without_settlement#00 update_msg:^UpdateMsg signatures:^Signature = OraclePayload
single_lazer_payload#00 price_oracle_payload:^SingleOraclePayload lazer_message:?^LazerMessage = OraclePayload
double_lazer_payload#01 price_oracle_payload:^DoubleOraclePayload lazer_message:?^LazerMessage = OraclePayload
single_with_created#02 price_oracle_payload:^SingleOraclePayload created_oracle_payload:^CreatedOraclePayload lazer_message:?^LazerMessage created_lazer_message:?^LazerMessage = OraclePayload
double_with_created#03 price_oracle_payload:^DoubleOraclePayload created_oracle_payload:^CreatedOraclePayload lazer_message:?^LazerMessage created_lazer_message:?^LazerMessage = OraclePayload
storm#0 = OracleType
lazer#1 = OracleType
long$0 = Direction
short$1 = Direction
_ size:int128 direction:Direction margin:Coins open_notional:Coins last_updated_cumulative_premium:int64 fee:uint32 discount:uint32 rebate:uint32 last_updated_timestamp:uint32 = PositionData
amm_state_log quote_asset_reserve:Coins quote_asset_weight:Coins base_asset_reserve:Coins total_long_position_size:Coins total_short_position_size:Coins open_interest_long:Coins open_interest_short:Coins = AmmStateLog
market_depth vpi_spread:Coins vpi_market_depth_long:Coins vpi_market_depth_short:Coins vpi_coefficient:uint64 = MarketDepth
referral_params referral_amount:Coins referral_addr:MsgAddress = NotificationReferralParams
executor_params split_executor_reward:uint1 executor_amount:Coins executor_index:uint32 = NotificationExecutorParams
stop_loss_order#0 expiration:uint32 direction:Direction amount:Coins trigger_price:Coins = UserOrder
take_profit_order#1 expiration:uint32 direction:Direction amount:Coins trigger_price:Coins = UserOrder
_ order:CreateOrder = UserOrder
add_margin#4 direction:Direction amount:Coins = UserOrder
remove_margin#5 direction:Direction amount:Coins = UserOrder
request_order#8 selector:ExecuteSelector order:CreateOrder = UserOrder
_ highload_timeout:uint24 keys:^Keys version:uint8 new_code:^Cell = InitializationData
need_key_init$1 user_public_keys:(HashmapE 256 Cell) = InitializationRequest
no_key_init$0 = InitializationRequest
_ trader_address:MsgAddress smart_account_factory_address:MsgAddress vault_address:MsgAddress = AddressesData
_ discount:uint32 rebate:uint32 ref_info:(HashmapE 4 ReferrerData) = ReferralData
user_intent$0 signature:bits512 intent:^UserIntent oracle_payload:^OraclePayload next_intent:?^Intent = Intent
executor_intent$1 intent:^ExecutorIntent oracle_payload:^OraclePayload next_intent:?^Intent = Intent
_ query_id:ExecutorQueryId created_at:uint32 sa_address:MsgAddress actual_version:uint8 upgrade_payload:?^SignedUpgradePayload msg:?^MessageRelaxed = ExternalMsgPayload
_ type:LogType size:int128 margin:Coins open_notional:Coins last_updated_cpf:int64 realized_pnl:int64 funding_payment:int64 rollover_fee:uint64 position_fee_rate:uint32 executor_fee_rate:uint32 position_fee_amount:Coins executor_fee_amount:Coins fee_to_stakers_percent:uint32 = IntentLog
_ referrer_address:MsgAddress referrer_part:uint8 = ReferrerData
_ bundle_sender_address:MsgAddress balance_delta:Coins amm_address:MsgAddress direction:Direction position_data:?^PositionData = NotificationPayload
_ query_id:ExecutorQueryId created_at:uint32 sa_address:MsgAddress new_hot_key:uint256 = SignedChangeKeyPayload
_ external_query_id:ExecutorQueryId created_at:uint32 sa_address:MsgAddress query_id amount:Coins vault_address:MsgAddress = SignedSelfDepositNativePayload
_ external_query_id:ExecutorQueryId created_at:uint32 sa_address:MsgAddress query_id amount:Coins vault_address:MsgAddress _:^[jetton_wallet_address:MsgAddress] = SignedSelfDepositJettonPayload
without_settlement update_msg:^UpdateMsg signatures:^Signature = SingleOraclePayload
lazer_message#9a99222a r:uint256 s:uint256 v:uint8 payload_length:uint16 payload:LazerPayload = LazerMessage
with_settlement update_msg:^UpdateMsg signatures:^Signature settlement_update_msg:^UpdateMsg settlement_signatures:^Signature = DoubleOraclePayload
created_price#00 update_msg:^UpdateMsg signatures:^Signature = CreatedOraclePayload
created_price_with_settlement#01 update_msg:^UpdateMsg signatures:^Signature settlement_update_msg:^UpdateMsg settlement_signatures:^Signature = CreatedOraclePayload
limit_order#2 expiration:uint32 direction:Direction amount:Coins leverage:uint64 limit_price:Coins stop_price:Coins stop_trigger_price:Coins take_trigger_price:Coins = CreateOrder
market_order#3 expiration:uint32 direction:Direction amount:Coins leverage:uint64 limit_price:Coins stop_price:Coins stop_trigger_price:Coins take_trigger_price:Coins = CreateOrder
execute_stop$0 = ExecuteSelector
execute_take$1 = ExecuteSelector
_ hot_public_key:uint256 cold_public_key:uint256 user_public_keys:(HashmapE 256 Cell) keys_count:uint8 = Keys
_ query_id:UserQueryId created_at:uint32 reference_query_id:?UserQueryId public_key:bits256 intent:^UserIntentPayload = UserIntent
_ amm_address:MsgAddress sa_address:MsgAddress order:^ExecutorOrder = ExecutorIntent
_ shift:uint13 bit_number:uint10 = ExecutorQueryId
_ signature:bits512 payload:(HashmapE 8 UpgradePayload) = SignedUpgradePayload
increase#00 = LogType
close#01 = LogType
add_margin#02 = LogType
remove_margin#03 = LogType
update_msg price:Coins spread:Coins timestamp:uint32 assetIndex:uint16 pause_at:uint32 unpause_at:uint32 vpi_spread:Coins vpi_market_depth_long:Coins vpi_market_depth_short:Coins vpi_coefficient:uint64 = UpdateMsg
empty$0 continue:(Either ^Signature None) = Signature
fulled$1 signature:bits512 continue:(Either ^Signature None) = Signature
single_lazer_payload$0 magic:LazerPayloadMagic timestamp:uint64 channel_id:uint8 number_of_feeds:uint8=1 index_feed_id:uint32 index_feed:LazerFeed = LazerPayload
double_lazer_payload$1 magic:LazerPayloadMagic timestamp:uint64 channel_id:uint8 number_of_feeds:uint8=2 index_feed_id:uint32 index_feed:LazerFeed settlement_feed_id:uint32 settlement_feed:LazerFeed = LazerPayload
_ shift:uint13 bit_number:uint10 = UserQueryId
user_intent_payload amm_address:MsgAddress sa_address:MsgAddress order:^UserOrder = UserIntentPayload
liquidate#6 direction:Direction = ExecutorOrder
force_close#7 direction:Direction = ExecutorOrder
force_close_max_leverage#9 direction:Direction = ExecutorOrder
force_close_min_margin#a direction:Direction = ExecutorOrder
_ migrate_code:?^Cell new_code:?^Cell = UpgradePayload
lazer_payload_magic#93c7d375 = LazerPayloadMagic
_ number_of_properties:uint8=2 price_property_id:uint8=0 price_property_value:uint64 exponent_property_id:uint8=4 exponent_property_value:int16 = LazerFeed

storm_force_close_max_leverage#5b705138 executor_index:uint32 oracle_payload:^OraclePayload
storm_force_close_min_margin#5a8cf652 executor_index:uint32 oracle_payload:^OraclePayload
storm_change_max_leverage#0ef28735 query_id response_destination:MsgAddress new_max_leverage:uint32
storm_change_max_leverage_request#28055719 query_id vamm_address:MsgAddress new_max_leverage:uint32
storm_change_lazer_data#04db6665 query_id response_destination:MsgAddress oracle_flag:OracleType index_asset_pyth_id:uint32 settlement_asset_pyth_id:uint32
storm_change_lazer_data_request#174c830c query_id vamm_address:MsgAddress oracle_flag:OracleType index_asset_pyth_id:uint32 settlement_asset_pyth_id:uint32
storm_update_position#60dfc677 direction:Direction origin_op:uint32 oracle_price:Coins settlement_oracle_price:Coins new_position_ref:^PositionData amm_state_log:^AmmStateLog
storm_complete_order#cf90d618 order_type:uint4 order_index:uint3 direction:Direction origin_op:uint32 oracle_price:Coins settlement_oracle_price:Coins new_position_ref:^PositionData amm_state_log:^AmmStateLog market_depth_log_ref:^MarketDepth
storm_trade_notification#3475fdd2 asset_id:uint16 free_amount:int64 locked_amount:int64 exchange_amount:int64 withdraw_locked_amount:uint64 fee_to_stakers:uint64 withdraw_amount:uint64 trader_addr:MsgAddress origin_addr:MsgAddress referral_data:?^NotificationReferralParams executor_params:?^NotificationExecutorParams
storm_execute_order#de1ddbcc direction:Direction order_index:uint3 trader_addr:MsgAddress prev_addr:MsgAddress ref_addr:MsgAddress executor_index:uint32 order:^UserOrder position:^PositionData oracle_payload:^OraclePayload
storm_provide_position#13076670 direction:uint1 gas_to_addr:MsgAddress inner_opcode:uint32 executor_index:uint32 oracle_ref:^OraclePayload
storm_deploy_ordinary_sa#0302cd79 query_id user_public_keys:(HashmapE 256 Cell)
storm_init_sa#5b0dd9f4 query_id init_data:InitializationData
storm_add_public_key#220c4c19 query_id public_key:uint256
storm_remove_public_key#76519f8b query_id public_key:uint256
storm_remove_all_keys_except_current#644794b8 query_id public_key:uint256
storm_deposit_native#29bb3721 query_id amount:Coins receiver_address:MsgAddress init:Bool key_init:InitializationRequest
storm_deposit_jetton#76840119 query_id receiver_address:MsgAddress init:Bool key_init:InitializationRequest
storm_notify_with_deploy#5a89f5a2 query_id amount:Coins user_public_keys:(HashmapE 256 Cell) sender_address:MsgAddress owner_address:MsgAddress jetton_minter_address:MsgAddress
storm_deposit_notify_with_deploy#18a092f7 query_id vault_address:MsgAddress amount:Coins sender_address:MsgAddress init_data:InitializationData
storm_deposit_notify#186b2edf query_id amount:Coins sender_address:MsgAddress jetton_minter_address:MsgAddress
storm_deposit_revert#5b27f9c5 query_id amount:Coins sender_address:MsgAddress owner_address:MsgAddress
storm_unsuccessful_deposit#6cde12e2 query_id
storm_withdraw_request_user#6eec039d query_id vault_address:MsgAddress amount:Coins
storm_withdraw_request#512cbd25 query_id amount:Coins owner_address:MsgAddress
storm_withdraw_success#20d835c2 query_id
storm_take_position_v2#1bea50f1 query_id bundle_sender_address:MsgAddress amm_address:MsgAddress direction:Direction spent_amount:Coins addresses:^AddressesData ref_count:uint4 ref_data:(If ref_count ReferralData) position:^PositionData intent:^Intent
storm_execute_orders_bundle#04c52fd2 query_id signature:bits512 payload:^ExternalMsgPayload
storm_execute_orders_bundle#5f40f1ec query_id signature:bits512 payload:^ExternalMsgPayload
logs#012e8f40 log_dict:(HashmapE 8 IntentLog)
storm_trade_notification_v2#28d36491 query_id asset_id:uint16 free_amount:int64 locked_amount:int64 exchange_amount:int64 withdraw_locked_amount:uint64 fee_to_stakers:uint64 executor_amount:uint64 total_referrer_amount:uint64 ref_count:uint4 referral_data:(HashmapE 4 ReferrerData) sa_address:MsgAddress notification_payload:^NotificationPayload
storm_notify_update_position#1ca43d2f query_id jetton_minter_address:MsgAddress notification_payload:^NotificationPayload
storm_referral_fees#4fedc82b query_id referral_sa_address:MsgAddress amount:Coins jetton_minter_address:MsgAddress notification_payload:^NotificationPayload
storm_failed_bundle_execution#666392ee query_id asset_id:uint16 error_code:uint16 spent_amount:Coins sa_address:MsgAddress amm_address:MsgAddress direction:Direction bundle_sender_address:MsgAddress intent:^Intent
storm_fail_notification#367f2743 query_id spent_amount:Coins jetton_minter_address:MsgAddress amm_address:MsgAddress direction:Direction bundle_sender_address:MsgAddress intent:^Intent
storm_change_hot_key#34d2e9f9 query_id signature:bits512 signed_payload:^SignedChangeKeyPayload
storm_change_cold_key_factory#0b9d20cc query_id new_cold_key:uint256
storm_change_hot_key_factory#1bd24ca6 query_id new_hot_key:uint256
storm_change_cold_key_request#7a0bda1c query_id sa_address:MsgAddress
storm_change_cold_key#70246da6 query_id response_destination:MsgAddress new_cold_key:uint256
storm_update_sa_ordinary_code#0c6ca95e query_id version:uint8 new_code:^Cell
storm_self_deposit_native#558e804a query_id signature:bits512 signed_payload:^SignedSelfDepositNativePayload
storm_self_deposit_jetton#01d81ebc query_id signature:bits512 signed_payload:^SignedSelfDepositJettonPayload
storm_deposit_ton#5a091c43 query_id
storm_change_factory_content#13559d58 query_id new_content:^Cell
storm_change_factory_code#179d61f9 query_id new_code:^Cell
storm_change_v3_state#3e56c929 query_id
`;
