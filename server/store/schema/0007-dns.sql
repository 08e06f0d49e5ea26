-- An NFT item that is a domain name, with its records and its auction. The first columns are those of all contracts: see
-- tokens.
create table dns_entries (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  nft_item_owner bytea,
  domain text collate "C" not null,
  dns_wallet bytea,
  dns_next_resolver bytea,
  dns_site_adnl bytea,
  dns_storage_bag_id bytea,
  max_bid_address bytea, -- this and the next two: while there is an auction
  max_bid_amount numeric,
  auction_end_time bigint,
  last_fill_up_time bigint
);
-- dns/records by domain and by wallet, search
create index dns_entries_by_domain on dns_entries (domain, address) where not destroyed;
create index dns_entries_by_wallet on dns_entries (dns_wallet, length(domain), domain, address) where not destroyed;
-- names of the address book: anybody can name a wallet in a record, only the wallet's own domains count
create index dns_entries_of_owner on dns_entries (
  (case when nft_item_owner = dns_wallet then dns_wallet end), length(domain), domain, address) where not destroyed;
-- dns/activeAuctions
create index dns_entries_by_bidder on dns_entries (max_bid_address, auction_end_time, address) where not destroyed;
-- accounts of which the address book has a name: see account_kinds
create trigger note_new_kind after insert on dns_entries
  referencing new table as written
  execute function note_kind(4, 'case when nft_item_owner = dns_wallet then dns_wallet end');
create trigger note_changed_kind after update on dns_entries
  referencing new table as written
  execute function note_kind(4, 'case when nft_item_owner = dns_wallet then dns_wallet end');
