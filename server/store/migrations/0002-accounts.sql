-- Account states by their hash, as transactions name them.
create table account_states (
  hash bytea primary key,
  account bytea not null,
  balance bigint not null,
  balance_extra_currencies jsonb,
  account_status smallint not null, -- 0 nonexist, 1 uninit, 2 frozen, 3 active
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea
);
-- All accounts that do not exist have one state; whose it was first must not depend on who stored what when.
insert into account_states values (
  '\x90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', decode(repeat('00', 33), 'hex'), 0, null, 0
);

-- The last state of every account met so far; of zero state accounts without a transaction last_trans_* are null.
create table latest_account_states (
  account bytea primary key,
  hash bytea not null,
  balance bigint not null,
  balance_extra_currencies jsonb,
  account_status smallint not null,
  timestamp bigint not null, -- gen_utime of the block it was read at
  last_trans_hash bytea,
  last_trans_lt bigint,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  data_boc bytea,
  code_boc bytea
);
-- topAccountsByBalance
create index latest_account_states_by_balance on latest_account_states (balance desc, account);
-- accountStates by code hash
create index latest_account_states_by_code on latest_account_states (code_hash, account);

-- Which get-methods a code has, ascending; code that cannot be read has an empty list.
create table contract_methods (
  code_hash bytea primary key,
  methods integer[] not null
);
