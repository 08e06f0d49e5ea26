-- Jettons and NFTs: their contracts, and requests to them.

-- The tables of contracts that are recognised by their get-methods have a row for each contract, with the answers of these
-- methods in its last state that was recognised. All begin with the same columns:
--   first_seen_lt        the contract's first transaction in the index, by which lists are sorted unless a parameter says
--                        otherwise; 0 if there is none, null only inside the transaction that inserts the row
--   last_transaction_lt  the contract's last transaction; 0 if there is none
--   timestamp            gen_utime of the block at which the state was read
--   destroyed            whether the account has ceased to exist since

-- A jetton (TEP-74). display_*: the factor by which its amounts are shown (TEP-526); null if it states none. No amount of any
-- table is multiplied by it.
create table jetton_masters (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  total_supply numeric not null,
  mintable boolean not null,
  admin_address bytea,
  jetton_content jsonb not null,
  jetton_wallet_code_hash bytea not null,
  display_numerator numeric,
  display_denominator numeric
);
-- jetton/masters in its order, and by admin
create index jetton_masters_by_age on jetton_masters (first_seen_lt, address) where not destroyed;
create index jetton_masters_by_admin on jetton_masters (admin_address, first_seen_lt, address) where not destroyed;
-- search: by name and by symbol
create index jetton_masters_by_name on jetton_masters
  (search_key(jetton_content ->> 'name') collate "C", first_seen_lt, address)
  where not destroyed and jetton_content ->> 'name' is not null;
create index jetton_masters_by_symbol on jetton_masters
  (search_key(jetton_content ->> 'symbol') collate "C", first_seen_lt, address)
  where not destroyed and jetton_content ->> 'symbol' is not null;
-- metadata of answers: see account_kinds
create trigger note_kind after insert on jetton_masters
  referencing new table as written execute function note_kind(1, 'address');

-- A jetton wallet that its jetton confirms. mintless_*: of mintless jettons (TEP-177) alone. Except for mintless_is_claimed,
-- an importer of airdrops fills them in for wallets that have not claimed theirs.
create table jetton_wallets (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  balance numeric not null,
  owner bytea not null,
  jetton bytea not null,
  mintless_is_claimed boolean,
  mintless_amount numeric,
  mintless_start_from bigint,
  mintless_expire_at bigint
);
-- jetton/wallets in its order, by owner and by jetton
create index jetton_wallets_by_balance on jetton_wallets (balance desc, address) where not destroyed;
create index jetton_wallets_by_owner on jetton_wallets (owner, balance desc, address) where not destroyed;
create index jetton_wallets_by_jetton on jetton_wallets (jetton, balance desc, address) where not destroyed;
-- by owner and jetton: usually one, however many an owner or a jetton has
create index jetton_wallets_by_both on jetton_wallets (route_key(owner, jetton), balance desc, address) where not destroyed;
-- likewise, of wallets that have an airdrop alone, beside many without anything
create index jetton_airdrops_by_balance on jetton_wallets (balance desc, address)
  where balance <= 0 and not mintless_is_claimed and mintless_amount > 0 and not destroyed;
create index jetton_airdrops_by_owner on jetton_wallets (owner, balance desc, address)
  where balance <= 0 and not mintless_is_claimed and mintless_amount > 0 and not destroyed;
create index jetton_airdrops_by_jetton on jetton_wallets (jetton, balance desc, address)
  where balance <= 0 and not mintless_is_claimed and mintless_amount > 0 and not destroyed;
create trigger note_kind after insert on jetton_wallets
  referencing new table as written execute function note_kind(0, 'address');

-- A mintless jetton of which a wallet is known.
create table mintless_jetton_masters (
  address bytea primary key,
  is_indexed boolean not null,
  custom_payload_api_uri text[] -- services that make the payloads of claims
);

-- An NFT collection (TEP-62).
create table nft_collections (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  next_item_index numeric not null,
  owner_address bytea,
  collection_content jsonb not null
);
-- nft/collections in its order, and by owner
create index nft_collections_by_age on nft_collections (first_seen_lt, address) where not destroyed;
create index nft_collections_by_owner on nft_collections (owner_address, first_seen_lt, address) where not destroyed;
-- search
create index nft_collections_by_name on nft_collections
  (search_key(collection_content ->> 'name') collate "C", first_seen_lt, address)
  where not destroyed and collection_content ->> 'name' is not null;
create trigger note_kind after insert on nft_collections
  referencing new table as written execute function note_kind(2, 'address');

