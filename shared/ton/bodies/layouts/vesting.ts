/** Vesting wallets. The message is not decoded. */
export const vestingLayouts = `
vesting_send_message_start#a7733acd query_id send_mode:uint8 message:^Cell
`;
