/** Moon: swaps and orders. */
export const moon = `
swap_params min_out:Coins deadline:uint64 excess:?MsgAddress referral:?MsgAddress next_fulfill:?^NextPayload next_reject:?^NextPayload = SwapParams
order_data rate:uint256 lock:uint2 vesting_time:uint64 = OrderParams
next_payload recipient:MsgAddress payload:?^Cell = NextPayload

moon_swap#b37a900b query_id amount:Coins swap_params:SwapParams
moon_swap_succeed#cb7f38d6 rest:Cell
moon_swap_failed#c47c1f57 rest:Cell
moon_deposit_liquidity#b31db781 query_id min_lp_out:Coins
moon_boost_pool#96aa1586 query_id
moon_create_order#da067c19 query_id asset2_id:MsgAddress order_data:OrderParams
moon_deploy_order#983432e2 query_id order_fee:uint8 order_data:OrderParams pipes:^Cell
moon_fill_order#99b49842 query_id recipient:MsgAddress recipient_payload:?^Cell reject_address:MsgAddress
moon_order_payout#96612e37 query_id
moon_vesting_payout#b4fc3916 query_id
moon_cancel_order#1e8d79c4 query_id
moon_order_cancelled#49f48ee9 query_id
moon_swap_forward_payload#b37a900b swap_params:SwapParams
moon_deposit_liquidity_forward_payload#b31db781 min_lp_out:Coins
moon_boost_pool_forward_payload#96aa1586 rest:Cell
moon_create_order_forward_payload#da067c19 asset1_id:MsgAddress asset2_id:MsgAddress order_data:OrderParams
moon_fill_order_forward_payload#99b49842 recipient:MsgAddress recipient_payload:?^Cell reject_address:MsgAddress
`;
