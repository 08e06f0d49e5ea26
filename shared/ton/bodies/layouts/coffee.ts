/**
 * swap.coffee, up to the data that users add for receivers; messages that share an opcode are distinguished by sender.
 */
export const coffeeLayouts = `
coffee_swap_start#c0ffee00 query_id amount:Coins
coffee_payout_internal_start#c0ffee21 query_id recipient:AnyAddress amount:Coins
coffee_staking_withdraw_by_item#cb03bfaf query_id nft_id:uint64 owner:AnyAddress points:Coins
coffee_staking_withdraw_by_pool#cb03bfaf query_id wallet:AnyAddress amount:Coins
`;
