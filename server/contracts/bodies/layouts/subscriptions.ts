/** Subscriptions, version 1: what a plugin asks a wallet for, up to extra currencies. */
export const subscriptionLayouts = `
payment_request_start#706c7567 query_id amount:Coins
`;
