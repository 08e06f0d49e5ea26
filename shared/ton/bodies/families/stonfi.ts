/** STON.fi versions 1 and 2, and their proxy TON. */
export const stonfi = `
swap_addresses from_user:MsgAddress = SwapAddrs
swap_addresses from_user:MsgAddress ref_address:MsgAddress = SwapAddrs
pay_to_params amount0_out:Coins token0_address:MsgAddress amount1_out:Coins token1_address:MsgAddress = PayToParams
additional_fields to_user_address:MsgAddress refund_address:MsgAddress excess_address:MsgAddress = AdditionalFields
dex_payload_provide_lp_v2 transferred_op:uint32 token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^ProvideLpBodyV2 = DexPayloadProvideLpV2
additional_fields_add_liquidity_v2 refund_address:MsgAddress excess_address:MsgAddress = AdditionalFieldsAddLiquidityV2
additional_info_pay_to_v2 fwd_ton_amount:Coins amount0_out:Coins token0_address:MsgAddress amount1_out:Coins token1_address:MsgAddress = AdditionalInfoPayToV2
dex_payload transferred_op:uint32 token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^SwapBody = DexPayload
additional_info_pay_vault_v2 amount0_out:Coins token0_address:MsgAddress amount1_out:Coins token1_address:MsgAddress = AdditionalInfoPayVaultV2
cross_swap_body min_out:Coins receiver:MsgAddress fwd_gas:Coins custom_payload:?^Cell refund_fwd_gas:Coins refund_payload:?^Cell ref_fee:uint16 ref_address:MsgAddress = CrossSwapBody
cross_provide_lp_body min_lp_out:Coins to_address:MsgAddress both_positive:uint1 fwd_amount:Coins custom_payload:?^Cell = CrossProvideLpBody
provide_lp_body_v2 min_lp_out:Coins to_address:MsgAddress both_positive:uint1 fwd_amount:Coins custom_payload:?^Cell = ProvideLpBodyV2
swap_body min_out:Coins receiver:MsgAddress fwd_gas:Coins custom_payload:?^Cell refund_fwd_gas:Coins refund_payload:?^Cell ref_fee:uint16 ref_address:MsgAddress = SwapBody

stonfi_swap#25938561 query_id to_address:MsgAddress sender_address:MsgAddress jetton_amount:Coins min_out:Coins has_ref_address:Bool addrs:^SwapAddrs
stonfi_payment_request#f93bb43f query_id owner:MsgAddress exit_code:uint32 params:(Either PayToParams ^PayToParams)
pton_ton_transfer#01f3835d query_id ton_amount:Coins refund_address:MsgAddress forward_payload:Payload
pton_ton_refund#ae25d79e query_id
pton_reset_gas#29d22935 query_id
pton_deploy_wallet#4f5f4313 query_id owner_address:MsgAddress excesses_address:MsgAddress
pton_internal_deploy#6540cf85 query_id excesses_address:MsgAddress
stonfi_cb_add_liquidity_v2#06ecd527 query_id tot_am0:Coins tot_am1:Coins user_address:MsgAddress min_lp_out:Coins fwd_amount:Coins custom_payload_cs:?^Cell _:^AdditionalFields
stonfi_provide_lp_v2#37c096df query_id from_user:MsgAddress left_amount:Coins right_amount:Coins _:^DexPayloadProvideLpV2
stonfi_add_liquidity_v2#50c6a654 query_id new_amount0:Coins new_amount1:Coins min_lp_out:Coins fwd_amount:Coins both_positive:uint1 to_user:MsgAddress custom_payload_cs:?^Cell _:^AdditionalFieldsAddLiquidityV2
stonfi_pay_to_v2#657b54f5 query_id to_address:MsgAddress excesses_address:MsgAddress original_caller:MsgAddress exit_code:uint32 custom_payload:?^Cell _:^AdditionalInfoPayToV2
stonfi_swap_v2#6664de2a query_id from_user:MsgAddress left_amount:Coins right_amount:Coins _:^DexPayload
stonfi_withdraw_fee_v2#354bcdf4 query_id
stonfi_deposit_ref_fee_v2#0490f09b query_id jetton_amount:Coins excesses_address:MsgAddress
stonfi_vault_pay_to_v2#2100c922 query_id amount_out:Coins token_address:MsgAddress to_address:MsgAddress
stonfi_pay_vault_v2#63381632 query_id owner:MsgAddress excesses_address:MsgAddress _:^AdditionalInfoPayVaultV2
stonfi_burn_notification_ext_v2#297437cf query_id jetton_amount:Coins from_address:MsgAddress response_address:MsgAddress maybe_custom_payload:?^Cell
stonfi_swap_forward_payload#25938561 token_wallet:MsgAddress min_out:Coins to_address:MsgAddress referral_address:?MsgAddress
stonfi_provide_liquidity_forward_payload#fcf9e58f token_wallet:MsgAddress min_lp_out:Coins
stonfi_swap_ok_forward_payload#c64370e5
stonfi_swap_ok_ref_forward_payload#45078540
stonfi_swap_v2_forward_payload#6664de2a token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^CrossSwapBody
stonfi_provide_lp_v2_forward_payload#37c096df token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^CrossProvideLpBody
stonfi_cross_swap_v2_forward_payload#69cf1a5b token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^CrossSwapBody
stonfi_cross_provide_lp_v2_forward_payload#47df4137 token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 _:^CrossProvideLpBody
stonfi_refund_me_v2#132b9a2c query_id
stonfi_collect_fees_v2#1ee4911e query_id
`;
