/** NFTs, up to the payload, which contracts also leave out. */
export const nftLayouts = `
nft_transfer_start#5fcc3d14 query_id new_owner:AnyAddress response_destination:AnyAddress custom_payload:?^Cell forward_amount:Coins rest:Cell
nft_ownership_assigned_start#05138d91 query_id prev_owner:AnyAddress rest:Cell
`;
