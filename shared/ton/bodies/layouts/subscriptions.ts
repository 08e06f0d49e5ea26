/** Subscriptions, version 1: a plugin's request to a wallet, without extra currencies. */
export const subscriptionLayouts = `
payment_request_start#706c7567 query_id amount:Coins
`;
