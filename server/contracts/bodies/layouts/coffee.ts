/** swap.coffee, up to what users add for receivers. */
export const coffeeLayouts = `
coffee_swap_start#c0ffee00 query_id amount:Coins
coffee_payout_internal_start#c0ffee21 query_id recipient:AnyAddress amount:Coins
`;
