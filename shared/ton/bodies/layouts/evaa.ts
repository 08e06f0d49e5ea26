/** EVAA, as far as all versions agree. In calls of users' contracts these layouts begin behind a header. */
export const evaaLayouts = `
evaa_supply_start#00000001 query_id include_user_code:int2 amount:uint64 recipient:AnyAddress
evaa_supply_payload_start#00000001 include_user_code:int2 recipient:AnyAddress
evaa_supply_user_start#00000011 query_id asset_id:uint256
evaa_supply_success_start#0000011a query_id owner:AnyAddress asset_id:uint256 amount:uint64
evaa_withdraw_start#00000002 query_id asset_id:uint256 amount:uint64 recipient:AnyAddress
evaa_withdraw_collateralized_start#00000211 query_id owner:AnyAddress asset_id:uint256 amount:uint64
evaa_liquidate_start#00000003 query_id borrower:AnyAddress liquidator:AnyAddress collateral_id:uint256 min_collateral:uint64 include_user_code:int2 amount:uint64
evaa_liquidate_payload_start#00000003 borrower:AnyAddress liquidator:AnyAddress collateral_id:uint256
evaa_liquidate_satisfied_start#00000311 query_id owner:AnyAddress liquidator:AnyAddress asset_id:uint256 _:^[loan_change:int64 liquidatable:uint64 gift:uint64 new_loan:int64 collateral_id:uint256 collateral_change:int64 reward:uint64 rest:Cell]
evaa_liquidate_unsatisfied_start#0000031f query_id owner:AnyAddress liquidator:AnyAddress asset_id:uint256 _:^[amount:uint64 collateral_id:uint256 min_collateral:uint64 forward_amount:uint64 payload:^Cell error:uint32 rest:Cell]
`;
