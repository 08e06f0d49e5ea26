-- The states of accounts, and their code.

-- A state of an account, in the slot of the transaction that left it: so those of a time are stored and read together.
create table account_states (
  account bytea not null,
  lt bigint not null, -- of the account's last transaction; 0 if there was none
  hash bytea not null,
  balance bigint not null,
  balance_extra_currencies jsonb,
  account_status smallint not null, -- 0 nonexist, 1 uninit, 2 frozen, 3 active
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  primary key (account, lt, hash)
) partition by range (lt);
-- All accounts that do not exist share this state, so that it does not depend on whose is stored first.
create table account_states_nonexist partition of account_states for values from (-1) to (0);
insert into account_states (account, lt, hash, balance, account_status) values (
  decode(repeat('00', 33), 'hex'), -1, '\x90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 0, 0
);

-- The latest stored state of an account.
create table latest_account_states (
  account bytea primary key,
  hash bytea not null,
  balance bigint not null,
  balance_extra_currencies jsonb,
  account_status smallint not null,
  timestamp bigint not null, -- gen_utime of the block it was read at
  last_trans_hash bytea, -- null, like last_trans_lt, in a zero state and without a transaction since
  last_trans_lt bigint,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  data_boc bytea
);
-- topAccountsByBalance
create index latest_account_states_by_balance on latest_account_states (balance desc, account);
-- accountStates by code hash
create index latest_account_states_by_code on latest_account_states (code_hash, account);

-- The get-methods of a code: unsigned ids, ascending. Code that cannot be read has an empty list.
create table contract_methods (
  code_hash bytea primary key,
  methods integer[] not null
);

-- A code as a bag of cells, once for all its accounts.
create table contract_codes (
  code_hash bytea primary key,
  boc bytea not null
);
