/** Payment channels. */
export const paymentChannels = `
signed_schs signature:bits512 state:SemiChannel = SignedSemiChannel
semichannel_state#43685374 channel_id:uint128 data:SemiChannelBody counterparty_data:?^SemiChannelBody = SemiChannel
sc_body seqno:uint64 sent:Coins conditionals:(HashmapE 32 ConditionalPayment) = SemiChannelBody
cp amount:Coins condition:Cell = ConditionalPayment

top_up_channel_balance#67c7d281 add_A:Coins add_B:Coins
init_payment_channel#0e0620c2 is_A:Bool signature:bits512 tag:uint32 channel_id:uint128 balance_A:Coins balance_B:Coins
channel_cooperative_close#5577587e sig_A:^bits512 sig_B:^bits512 tag:uint32 channel_id:uint128 balance_A:Coins balance_B:Coins seqno_A:uint64 seqno_B:uint64
channel_cooperative_commit#79a126ef sig_A:^bits512 sig_B:^bits512 tag:uint32 channel_id:uint128 seqno_A:uint64 seqno_B:uint64
start_uncooperative_channel_close#1f151acf signed_by_A:Bool signature:bits512 tag:uint32 channel_id:uint128 sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
challenge_quarantined_channel_state#088eaa32 challenged_by_A:Bool signature:bits512 tag:uint32 channel_id:uint128 sch_A:^SignedSemiChannel sch_B:^SignedSemiChannel
settle_channel_conditionals#66f6f069 from_A:Bool signature:bits512 tag:uint32 channel_id:uint128 conditionals_to_settle:(HashmapE 32 Cell)
finish_uncooperative_channel_close#25432a91 rest:Cell
channel_closed#dddc88ba channel_id:uint128
`;
