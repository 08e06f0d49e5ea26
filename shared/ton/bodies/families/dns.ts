/** TON DNS: records, auctions of domains. */
export const dns = `
change_dns_record#4eb1f0f9 query_id key:bits256 value:^DNSRecord
change_dns_record#4eb1f0f9 query_id key:bits256 value:^Cell
delete_dns_record#4eb1f0f9 query_id key:bits256
dns_balance_release#4ed14b65 query_id
process_governance_decision#44beae41 query_id
auction_fill_up#370fec51 query_id
auction_fill_up#370fec51
outbid_notification#557cea20 query_id
`;
