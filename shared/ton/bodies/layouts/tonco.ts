/**
 * TONCO: a pool's payment instructions to the router, the payload that requests successive swaps, and the request for a
 * pool. Contracts have the bit `pool_active` before the fees. The reference ignores it, so its rows have these fees.
 */
export const toncoLayouts = `
tonco_pay_to_start#a1daa96d query_id receiver0:AnyAddress receiver1:AnyAddress exit_code:uint32 seqno:uint64 coins:?^[amount0:Coins wallet0:AnyAddress amount1:Coins wallet1:AnyAddress rest:Cell]
tonco_swap_target#a7fb58f8 wallet:AnyAddress sqrt_price_limit:uint160 min_out:Coins recipient:AnyAddress next:?^Cell
tonco_create_pool_start#2e3034ef query_id jetton_wallet0:AnyAddress jetton_wallet1:AnyAddress tick_spacing:int24 initial_price_x96:uint160 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 content:^Cell item_content:^Cell minters:^[jetton0_minter:AnyAddress jetton1_minter:AnyAddress rest:Cell]
`;
