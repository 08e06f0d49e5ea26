-- Directories: where rows are that are partitioned by lt. Without them a search would read every slot. Most name slots,
-- others the lt of a row. A revert may leave a slot named that has no such row any more.

-- A transaction, by its hash.
create table tx_locator (
  hash_prefix bigint not null,
  lt bigint not null
) partition by hash (hash_prefix);
create index tx_locator_by_hash on tx_locator (hash_prefix, lt);

-- A row of messages, by the hash of the message. One with a normalized hash has a second row for it.
create table msg_locator (
  hash_prefix bigint not null,
  tx_lt bigint not null
) partition by hash (hash_prefix);
create index msg_locator_by_hash on msg_locator (hash_prefix, tx_lt);

-- A block, by its root hash. A second row is for its file hash.
create table block_locator (
  hash_prefix bigint not null,
  start_lt bigint not null
) partition by hash (hash_prefix);
create index block_locator_by_hash on block_locator (hash_prefix, start_lt);

-- An action, by its id: the end of its trace.
create table action_locator (
  hash_prefix bigint not null,
  trace_end_lt bigint not null,
  primary key (hash_prefix, trace_end_lt)
) partition by hash (hash_prefix);

-- A slot that has a transaction of an account, or a message from or to it.
create table account_slots (
  account bytea not null,
  from_lt bigint not null,
  n integer not null, -- transactions of the account in the slot
  primary key (account, from_lt)
) partition by hash (account);

-- A slot that has a token event of an account.
create table token_slots (
  account bytea not null,
  from_lt bigint not null,
  primary key (account, from_lt)
) partition by hash (account);

-- A slot that has a message with a body, by the hash of the body.
create table body_slots (
  hash_prefix bigint not null,
  from_lt bigint not null,
  primary key (hash_prefix, from_lt)
) partition by hash (hash_prefix);

-- A slot that has a message with an opcode. There are few opcodes, so that the table stays small.
create table opcode_slots (
  opcode integer not null,
  from_lt bigint not null,
  primary key (opcode, from_lt)
);

-- A slot that has a block or a transaction of a shard, and bounds of the seqnos of the shard's blocks in it.
create table shard_slots (
  workchain integer not null,
  shard bigint not null,
  from_lt bigint not null,
  first_seqno integer not null,
  last_seqno integer not null,
  primary key (workchain, shard, from_lt)
) partition by hash (shard);

-- A trace in which an account has a transaction, by its end. The ends of a pending trace are the largest bigint.
create table account_traces (
  end_lt bigint not null,
  end_utime bigint not null,
  account bytea not null,
  trace_id bytea not null
) partition by hash (account);
-- Lists by times are searched in the order of lt too, like those of action_accounts: see page-times.ts.
create index account_traces_by_lt on account_traces (account_key(account), end_lt);

-- An action of an account, by its key, with the columns by which lists are sorted. Whether it is one is seen in the action.
create table action_accounts (
  account_key bigint not null,
  trace_end_lt bigint not null,
  trace_key bigint not null, -- the hash_prefix of the trace
  end_lt bigint not null,
  action_key bigint not null, -- the hash_prefix of the action
  trace_end_utime bigint not null,
  utime_left integer not null, -- from the end of the action to that of the trace
  -- the action's type, the type of an action that it is a part of, whether the account began the trace: see tables/action-kinds.ts
  kind smallint not null
) partition by hash (account_key);
create index action_accounts_by_lt on action_accounts (account_key, trace_end_lt);
-- The kinds of an account, and of each kind the newest: an account may have many actions and hardly any of a kind.
create index action_accounts_by_kind on action_accounts (account_key, kind, trace_end_lt);

do $$
declare directory text;
begin
  for part in 0..15 loop
    foreach directory in array array[
      'tx_locator', 'msg_locator', 'block_locator', 'action_locator', 'account_slots', 'token_slots', 'body_slots',
      'shard_slots', 'account_traces', 'action_accounts'
    ] loop
      execute format(
        'create table %I partition of %I for values with (modulus 16, remainder %s) %s',
        directory || '_' || part, directory, part,
        -- Index-only scans need vacuumed pages, and the default threshold is too rare for tables that are only appended to.
        case when directory <> 'shard_slots' then 'with (autovacuum_vacuum_insert_scale_factor = 0.02)' end);
    end loop;
    -- account_traces_by_trace: where a trace is, by an account that has a transaction in it; all accounts of a trace. Anybody
    -- can make two accounts of the same key, and both may be in one trace. An index of the whole table would have to have
    -- whole accounts, by which it is spread.
    execute format(
      'create unique index account_traces_%s_by_trace on account_traces_%1$s
        (hash_prefix(trace_id), account_key(account), account_rest(account), account_end(account))', part);
  end loop;
end $$;
