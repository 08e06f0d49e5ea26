/** TON DNS, up to the value of a record, which is absent from requests to delete one. */
export const dnsLayouts = `
change_dns_start#4eb1f0f9 query_id key:uint256 rest:Cell
dns_balance_release_start#4ed14b65 query_id
dns_balance_release_start#4ed14b65
`;
