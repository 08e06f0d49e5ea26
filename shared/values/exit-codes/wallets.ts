/**
 * Exit codes of wallets and multisigs. A line of interfaces, with their names in API v3, is followed by their codes.
 */
export const walletCodes = `
wallet_v1r1 wallet_v1r2 wallet_v1r3
32 no-such-method The contract has no such get-method.
33 wrong-seqno The contract expects another sequence number: too old seqno, or one too new.
34 bad-signature The signature does not fit the contract's public key.
wallet_v2r1 wallet_v2r2
32 no-such-method
33 wrong-seqno
34 bad-signature
35 expired The message has expired.
wallet_v3r1 wallet_v3r2
32 no-such-method
33 wrong-seqno
34 wrong-wallet-id The message is for a wallet with another id.
35 expired-or-bad-signature The message has expired, or the signature does not fit the contract's public key.
wallet_v4r1
33 wrong-seqno
34 wrong-wallet-id
35 expired-or-bad-signature
39 plugin-not-changed The plugin is installed already, or is not installed.
80 too-few-coins
wallet_v4r2
33 wrong-seqno
34 wrong-wallet-id
35 bad-signature
36 expired
39 plugin-not-changed
80 too-few-coins
wallet_v5_beta
33 wrong-seqno
34 wrong-wallet-id
35 bad-signature
36 expired
37 errors-not-ignored An external message must ignore errors of the messages that it sends.
39 extension-already-installed
40 extension-not-installed
41 unknown-action
42 no-extension-left Without an extension the signature must be allowed.
43 signature-mode-already-set
44 no-extension-left
wallet_v5r1
132 signature-disabled
133 wrong-seqno
134 wrong-wallet-id
135 bad-signature
136 expired
137 errors-not-ignored
138 unknown-operation
139 extension-already-installed
140 extension-not-installed
141 unknown-action
142 no-extension-left
143 signature-mode-already-set
144 no-extension-left
145 wrong-workchain
146 only-extensions-change-signature-mode
147 invalid-action-list
tg_wallet
7 no-wallet-code The configuration of the network has no code for these wallets.
133 wrong-seqno
134 wrong-wallet-id
135 bad-signature
136 expired
137 errors-not-ignored
147 wrong-number-of-messages The request has no messages, or another number of them than it says.
148 key-not-changed The new key is the present one.
149 invalid-key-proof The proof of the new key is invalid.
highload_v1r1 highload_v1r2
33 wrong-seqno
34 wrong-wallet-id
35 expired-or-bad-signature
highload_v2 highload_v2r1 highload_v2r2 wallet_highload_v2
32 already-executed
34 wrong-wallet-id
35 expired-or-bad-signature
highload_v3r1 wallet_highload_v3r1
33 bad-signature
34 wrong-wallet-id
35 wrong-creation-time The message was made too long ago, or in the future.
36 already-executed
37 invalid-message The message to be sent is malformed, or has a state.
38 wrong-timeout
wallet_vesting
33 wrong-seqno
34 wrong-wallet-id
35 bad-signature
36 expired
100 send-mode-forbidden
101 bounceable-message-needed
102 state-init-forbidden
103 operation-forbidden
104 comment-forbidden
multisig_v2
100 too-few-coins
101 sender-not-order
102 signers-changed
103 invalid-signers
108 invalid-signers
109 invalid-threshold
110 invalid-signers
111 order-expired
1007 sender-not-signer
1008 wrong-order-seqno
multisig_order_v2
104 sender-not-multisig
105 other-order-exists
106 sender-not-signer
107 already-approved
111 order-expired
112 already-executed`;
