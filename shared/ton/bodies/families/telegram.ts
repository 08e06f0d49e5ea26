/** Telegram usernames, anonymous numbers and gifts. */
export const telegram = `
telemint_token_info name:ShortText domain:ShortText = TokenInfo
teleitem_auction_config beneficiary_address:MsgAddress initial_min_bid:Coins max_bid:Coins min_bid_step:uint8 min_extend_time:uint32 duration:uint32 = AuctionConfig
nft_royalty_params numerator:uint16 denominator:uint16 destination:MsgAddress = RoyaltyParams
telemint_unsigned_deploy subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:ShortText content:^Cell auction_config:^AuctionConfig royalty_params:?^RoyaltyParams = UnsignedDeploy
telemint_unsigned_deploy_v2 subwallet_id:uint32 valid_since:uint32 valid_till:uint32 token_name:ShortText content:^Cell auction_config:^AuctionConfig royalty_params:?^RoyaltyParams restrictions:?^Restrictions = UnsignedDeployV2
telemint_restrictions force_sender_address:?MsgAddress rewrite_sender_address:?MsgAddress = Restrictions

teleitem_bid_info#38127de1 bid:Coins bid_ts:uint32
teleitem_return_bid#a43227e1 query_id:int64
teleitem_ok#a37a0983 query_id:int64
teleitem_msg_deploy#299a3e15 sender_address:MsgAddress bid:Coins token_info:^TokenInfo nft_content:^Cell auction_config:^AuctionConfig royalty_params:^RoyaltyParams
teleitem_msg_deploy_head#299a3e15 sender_address:MsgAddress bid:Coins
teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^AuctionConfig
teleitem_msg_cancel_auction#371638ae query_id:int64
telemint_msg_deploy#4637289a sig:bits512 msg:UnsignedDeploy
telemint_msg_deploy_v2#4637289b sig:bits512 msg:UnsignedDeployV2
`;
