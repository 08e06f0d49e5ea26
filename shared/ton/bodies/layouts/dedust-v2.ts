/** DeDust, protocol with concentrated liquidity: requests to pools and their events, up to the last field used. */
export const dedustV2Layouts = `
dedust_v2_pay_native#a5a7cbf8 query_id amount:Coins request:^Cell config:^Cell
dedust_v2_pay_jetton#cbc33949 request:^Cell config:^Cell
dedust_v2_swap_request#c442500f min_out:Coins deadline:uint40 next:?^Cell partner:?[id:uint256 fee:uint16] referrer:?[id:uint256 fee:uint16]
dedust_v2_deposit_request#c9a015da amount_x:Coins amount_y:Coins min_lp:Coins locked_share:uint16
dedust_v2_payout#3216ca09 query_id amount:Coins exit_code:int32 payload:?^Cell
dedust_v2_swap_event#78e79ba4 is_x_given:Bool amount_in:Coins amount_out:Coins initiator:AnyAddress recipient:AnyAddress state:^Cell fees:^Cell
dedust_v2_credit_asset#dc5ddba1 query_id is_x:Bool amount:Coins
dedust_v2_join#25251ee0 query_id request:^Cell amount_x:Coins amount_y:Coins initiator:AnyAddress
dedust_v2_deposit_event#35df2e12 amount_x:Coins amount_y:Coins lp:Coins initiator:AnyAddress recipient:AnyAddress state:^Cell
dedust_v2_withdraw#20b5ef89 query_id lp:Coins min_x:Coins min_y:Coins claims_fees:Bool config:^Cell
dedust_v2_withdrawal_event#c0d77b54 lp:Coins amount_x:Coins amount_y:Coins initiator:AnyAddress recipient:AnyAddress state:^Cell
dedust_v2_payout_fees#29ff1bcf query_id amount_x:Coins amount_y:Coins owner:AnyAddress excesses:AnyAddress
dedust_v2_claim_reward#909fdb65 query_id index:uint2 excesses:AnyAddress
dedust_v2_payout_reward#9e17fbbe query_id amount:Coins index:uint2 owner:AnyAddress excesses:AnyAddress
`;
