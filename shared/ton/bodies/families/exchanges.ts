/** Smaller exchanges: Megaton, Tegro, DaoLama. */
export const exchanges = `
_ last_mined:uint256 last_index:uint256 = UpdateMiningParams

megaton_wton_mint#77a33521 query_id amount:Coins
megaton_swap#7362d09c account_addr:MsgAddress in_token_addr:MsgAddress in_amount:Coins _:^[out_token_addr:MsgAddress out_amount:Coins]
megaton_update_mining_params#56a8e920 pool_addr:MsgAddress last_mined:uint256 last_index:uint256 _:^UpdateMiningParams
tegro_swap_ton#600c00fd query_id extract:Bool max_in:Coins min_out:Coins destination:MsgAddress error_destination:MsgAddress ref:?^MsgAddress
tegro_add_liquidity_forward_payload#287e167a amount_a:Coins abount_b:Coins
tegro_jetton_swap_forward_payload#01fb7a25 extract:Bool max_in:Coins min_out:Coins destination:MsgAddress error_destination:MsgAddress payload:?^Cell
daolama_vault_supply#5c11ada9 amount:Coins
`;
