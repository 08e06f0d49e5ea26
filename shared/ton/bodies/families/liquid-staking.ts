/** Other liquid staking: bemo and Hipo. */
export const liquidStaking = `
bemo_stake#4253c4d5 query_id forward_ton_amount:Coins forward_payload:?^Cell
bemo_unstake#492ab1b3 index:uint64 owner:MsgAddress ton_amount:Coins jetton_amount:Coins forward_payload:?^Cell
bemo_deploy_unstake_request#10a1ce75 query_id owner_address:MsgAddress withdraw_ton_amount:Coins withdraw_jetton_amount:Coins forward_payload:?^Cell lockup_timestamp:uint32
bemo_unstake_notification#90c80a07 query_id forward_payload:?^Cell
bemo_return_unstake_request#38633538 lockup_timestamp:uint32
hipo_finance_deposit_coins#3d3761a6 query_id owner:MsgAddress coins:Coins ownership_assigned_amount:Coins referrer:MsgAddress
hipo_finance_proxy_tokens_minted#5be57626 query_id tokens:Coins coins:Coins owner:MsgAddress round_since:uint32
hipo_finance_tokens_minted#5445efee query_id tokens:Coins coins:Coins owner:MsgAddress round_since:uint32
`;
