/** NFTs: TEP-62, TEP-66, TEP-85, and items whose content can be edited. */
export const nfts = `
nft_transfer#5fcc3d14 query_id new_owner:MsgAddress response_destination:MsgAddress custom_payload:?^Cell forward_amount:Coins forward_payload:Payload
nft_transfer#5fcc3d14 query_id new_owner:MsgAddress response_destination:MsgAddress custom_payload:?^Cell forward_amount:Coins
nft_ownership_assigned#05138d91 query_id prev_owner:MsgAddress forward_payload:Payload
get_static_data#2fcb26a2 query_id
report_static_data#8b771735 query_id index:uint256 collection:MsgAddress
get_royalty_params#693d3950 query_id
report_royalty_params#a8cb00ad query_id numerator:uint16 denominator:uint16 destination:MsgAddress
prove_ownership#04ded148 query_id dest:MsgAddress forward_payload:^Cell with_content:Bool
ownership_proof#0524c7ae query_id item_id:uint256 owner:MsgAddress data:^Cell revoked_at:uint64 content:?^Cell
ownership_proof_bounced#c18e86d2 query_id
sbt_request_owner#d0c3bfea query_id dest:MsgAddress forward_payload:^Cell with_content:Bool
sbt_owner_info#0dd607e3 query_id item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Cell revoked_at:uint64 content:?^Cell
sbt_destroy#1f04537a query_id
sbt_revoke#6f89f5e3 query_id
sbt_take_excess#d136d3b3 query_id
edit_content#1a0b9d51 query_id content:^Cell
transfer_editorship#1c04412a query_id new_editor:MsgAddress response_destination:MsgAddress custom_payload:?^Cell forward_amount:Coins forward_payload:Payload
editorship_assigned#511a4463 query_id prev_editor:MsgAddress forward_payload:Payload
`;
