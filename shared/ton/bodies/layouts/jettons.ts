/** Jettons, up to the payload, which contracts also leave out. */
export const jettonLayouts = `
jetton_transfer_start#0f8a7ea5 query_id amount:Coins destination:AnyAddress response_destination:AnyAddress custom_payload:?^Cell forward_ton_amount:Coins rest:Cell
jetton_internal_transfer_start#178d4519 query_id amount:Coins from:AnyAddress response_address:AnyAddress forward_ton_amount:Coins rest:Cell
jetton_notify_start#7362d09c query_id amount:Coins sender:AnyAddress rest:Cell
jetton_burn_start#595f07bc query_id amount:Coins rest:Cell
jetton_mint_start#642b7d07 query_id to_address:AnyAddress ton_amount:Coins rest:Cell
minter_jetton_mint_start#00000015 query_id to_address:AnyAddress ton_amount:Coins master_msg:^Cell rest:Cell
`;
