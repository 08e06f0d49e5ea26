/** Jettons: TEP-74, TEP-89, and messages of several minters. */
export const jettons = `
set_status#eed236d3 query_id status:uint4 = ForceAction
burn#595f07bc query_id amount:Coins response_destination:MsgAddress custom_payload:?^Cell = ForceAction
transfer#0f8a7ea5 query_id amount:Coins destination:MsgAddress response_destination:MsgAddress custom_payload:?^Cell forward_ton_amount:Coins forward_payload:Payload = ForceAction

jetton_transfer#0f8a7ea5 query_id amount:Coins destination:MsgAddress response_destination:MsgAddress custom_payload:?^Cell forward_ton_amount:Coins forward_payload:Payload
jetton_internal_transfer#178d4519 query_id amount:Coins from:MsgAddress response_address:MsgAddress forward_ton_amount:Coins forward_payload:Payload
jetton_internal_transfer#178d4519 query_id amount:Coins from:MsgAddress response_address:MsgAddress forward_ton_amount:Coins forward_payload:Cell
jetton_burn#595f07bc query_id amount:Coins response_destination:MsgAddress custom_payload:?^Cell
jetton_burn#595f07bc query_id amount:Coins response_destination:MsgAddress custom_payload:^Cell
jetton_burn#595f07bc query_id amount:Coins response_destination:MsgAddress
jetton_burn_notification#7bdd97de query_id amount:Coins sender:MsgAddress response_destination:MsgAddress
jetton_burn_notification#7bdd97de query_id amount:Coins sender:MsgAddress custom_payload:^Cell
jetton_notify#7362d09c query_id amount:Coins sender:MsgAddress forward_payload:Payload
jetton_notify#7362d09c query_id amount:Coins sender:MsgAddress
jetton_set_status#eed236d3 query_id status:uint4
jetton_mint#642b7d07 query_id to_address:MsgAddress ton_amount:Coins master_msg:^Cell
jetton_mint#642b7d07 query_id to_address:MsgAddress ton_amount:Coins
minter_jetton_mint#00000015 query_id to_address:MsgAddress ton_amount:Coins master_msg:^Cell
jetton_change_admin#6501f354 query_id new_admin_address:MsgAddress
jetton_claim_admin#fb88e119 query_id
jetton_drop_admin#7431f221 query_id
jetton_call_to#235caf52 query_id to_address:MsgAddress ton_amount:Coins master_msg:^ForceAction
jetton_upgrade#2508d66a query_id new_data:^Cell new_code:^Cell
jetton_change_metadata#cb862902 query_id metadata:Text
provide_wallet_address#2c76b973 query_id owner_address:MsgAddress include_address:Bool
take_wallet_address#d1735400 query_id wallet_address:MsgAddress owner_address:?^MsgAddress
scaled_ui_display_multiplier_changed#ac392598 numerator:VarUint32 denominator:VarUint32 comment:?Text
`;

/** The message that jettons are minted with: of any opcode, as the wallets of a minter may be of any kind. */
export const mintedMessage = `
_ opcode:uint32 query_id amount:Coins rest:Cell = MintedMessage
`;
