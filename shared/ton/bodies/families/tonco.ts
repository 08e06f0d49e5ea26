/** TONCO: concentrated liquidity. */
export const tonco = `
_ amount:Coins sqrtPriceLimitX96:uint160 minOutAmount:Coins = SwapParams
_ target_address:MsgAddress ok_forward_amount:Coins ok_forward_payload:?^Cell ret_forward_amount:Coins ret_forward_payload:?^Cell = SwapPayloads
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 = OldFeeCell
_ fee_growth_inside_0_current_x128:uint256 fee_growth_inside_1_current_x128:uint256 = NewFeeCell
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress = MinterCell
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress controller_addr:MsgAddress = MinterControllerCell
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 nft_index:uint64 jetton0_amount:Coins jetton1_amount:Coins tick:int24 = OldFeeCellFull
_ amount0:Coins jetton0_address:MsgAddress amount1:Coins jetton1_address:MsgAddress payload_cell:^PayloadCell = CoinsInfoCellFull
_ liquidity:uint128 price_sqrt:uint160 tick:int24 fee_growth_global_0x128:int256 fee_growth_global_1x128:int256 = IndexerSwapInfoCell
_ amount0:Coins jetton0_address:MsgAddress amount1:Coins jetton1_address:MsgAddress = CoinsInfoCell
_ nft_index:uint64 liquidity_burned:uint128 tick_lower:int24 tick_upper:int24 tick_burn:int24 = IndexerBurnInfoCell
_ payload_amount0:Coins payload_0:?^Cell payload_amount1:Coins payload_1:?^Cell = PayloadCell

tonco_pool_swap#a7fb58f8 query_id owner_address:MsgAddress source_wallet:MsgAddress swap_params:^SwapParams swap_payloads:^SwapPayloads
tonco_pool_mint#b2c1b6e3 query_id owner_address:MsgAddress amount0:Coins amount1:Coins enough0:Coins enough1:Coins liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_mint_and_refund#81702ef8 query_id amount0_funded:Coins amount1_funded:Coins recipient:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_start_burn#530b5f2c query_id burned_index:uint64 liquidity_to_burn:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_burn#d73ac09d query_id recipient:MsgAddress burned_index:uint64 liquidity:uint128 tick_lower:int24 tick_upper:int24 liquidity_to_burn:uint128 old_fee_cell:^OldFeeCell new_fee_cell:^NewFeeCell
tonco_pool_fund_account#4468de77 query_id owner_address:MsgAddress amount0:Coins amount1:Coins enough0:Coins enough1:Coins liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_fund_account_payload#4468de77 other_jetton_wallet:MsgAddress amount0:Coins amount1:Coins liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_init#441c39ed query_id from_admin:Bool has_admin:Bool admin_address:MsgAddress has_controller:Bool controller_address:MsgAddress set_spacing:Bool tick_spacing:int24 set_price:Bool initial_price_x96:uint160 set_active:Bool pool_active:Bool protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nftv3_content:^Cell nftv3item_content:^Cell minter_cell:?^MinterCell
tonco_router_create_pool#2e3034ef query_id jetton_wallet0:MsgAddress jetton_wallet1:MsgAddress tick_spacing:int24 initial_price_x96:uint160 pool_active:Bool protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nftv3_content:^Cell nftv3item_content:^Cell minter_cell:^MinterControllerCell
tonco_position_nft_init#d5ecca2a query_id user_address:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24 old_fee_cell:^OldFeeCellFull
tonco_position_nft_burn#46ca335a query_id nft_owner:MsgAddress liquidity_to_burn:uint128 tick_lower:int24 tick_upper:int24 old_fee_cell:^OldFeeCell
tonco_account_add_liquidity#3ebe5431 query_id new_amount0:Coins new_amount1:Coins new_enough0:Coins new_enough1:Coins liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_lock#b1b0b7e2 query_id
tonco_pool_unlock#4e737e4d query_id
tonco_pool_set_fee#6bdcbeb8 query_id protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16
tonco_account_refund_me#0bf3f447 query_id
tonco_reset_gas#42a0fb43 query_id
tonco_router_pay_to_normal#a1daa96d query_id reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32 seqno:uint64 coinsinfo_cell:?^CoinsInfoCellFull indexer_swap_info_cell:?^IndexerSwapInfoCell
tonco_router_pay_to_exit_code_201#a1daa96d query_id reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32 seqno:uint64 coinsinfo_cell:?^CoinsInfoCell indexer_burn_info_cell:?^IndexerBurnInfoCell
`;
