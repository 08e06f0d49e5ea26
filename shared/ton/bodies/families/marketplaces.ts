/** Getgems: fixed-price sales, cancelling and finishing auctions. */
export const marketplaces = `
sale_update_message#6c6c2080 query_id new_full_price:Coins new_mp_fee:Coins new_royalty_amount:Coins
fix_price_v4_deploy_jetton#fb5dbf47 query_id signature:bits512 new_marketplace:MsgAddress jetton_price_dict:(HashmapE 256 Cell)
fix_price_v4_deploy_blank#664c0905 query_id
fix_price_v4_change_price#fd135f7b query_id new_full_price:Coins new_jetton_prices:(HashmapE 256 Cell)
auction_cancel#5616c572 query_id
auction_cancel#5616c572
auction_finish#20c9eb18 query_id
auction_finish#20c9eb18
auction_stop#b95616b6 query_id
auction_stop#b95616b6
`;
