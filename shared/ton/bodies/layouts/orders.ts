/** Messages in orders of multisig wallets. */
export const orderLayouts = `
jetton_call_to_start#235caf52 query_id to_address:MsgAddress ton_amount:Coins action:^Cell
vesting_internal_transfer#75097f5d query_id send_mode:uint8 message:^MessageRelaxed
`;
