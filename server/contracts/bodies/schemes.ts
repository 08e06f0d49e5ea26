/**
 * Bodies of messages as TL-B, one line each: `name#opcode field:Type …`. Types are `uintN`, `intN`, `bitsN`, `Bool`,
 * `Coins`, `MsgAddress`, `Text` (snake of UTF-8), `Bytes` (snake), `Cell` (the rest), `^Cell`, `Body` and `^Body`
 * (cells shown by what they say, where that is known), `(Maybe T)` and `(Either T T)`. Tried in this order.
 */
export const bodySchemes = `
text_comment#00000000 text:Text
encrypted_text_comment#2167da4b data:Bytes
bounce#ffffffff payload:Body

jetton_transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Body) forward_ton_amount:Coins forward_payload:(Either Body ^Body)
jetton_internal_transfer#178d4519 query_id:uint64 amount:Coins from:MsgAddress response_address:MsgAddress forward_ton_amount:Coins forward_payload:(Either Body ^Body)
jetton_notify#7362d09c query_id:uint64 amount:Coins sender:MsgAddress forward_payload:(Either Body ^Body)
jetton_burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress custom_payload:(Maybe ^Body)
jetton_burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress
jetton_burn_notification#7bdd97de query_id:uint64 amount:Coins sender:MsgAddress response_destination:MsgAddress
jetton_mint#642b7d07 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Body
jetton_mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Body
jetton_change_admin#6501f354 query_id:uint64 new_admin_address:MsgAddress
jetton_claim_admin#fb88e119 query_id:uint64
jetton_change_metadata#cb862902 query_id:uint64 metadata:Text
jetton_set_status#eed236d3 query_id:uint64 status:uint4
jetton_call_to#235caf52 query_id:uint64 to_address:MsgAddress ton_amount:Coins action:^Body
provide_wallet_address#2c76b973 query_id:uint64 owner_address:MsgAddress include_address:Bool
take_wallet_address#d1735400 query_id:uint64 wallet_address:MsgAddress owner_address:(Maybe ^Cell)
excess#d53276db query_id:uint64
top_up#d372158c query_id:uint64

nft_transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Body) forward_amount:Coins forward_payload:(Either Body ^Body)
nft_ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress forward_payload:(Either Body ^Body)
get_static_data#2fcb26a2 query_id:uint64
report_static_data#8b771735 query_id:uint64 index:uint256 collection:MsgAddress
get_royalty_params#693d3950 query_id:uint64
report_royalty_params#a8cb00ad query_id:uint64 numerator:uint16 denominator:uint16 destination:MsgAddress
edit_content#1a0b9d51 query_id:uint64 content:^Cell
transfer_editorship#1c04412a query_id:uint64 new_editor:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Body) forward_amount:Coins forward_payload:(Either Body ^Body)
sbt_request_owner#d0c3bfea query_id:uint64 dest:MsgAddress forward_payload:^Body with_content:Bool
sbt_prove_ownership#04ded148 query_id:uint64 dest:MsgAddress forward_payload:^Body with_content:Bool
sbt_ownership_proof#0524c7ae query_id:uint64 item_id:uint256 owner:MsgAddress data:^Body revoked_at:uint64 content:(Maybe ^Cell)
sbt_owner_info#0dd607e3 query_id:uint64 item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Body revoked_at:uint64 content:(Maybe ^Cell)
sbt_destroy#1f04537a query_id:uint64
sbt_revoke#6f89f5e3 query_id:uint64
nft_cancel_auction#00000001
change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^Cell
delete_dns_record#4eb1f0f9 query_id:uint64 key:bits256
dns_balance_release#4ed14b65 query_id:uint64
outbid_notification#557cea20 query_id:uint64

new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^Cell
new_stake_ok#f374484c query_id:uint64 comment:uint32
new_stake_error#ee6f454c query_id:uint64 reason:uint32
recover_stake#47657424 query_id:uint64
recover_stake_ok#f96f7324 query_id:uint64
recover_stake_error#fffffffe query_id:uint64
new_stake_with_query#4e73744b query_id:uint64
complain#52674370 query_id:uint64 election_id:uint32 complaint:^Cell
complaint_vote#56744370 query_id:uint64 signature:bits512 sign_tag:uint32 idx:uint16 elect_id:uint32 chash:bits256
proposal#6e565052 query_id:uint64 expire_at:uint32 proposal:^Cell critical:Bool

multisig_new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Cell
multisig_execute#75097f5d query_id:uint64 order_seqno:uint256 expiration_date:uint48 approvals_num:uint8 signers_hash:bits256 order:^Cell
multisig_approve#a762230f query_id:uint64 signer_index:uint8
multisig_approve_accepted#82609bf6 query_id:uint64
multisig_approve_rejected#afaf283e query_id:uint64 exit_code:uint32
multisig_order_init#9c73fba2 query_id:uint64 threshold:uint8 signers:^Cell expiration_date:uint48 order:^Cell approve_on_init:(Maybe uint8)

wallet_plugin_destruct#64737472
wallet_plugin_payment_request#706c7567 query_id:uint64 amount:Coins extra:(Maybe ^Cell)
wallet_extension_action_v5_r1#6578746e query_id:uint64 actions:(Maybe ^Cell) extended:(Maybe ^Cell)
wallet_signed_internal_v5_r1#73696e74 wallet_id:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^Cell) extended:(Maybe ^Cell) signature:bits512
wallet_signed_external_v5_r1#7369676e wallet_id:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^Cell) extended:(Maybe ^Cell) signature:bits512

tonstake_pool_deposit#47d54391 query_id:uint64
tonstake_pool_withdraw#319b0cdc query_id:uint64 amount:Coins response_address:MsgAddress
pton_ton_transfer#01f3835d query_id:uint64 ton_amount:Coins refund_address:MsgAddress forward_payload:(Either Body ^Body)
`;
