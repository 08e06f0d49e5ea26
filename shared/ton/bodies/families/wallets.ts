/** Requests to wallets that begin with an opcode; messages between wallets and plugins. */
export const wallets = `
w5_signed_request wallet_id:uint32 valid_until:uint32 msg_seqno:uint32 inner:W5Actions signature:bits512 = W5SignedRequest
w5_actions_request out_actions:?^(Actions OutAction) extended_actions:?(Chain W5ExtendedAction) = W5Actions
add_extension#02 addr:MsgAddress = W5ExtendedAction
delete_extension#03 addr:MsgAddress = W5ExtendedAction
set_signature_auth_allowed#04 allowed:Bool = W5ExtendedAction

w5_internal_signed_request#73696e74 request:W5SignedRequest
w5_external_signed_request#7369676e request:W5SignedRequest
w5_extension_action_request#6578746e query_id request:W5Actions
highload_v3_internal_request#ae42e5a4 query_id actions:^(Actions OutAction)
wallet_plugin_installation_notification#6e6f7465 query_id
wallet_plugin_destruct#64737472 query_id
wallet_plugin_destruct#64737472
wallet_plugin_destruct_response#e4737472 query_id
wallet_plugin_destruct_response#e4737472
payment_request#706c7567 query_id amount:CurrencyCollection
payment_confirmed#f06c7567 query_id
w5_dns_renewal_calc_and_topup#56f6110e first_call_time:uint32 repeat_every:uint32 salt:uint32 reward:Coins owner_address:MsgAddress renewal_actions_cell:^Cell topup_amount:Coins msg_to_wallet_amount:Coins
tonkeeper_relayer_fee_forward_payload#878da6e3 rest:Cell
`;

/** External requests that begin with a signature. Only the layout distinguishes them; the most common come first. */
export const signedRequests = `
wallet_signed_v4 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 op:W4Operation = SignedRequest
wallet_signed_v3 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 msgs:(Many ModeWithMessage) = SignedRequest
highload_wallet_signed_v3 signature:bits512 msg_inner:^HighloadV3Inner = SignedRequest
highload_wallet_signed_v2 signature:bits512 subwallet_id:uint32 query_id payload:(HashmapE 16 ModeWithMessage) = SignedRequest
highload_wallet_signed_v1 signature:bits512 subwallet_id:uint32 valid_until:uint32 msg_seqno:uint32 payload:^(Hashmap 16 ModeWithMessage) = SignedRequest
preprocessed_wallet_signed_v2 signature:bits512 inner:^PreprocessedInner = SignedRequest
wallet_signed_v1_v2 signature:bits512 msg_seqno:uint32 valid_until:uint32 msgs:(Many ModeWithMessage) = SignedRequest

_ valid_until:uint64 seqno:uint16 actions:^(Actions OutAction) = PreprocessedInner
_ subwallet_id:uint32 message_to_send:^MessageRelaxed send_mode:uint8 query_id:HighloadV3QueryId created_at:uint64 timeout:uint22 = HighloadV3Inner
_ shift:uint13 bit_number:uint10 = HighloadV3QueryId
simple_send#00 msgs:(Many ModeWithMessage) = W4Operation
deploy_install_plugin#01 plugin_workchain:int8 plugin_balance:Coins state_init:^StateInit body:^Cell = W4Operation
install_plugin#02 plugin_workchain:int8 plugin_address:bits256 amount:Coins query_id = W4Operation
remove_plugin#03 plugin_workchain:int8 plugin_address:bits256 amount:Coins query_id = W4Operation
_ mode:uint8 msg:^MessageRelaxed = ModeWithMessage
`;
