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
  real_owner bytea, -- the seller, if the owner is a sale or an auction of this item; else the owner
  content jsonb not null
);
-- nft/items in its order, by owner, by owner including sales, by collection, by index
create index nft_items_by_lt on nft_items (last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_owner on nft_items (owner_address, last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_real_owner on nft_items (real_owner, last_transaction_lt desc, address) where not destroyed;
create index nft_items_by_collection on nft_items (collection_address, last_transaction_lt desc, address)
  where not destroyed;
create index nft_items_by_index on nft_items (collection_address, index) where not destroyed;

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
  sold_at bigint, -- this and the rest: since version 4
  sold_query_id numeric,
  jetton_price_dict jsonb
);

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
  activated boolean, -- this and the rest: since version 4
  step_time bigint,
  last_query_id numeric,
  jetton_wallet bytea,
  jetton_master bytea,
  is_broken_state boolean,
  public_key numeric
);
