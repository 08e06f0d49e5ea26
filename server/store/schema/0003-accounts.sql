-- The states of accounts, and their code.

-- A state of an account, in the slot of the transaction that left it: so those of a time are stored and read together. The
-- account is a part of what the hash is of, and its key is enough to find the row. The state of all accounts that do not exist
-- is not stored.
create table account_states (
  account_key bigint not null,
  lt bigint not null, -- of the account's last transaction; 0 if there was none
  balance bigint not null,
  account_status smallint not null, -- 0 nonexist, 1 uninit, 2 frozen, 3 active
  hash bytea not null,
  balance_extra_currencies jsonb,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea
) partition by range (lt);
create unique index account_states_by_account on account_states (account_key, lt, hash_prefix(hash));

-- The latest stored state of an account.
create table latest_account_states (
  balance bigint not null,
  timestamp bigint not null, -- gen_utime of the block it was read at
  last_trans_lt bigint,
  account_status smallint not null,
  account bytea primary key,
  hash bytea not null,
  balance_extra_currencies jsonb,
  last_trans_hash bytea, -- null, like last_trans_lt, in a zero state and without a transaction since
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  data_boc bytea
);
-- topAccountsByBalance
create index latest_account_states_by_balance on latest_account_states (balance desc, account);

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

-- An account that another table has a row of, or has had one: answers name many accounts, most of which no such table has.
-- Triggers write it.
create table account_kinds (
  account bytea not null,
  kind smallint not null -- the table: a place in the list of tables/accounts.ts
);
-- A search takes one page however many accounts there are, and of a tree four.
create index account_kinds_by_account on account_kinds using hash (account);

-- Notes the accounts of rows that were written. Arguments: the kind, and the column or expression of the account.
create function note_kind() returns trigger language plpgsql as $$
declare accounts bytea[];
begin
  -- Citus joins no rows of a trigger with those of a table.
  execute format('select array_agg(distinct %s) from written', tg_argv[1]) into accounts;
  -- A statement in a string is planned for the size that the table has now.
  execute format('
    insert into account_kinds
    select account, %1$s from unnest($1) as noted(account)
    where account is not null
      and not exists (select from account_kinds as k where k.account = noted.account and k.kind = %1$s)',
    tg_argv[0]) using accounts;
  return null;
end $$;
