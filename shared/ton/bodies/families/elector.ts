/** Elector, configuration contract, single nominator. */
export const elector = `
elector_new_stake#4e73744b query_id validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^bits512
elector_new_stake#4e73744b query_id
elector_new_stake_confirmation#f374484c query_id comment:uint32
elector_new_stake_confirmation#f374484c query_id
elector_new_stake_error#ee6f454c query_id reason:uint32
elector_recover_stake_request#47657424 query_id
elector_recover_stake_response#f96f7324 query_id
elector_recover_stake_error#fffffffe query_id op:uint32
elector_new_complaint#52674370 query_id election_id:uint32 complaint:^Cell
elector_complaint_registered#f2676350 query_id op:uint32
elector_vote_for_complaint#56744370 query_id signature:bits512 sign_tag:uint32 idx:uint16 elect_id:uint32 chash:bits256
config_set_next_validator_set#4e565354 query_id vset:^Cell
config_update_vset_confirm#ee764f4b query_id
config_update_vset_reject#ee764f6f query_id
config_new_voting_proposal#6e565052 query_id expire_at:uint32 proposal:^Cell critical:Bool
config_proposal_accepted#ee565052 query_id
config_vote_for_proposal#566f7465 query_id signature:bits512 sign_tag:uint32 idx:uint16 phash:bits256
single_nominator_withdraw#00001000 query_id amount:Coins
single_nominator_change_validator_address#00001001 query_id validator:MsgAddress
single_nominator_send_raw_msg#00007702 query_id mode:uint8 msg:^Cell
single_nominator_upgrade#00009903 query_id code:^Cell
`;
