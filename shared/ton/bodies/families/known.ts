/** Bodies that are common to many contracts. */
export const known = `
none#00 = PaymentProviderUrl
tonsite#01 address:bits256 = PaymentProviderUrl
_ value:CurrencyCollection created_lt:uint64 created_at:uint32 = NewBounceOriginalInfo
_ gas_used:uint32 vm_steps:uint32 = NewBounceComputePhaseInfo

text_comment#00000000 text:Text
encrypted_text_comment#2167da4b cipher_text:Bytes
bounce#ffffffff payload:Cell
new_bounce_body#fffffffe original_body:^Cell original_info:^NewBounceOriginalInfo bounced_by_phase:uint8 exit_code:int32 compute_phase:?NewBounceComputePhaseInfo
excess#d53276db query_id
excess#d53276db
top_up#d372158c query_id
top_up#d372158c
credit#1690c604 query_id amount:Coins
approve#7b4b42e6 query_id
disapprove#e8a0abfe query_id
lock_and_claim#3a86f1a0 query_id proof:?^Cell
invoice_payload#7aa23eb5 id:bits128 url:PaymentProviderUrl
gram_submit_proof_of_work#4d696e65 flags:uint8 expire:uint32 whom:bits256 rdata1:bits256 rseed:uint128 rdata2:bits256
nerd_qr_verify#ccc2c823 item_id:uint32 signature:bits512
`;
