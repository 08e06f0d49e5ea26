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
