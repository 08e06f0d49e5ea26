-- Contracts that are recognised by their get-methods. A row has what they said at the contract's last state that was
-- recognised. first_seen_lt: the contract's first transaction in the index, the order of lists without another one.
create table jetton_masters (
  address bytea primary key,
  first_seen_lt bigint, -- null only inside the transaction that inserts the row
  last_transaction_lt bigint not null,
  timestamp bigint not null, -- gen_utime of the block it was read at
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  total_supply numeric not null,
  mintable boolean not null,
  admin_address bytea,
  jetton_content jsonb not null,
  jetton_wallet_code_hash bytea not null
);
-- jetton/masters in its order, and by admin
create index jetton_masters_by_age on jetton_masters (first_seen_lt, address) where not destroyed;
create index jetton_masters_by_admin on jetton_masters (admin_address, first_seen_lt, address) where not destroyed;

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
  mintless_is_claimed boolean
);
-- jetton/wallets in its order, by owner and by jetton
create index jetton_wallets_by_balance on jetton_wallets (balance desc, address) where not destroyed;
create index jetton_wallets_by_owner on jetton_wallets (owner, balance desc, address) where not destroyed;
create index jetton_wallets_by_jetton on jetton_wallets (jetton, balance desc, address) where not destroyed;
