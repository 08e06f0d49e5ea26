-- Pools of exchanges that the actions of traces name. An asset is a jetton, null is TON.
create table dex_pools (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  dex smallint not null,
  pool_type smallint not null,
  factory bytea, -- that has confirmed the pool; null where none is asked
  asset_1 bytea,
  asset_2 bytea,
  reserve_1 numeric not null,
  reserve_2 numeric not null,
  fee_numerator numeric not null,
  fee_denominator numeric not null
);
