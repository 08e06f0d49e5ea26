/** TON Whales: nominators. */
export const whales = `
whales_nominators_withdraw#da803efd query_id:int64 gas:Coins amount:Coins
whales_nominators_deposit#7bcd1fef query_id:int64 gas:Coins
whales_nominators_force_kick#1596920c query_id:int64
whales_nominators_stake_withdraw_delayed#74bb3427 query_id:int64
whales_nominators_stake_withdraw_completed#23d421e1 query_id:int64
whales_nominators_send_stake#a2065f2c query_id gas_limit:Coins stake:Coins validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^bits512
whales_nominators_withdraw_unowned#251d6a98 query_id gas_limit:Coins
whales_nominators_withdraw_unowned_response#1d1715bf query_id
whales_nominators_accept_stake#99a811fb query_id members:Cell
whales_nominators_accept_withdraws#a19fd934 query_id members:Cell
`;
