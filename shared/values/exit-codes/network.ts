/** Exit codes of the network's contracts, and of pools that stake for others. */
export const networkCodes = `
elector
34 bad-signature
37 signed-text-is-no-vote
40 invalid-validator-set
41 invalid-validator-set
44 empty-stake
49 stakes-do-not-add-up
57 other-validator-set
59 stakes-do-not-add-up
61 validator-without-stake
config
32 unknown-operation
33 wrong-seqno
34 bad-signature
35 expired
37 unknown-operation
39 message-too-deep
40 invalid-validator-set
41 invalid-validator-set
44 invalid-parameter
tv_pool
60 not-a-nominator
61 wrong-workchain
62 validator-cannot-nominate
64 unknown-comment
65 too-many-nominators
66 too-few-coins
67 stake-too-low
68 list-of-nominators-too-deep
69 not-a-nominator
70 unknown-operation
71 no-withdrawal-requested
73 sender-not-validator
74 stake-at-elector-or-too-few-coins
75 sender-not-validator
76 amount-too-large
78 sender-not-validator-or-amount-zero
79 stake-at-elector
80 query-id-missing
81 stake-too-low
82 amount-too-large
83 validator-stake-too-low
84 validator-stake-too-low
85 withdrawals-to-be-paid-first
86 too-few-coins-or-not-a-nominator
111 stake-not-released
112 stake-not-released
113 validator-sets-counted
121 wrong-workchain
122 not-a-nominator
123 nothing-staked-or-too-few-coins
124 already-voted
133 no-such-vote
329 invalid-proposal-hash`;
