-- Account states in the slots of the transactions that made them, so that those of a time are stored and read together.
alter table account_states rename to old_account_states;
alter index account_states_pkey rename to old_account_states_pkey;
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

-- All accounts that do not exist have one state.
create table account_states_nonexist partition of account_states for values from (-1) to (0);
insert into account_states (account, lt, hash, balance, account_status)
select account, -1, hash, balance, account_status from old_account_states where account_status = 0;

do $$
declare slot record;
begin
  for slot in select from_lt, to_lt from slots loop
    execute format(
      'create table account_states_%1$s partition of account_states for values from (%1$s) to (%2$s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)',
      slot.from_lt, slot.to_lt);
  end loop;
end $$;

-- step: move the states that transactions left
insert into account_states
  (account, lt, hash, balance, balance_extra_currencies, account_status, frozen_hash, data_hash, code_hash)
select o.account, t.lt, o.hash, o.balance, o.balance_extra_currencies, o.account_status, o.frozen_hash, o.data_hash,
  o.code_hash
from old_account_states o
join transactions t on t.account_state_hash_after = o.hash and t.account = o.account
where o.account_status <> 0
on conflict do nothing;

-- step: move the states that transactions met
insert into account_states
  (account, lt, hash, balance, balance_extra_currencies, account_status, frozen_hash, data_hash, code_hash)
select o.account, t.prev_trans_lt, o.hash, o.balance, o.balance_extra_currencies, o.account_status, o.frozen_hash,
  o.data_hash, o.code_hash
from old_account_states o
join transactions t on t.account_state_hash_before = o.hash and t.account = o.account
join slots s on s.from_lt <= t.prev_trans_lt and s.to_lt > t.prev_trans_lt
where o.account_status <> 0
on conflict do nothing;

drop table old_account_states;
