/** Subscriptions, versions 1 and 2. */
export const subscriptions = `
subscription_payment#73756273 rest:Cell
subscription_fallback#756e6b77 rest:Cell
subscription_deploy#f71783cb query_id first_charging_date:uint32 payment_per_period:Coins period:uint32 grace_period:uint32 caller_fee:Coins withdraw_address:MsgAddress withdraw_msg_body:^Cell metadata:^Cell
subscription_reduce_payment#508238ec query_id new_payment:Coins
`;
