/** Types known to all families: messages to send, output actions, DNS records. */
export const messageTypes = `
message info:CommonMsgInfoRelaxed init:?(Either StateInit ^StateInit) body:Payload = MessageRelaxed
int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddress value:CurrencyCollection ihr_fee:Coins fwd_fee:Coins created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed
currencies grams:Coins other:(HashmapE 32 VarUint32) = CurrencyCollection
_ fixed_prefix_length:?uint5 special:?TickTock code:?^Cell data:?^Cell library:?^Cell = StateInit
tick_tock tick:Bool tock:Bool = TickTock

action_send_msg#0ec3c86d mode:uint8 out_msg:^MessageRelaxed = OutAction
action_set_code#ad4de08e new_code:^Cell = OutAction
action_reserve_currency#36e6b809 mode:uint8 currency:CurrencyCollection = OutAction
action_change_library#26fa1dd4 mode:uint7 libref:LibRef = OutAction
libref_hash$0 lib_hash:bits256 = LibRef
libref_ref$1 library:^Cell = LibRef

dns_text#1eda text:ChunkedText = DNSRecord
dns_next_resolver#ba93 resolver:MsgAddress = DNSRecord
dns_adnl_address#ad01 adnl_addr:bits256 flags:uint8 proto_list:(If flags ProtoList) = DNSRecord
dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8 cap_list:(If flags SmcCapList) = DNSRecord
dns_storage_address#7473 bag_id:bits256 = DNSRecord
proto_list_nil$0 = ProtoList
proto_list_next$1 item:Protocol next:ProtoList = ProtoList
proto_http#4854 = Protocol
cap_list_nil$0 = SmcCapList
cap_list_next$1 item:SmcCapability next:SmcCapList = SmcCapList
cap_method_seqno#5371 = SmcCapability
cap_method_pubkey#71f4 = SmcCapability
cap_is_wallet#2177 = SmcCapability
cap_name#ff name:ChunkedText = SmcCapability
`;
