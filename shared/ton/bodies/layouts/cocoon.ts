/** COCOON: signed requests, up to the field that the reference reads as an address. */
export const cocoonLayouts = `
cocoon_worker_payout_start#a040ad28 query_id new_tokens:uint64
cocoon_worker_payout_start#f5f26a36 query_id new_tokens:uint64
cocoon_charge_start#bb63ff93 query_id new_tokens_used:uint64 rest:Cell
cocoon_charge_start#efd711e1 query_id new_tokens_used:uint64 rest:Cell
`;
