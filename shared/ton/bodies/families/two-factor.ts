/** Tonkeeper two-factor authentication. */
export const twoFactor = `
certificate data:CertificateData signature:bits512 = Certificate
_ seed_signature:bits512 = SeedSignature
send_actions#b15f2c8c seqno:uint32 valid_until:uint64 msg:^Cell mode:uint8 = SignedPayload
remove_extension#9d8084d6 seqno:uint32 valid_until:uint64 = SignedPayload
delegation#23d9c15c seqno:uint32 valid_until:uint64 new_state_init:^Cell forward_amount:Coins = SignedPayload
cancel_delegation#de82b501 seqno:uint32 valid_until:uint64 = SignedPayload
certificate_data valid_until:uint64 pubkey:bits256 = CertificateData

tonkeeper_2fa_signed#53684037 ref_with_certificate:^Certificate ref_seed_signature:^SeedSignature payload:SignedPayload certificate_signature:bits512
`;