-- An NFT item. One with a collection is confirmed by it.
create table nft_items (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  init boolean not null,
  index numeric not null,
  collection_address bytea,
  owner_address bytea,
  real_owner bytea, -- the seller, if the owner is a sale or an auction of this item; otherwise the owner
  content jsonb not null
);
-- nft/items in its order, by owner, by owner including sales, by collection, by index
create index nft_items_by_lt on nft_items (last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_owner on nft_items (owner_address, last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_real_owner on nft_items (real_owner, last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_collection on nft_items (collection_address, last_transaction_lt desc, address)
  where not destroyed;
create index nft_items_by_index on nft_items (collection_address, index) where not destroyed;
-- by owner and collection, without and with sales
create index nft_items_by_owner_collection on nft_items (
  route_key(owner_address, collection_address), last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_real_owner_collection on nft_items (
  route_key(real_owner, collection_address), last_transaction_lt desc, address) where not destroyed;
-- search
create index nft_items_by_name on nft_items
  (search_key(content ->> 'name') collate "C", first_seen_lt, address)
  where not destroyed and content ->> 'name' is not null;
create trigger note_kind after insert on nft_items
  referencing new table as written execute function note_kind(3, 'address');

-- A contract that sells an item at a fixed price.
create table nft_sales (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  is_complete boolean not null,
  created_at bigint not null,
  marketplace_address bytea not null,
  nft_address bytea not null,
  nft_owner_address bytea,
  full_price numeric not null,
  marketplace_fee_address bytea not null,
  marketplace_fee numeric not null,
  royalty_address bytea not null,
  royalty_amount numeric not null,
  sold_at bigint, -- this and the rest: since version 4 of these contracts
  sold_query_id numeric,
  jetton_price_dict jsonb
);

-- A contract that sells an item by auction.
create table nft_auctions (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  end_flag boolean not null,
  end_time bigint not null,
  mp_addr bytea not null,
  nft_addr bytea not null,
  nft_owner bytea,
  last_bid numeric not null,
  last_member bytea,
  min_step bigint not null,
  mp_fee_addr bytea not null,
  mp_fee_factor bigint not null,
  mp_fee_base bigint not null,
  royalty_fee_addr bytea not null,
  royalty_fee_factor bigint not null,
  royalty_fee_base bigint not null,
  max_bid numeric not null,
  min_bid numeric not null,
  created_at bigint not null,
  last_bid_at bigint not null,
  is_canceled boolean not null,
  activated boolean, -- this and the rest: since version 4 of these contracts
  step_time bigint,
  last_query_id numeric,
  jetton_wallet bytea,
  jetton_master bytea,
  is_broken_state boolean,
  public_key numeric
);

-- A name or a number of Telegram, which is an NFT item and sells itself by auction. Without an auction the columns of one
-- are 0.
create table telemint_items (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  token_name text not null,
  bidder_address bytea,
  bid numeric not null,
  bid_ts bigint not null,
  min_bid numeric not null,
  end_time bigint not null,
  beneficiary_address bytea,
  initial_min_bid numeric not null,
  max_bid numeric not null,
  min_bid_step bigint not null,
  min_extend_time bigint not null,
  duration bigint not null,
  royalty_numerator bigint not null,
  royalty_denominator bigint not null,
  royalty_destination bytea not null,
  has_auction boolean not null -- whether there is a beneficiary
);

-- A transfer that a jetton wallet was asked for. Payloads are bags of cells.
create table jetton_transfers (
  tx_lt bigint not null,
  tx_now bigint not null,
  mc_seqno integer not null,
  tx_aborted boolean not null,
  tx_hash bytea not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  source bytea not null, -- the account that asked: the owner of the wallet, unless the wallet refused
  destination bytea, -- null: addr_none
  jetton_wallet_address bytea not null, -- the sender's
  jetton_master_address bytea not null,
  amount numeric not null,
  forward_ton_amount numeric not null,
  forward_payload bytea -- null also for a payload that is not in a reference
) partition by range (tx_lt);
-- an event by its transaction
create unique index jetton_transfers_by_transaction on jetton_transfers
  (tx_lt, hash_prefix(tx_hash), hash_rest(tx_hash));
-- jetton/transfers in its order, without and with times, by either owner, by wallet, by jetton. Few have the same lt.
create index jetton_transfers_by_lt on jetton_transfers (tx_lt) where not tx_aborted;
create index jetton_transfers_by_time on jetton_transfers (tx_now, tx_lt) where not tx_aborted;
create index jetton_transfers_by_source on jetton_transfers (account_key(source), tx_lt) where not tx_aborted;
create index jetton_transfers_by_source_time on jetton_transfers (account_key(source), tx_now, tx_lt) where not tx_aborted;
create index jetton_transfers_by_destination on jetton_transfers (account_key(destination), tx_lt) where not tx_aborted;
create index jetton_transfers_by_destination_time on jetton_transfers (account_key(destination), tx_now, tx_lt)
  where not tx_aborted;
create index jetton_transfers_by_wallet on jetton_transfers (account_key(jetton_wallet_address), tx_lt) where not tx_aborted;
create index jetton_transfers_by_wallet_time on jetton_transfers (account_key(jetton_wallet_address), tx_now, tx_lt)
  where not tx_aborted;
create index jetton_transfers_by_master on jetton_transfers (account_key(jetton_master_address), tx_lt) where not tx_aborted;
create index jetton_transfers_by_master_time on jetton_transfers (account_key(jetton_master_address), tx_now, tx_lt)
  where not tx_aborted;
-- by either owner together with the wallet or the jetton
create index jetton_transfers_by_source_wallet on jetton_transfers (route_key(source, jetton_wallet_address), tx_lt)
  where not tx_aborted;
create index jetton_transfers_by_source_master on jetton_transfers (route_key(source, jetton_master_address), tx_lt)
  where not tx_aborted;
create index jetton_transfers_by_destination_wallet on jetton_transfers (
  route_key(destination, jetton_wallet_address), tx_lt) where not tx_aborted;
create index jetton_transfers_by_destination_master on jetton_transfers (
  route_key(destination, jetton_master_address), tx_lt) where not tx_aborted;
-- rows of a trace
create index jetton_transfers_by_trace on jetton_transfers (hash_prefix(trace_id));

-- A burn that a jetton wallet was asked for.
create table jetton_burns (
  tx_lt bigint not null,
  tx_now bigint not null,
  mc_seqno integer not null,
  tx_aborted boolean not null,
  tx_hash bytea not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  owner bytea not null, -- the account that asked
  jetton_wallet_address bytea not null,
  jetton_master_address bytea not null,
  amount numeric not null
) partition by range (tx_lt);
-- jetton/burns likewise, all of them
create unique index jetton_burns_by_transaction on jetton_burns (tx_lt, hash_prefix(tx_hash), hash_rest(tx_hash));
create index jetton_burns_by_time on jetton_burns (tx_now, tx_lt);
create index jetton_burns_by_owner on jetton_burns (account_key(owner), tx_lt);
create index jetton_burns_by_owner_time on jetton_burns (account_key(owner), tx_now, tx_lt);
create index jetton_burns_by_wallet on jetton_burns (account_key(jetton_wallet_address), tx_lt);
create index jetton_burns_by_wallet_time on jetton_burns (account_key(jetton_wallet_address), tx_now, tx_lt);
create index jetton_burns_by_master on jetton_burns (account_key(jetton_master_address), tx_lt);
create index jetton_burns_by_master_time on jetton_burns (account_key(jetton_master_address), tx_now, tx_lt);
create index jetton_burns_by_owner_wallet on jetton_burns (route_key(owner, jetton_wallet_address), tx_lt);
create index jetton_burns_by_owner_master on jetton_burns (route_key(owner, jetton_master_address), tx_lt);
create index jetton_burns_by_trace on jetton_burns (hash_prefix(trace_id));

-- A transfer that an NFT item was asked for.
create table nft_transfers (
  tx_lt bigint not null,
  tx_now bigint not null,
  mc_seqno integer not null,
  tx_aborted boolean not null,
  tx_hash bytea not null,
  trace_id bytea not null,
  query_id numeric not null,
  response_destination bytea,
  custom_payload bytea,
  nft_item_address bytea not null,
  nft_item_index numeric not null,
  nft_collection_address bytea,
  old_owner bytea not null, -- the account that asked
  new_owner bytea, -- null: addr_none
  forward_amount numeric not null,
  forward_payload bytea
) partition by range (tx_lt);
-- nft/transfers likewise, by either owner, by item, by collection
create unique index nft_transfers_by_transaction on nft_transfers (tx_lt, hash_prefix(tx_hash), hash_rest(tx_hash));
create index nft_transfers_by_time on nft_transfers (tx_now, tx_lt);
create index nft_transfers_by_old_owner on nft_transfers (account_key(old_owner), tx_lt);
create index nft_transfers_by_old_owner_time on nft_transfers (account_key(old_owner), tx_now, tx_lt);
create index nft_transfers_by_new_owner on nft_transfers (account_key(new_owner), tx_lt);
create index nft_transfers_by_new_owner_time on nft_transfers (account_key(new_owner), tx_now, tx_lt);
create index nft_transfers_by_item on nft_transfers (account_key(nft_item_address), tx_lt);
create index nft_transfers_by_item_time on nft_transfers (account_key(nft_item_address), tx_now, tx_lt);
create index nft_transfers_by_collection on nft_transfers (account_key(nft_collection_address), tx_lt);
create index nft_transfers_by_collection_time on nft_transfers (account_key(nft_collection_address), tx_now, tx_lt);
create index nft_transfers_by_old_owner_item on nft_transfers (route_key(old_owner, nft_item_address), tx_lt);
create index nft_transfers_by_old_owner_collection on nft_transfers (
  route_key(old_owner, nft_collection_address), tx_lt);
create index nft_transfers_by_new_owner_item on nft_transfers (route_key(new_owner, nft_item_address), tx_lt);
create index nft_transfers_by_new_owner_collection on nft_transfers (
  route_key(new_owner, nft_collection_address), tx_lt);
create index nft_transfers_by_trace on nft_transfers (hash_prefix(trace_id));
