/** Staking at Ethena: the minter's message to a wallet of tokens that are locked for a while. */
export const stakingLayouts = `
ethena_locked_transfer_start#b2583ed5 query_id amount:Coins
`;
