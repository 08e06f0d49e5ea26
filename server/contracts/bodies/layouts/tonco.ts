/** TONCO: what pools tell the router to pay, and the payload that asks for swaps one after another. */
export const toncoLayouts = `
tonco_pay_to_start#a1daa96d query_id receiver0:AnyAddress receiver1:AnyAddress exit_code:uint32 seqno:uint64 coins:?^[amount0:Coins wallet0:AnyAddress amount1:Coins wallet1:AnyAddress rest:Cell]
tonco_swap_target#a7fb58f8 wallet:AnyAddress sqrt_price_limit:uint160 min_out:Coins recipient:AnyAddress next:?^Cell
`;
