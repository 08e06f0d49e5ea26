/** Pyth: price feeds. The first line names an opcode that several contracts use, and reads none of their bodies. */
export const pyth = `
evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin#00000001 _:Never
pyth_update_guardian_set#00000001 _:^[version:uint8 guardian_set_index:uint32 signatures_length:uint8 rest_signatures:Cell]
pyth_parse_price_feed_updates#00000005 update_data:^Cell price_ids:^Cell min_publish_time:uint64 max_publish_time:uint64 target_address:MsgAddress custom_payload:^Cell
pyth_parse_unique_price_feed_updates#00000006 update_data:^Cell price_ids:^Cell publish_time:uint64 max_staleness:uint64 target_address:MsgAddress custom_payload:^Cell
pyth_parse_unique_price_feed_updates#00000006 number_of_price_feeds:uint8 price_feeds:^Cell sender_address:MsgAddress custom_payload:Cell
pyth_response_success#00010001 result:^Cell original_custom_payload:^Cell
pyth_response_error#00010002 error_code:uint32 original_op_code:uint32 original_custom_payload:^Cell
`;
