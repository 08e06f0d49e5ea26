/** Multisig wallets, version 2. Orders are not decoded. */
export const multisigLayouts = `
multisig_new_order_start#f718510f query_id order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Cell
multisig_order_init_start#9c73fba2 query_id threshold:uint8 signers:^Cell expiration_date:uint48 order:^Cell signer_index:?uint8
multisig_execute_start#75097f5d query_id order_seqno:uint256 expiration_date:uint48 approvals_num:uint8 signers_hash:bits256 order:^Cell
`;
