-- Multisig wallets, their orders, and vesting wallets. The first columns are those of all contracts: see tokens.

-- A multisig wallet (version 2).
create table multisigs (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  next_order_seqno numeric not null, -- -1 if orders may have any number
  threshold bigint not null,
  signers bytea[] not null,
  proposers bytea[] not null
);
-- multisig/wallets by the wallet of a signer or a proposer
create index multisigs_by_signer on multisigs using gin (signers) where not destroyed;
create index multisigs_by_proposer on multisigs using gin (proposers) where not destroyed;

-- An order that its multisig wallet confirms.
create table multisig_orders (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  multisig_address bytea not null,
  order_seqno numeric not null,
  threshold bigint not null,
  sent_for_execution boolean not null,
  signers bytea[] not null,
  approvals_mask numeric not null,
  approvals_num bigint not null,
  expiration_date bigint not null,
  order_boc bytea not null
);
-- multisig/orders of a wallet in their order, and the orders that multisig/wallets includes
create index multisig_orders_by_multisig on multisig_orders (multisig_address, last_transaction_lt desc, address)
  where not destroyed;
create index multisig_orders_by_age on multisig_orders (multisig_address, first_seen_lt, address) where not destroyed;

-- A vesting wallet.
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
-- vesting by the wallet of the owner, of the sender, or of an account in the whitelist
create index vesting_contracts_by_owner on vesting_contracts (owner_address, first_seen_lt, address) where not destroyed;
create index vesting_contracts_by_sender on vesting_contracts (vesting_sender_address, first_seen_lt, address)
  where not destroyed;
create index vesting_contracts_by_whitelist on vesting_contracts using gin (whitelist) where not destroyed;
