/** Vesting wallets. */
export const vesting = `
vesting_send_message#a7733acd query_id send_mode:uint8 message:^MessageRelaxed
vesting_send_message_response#f7733acd query_id
vesting_add_white_list#7258a69b query_id addresses_ref_snake:Cell
vesting_add_white_list_response#f258a69b query_id
`;
