/** tgBTC: events. Older ones have other fields, which can look like an address of another form. */
export const tgbtc = `
tgbtc_mint_event#77a80ef3 amount:Coins recipient_address:AnyAddress bitcoin_txid:uint256
tgbtc_burn_event#ca444ce6 amount:Coins sender_address:AnyAddress pegout_address:AnyAddress
tgbtc_new_key_event#27756729 amount:Coins new_internal_pubkey:uint256 pegout_address:AnyAddress
tgbtc_dkg_completed_event#453443a6 timestamp:uint64 internal_pubkey:uint256
`;
