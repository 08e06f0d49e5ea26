/** Multisig wallet, version 2. */
export const multisig = `
_ actions:(Hashmap 8 ^Action) = Order
send_message#f1381e5b mode:uint8 message:^MessageRelaxed = Action
update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddress) proposers:(HashmapE 8 MsgAddress) = Action

mulisig_new_order#f718510f query_id order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Order
multisig_execute#75097f5d query_id order_seqno:uint256 expiration_date:uint48 approvals_num:uint8 signers_hash:bits256 order:^Order
multisig_execute_internal#a32c59bf query_id order:^Order
multisig_order_init#9c73fba2 query_id threshold:uint8 signers:^(Hashmap 8 MsgAddress) expiration_date:uint48 order:^Order signer_index:?uint8
multisig_approve#a762230f query_id signer_index:uint8
multisig_approve_accepted#82609bf6 query_id
multisig_approve_rejected#afaf283e query_id exit_code:uint32
`;
