create table vesting_contracts (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  vesting_start_time bigint not null,
  vesting_total_duration bigint not null,
  unlock_period bigint not null,
  cliff_duration bigint not null,
  vesting_total_amount numeric not null,
  vesting_sender_address bytea not null,
  owner_address bytea not null,
  whitelist bytea[] not null
);
-- vesting by the wallet of the owner, of the sender, or of somebody in the whitelist
create index vesting_contracts_by_owner on vesting_contracts (owner_address, first_seen_lt, address) where not destroyed;
create index vesting_contracts_by_sender on vesting_contracts (vesting_sender_address, first_seen_lt, address)
  where not destroyed;
create index vesting_contracts_by_whitelist on vesting_contracts using gin (whitelist) where not destroyed;
