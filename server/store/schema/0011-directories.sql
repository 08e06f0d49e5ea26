-- Directories: where rows are that are partitioned by lt. Without them a search would read every slot. Most name slots,
-- others the lt of a row. A revert may leave a slot named that has no such row any more.

-- The first eight bytes of a hash, big-endian. Prefixes are not unique: readers compare whole hashes.
create function hash_prefix(bytea) returns bigint language sql immutable parallel safe
  as $$ select ('x' || encode(substr($1, 1, 8), 'hex'))::bit(64)::bigint $$;

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
  account bytea not null,
  end_lt bigint not null,
  trace_id bytea not null,
  end_utime bigint not null,
  primary key (account, end_lt, trace_id)
) partition by hash (account);
create index account_traces_by_time on account_traces (account, end_utime, trace_id);
-- where a trace is, by an account that has a transaction in it; all accounts of a trace
create index account_traces_by_trace on account_traces (trace_id, account);

-- An action of an account, with the columns by which lists are sorted.
create table action_accounts (
  account bytea not null,
  trace_end_lt bigint not null,
  trace_id bytea not null,
  end_lt bigint not null,
  action_id bytea not null,
  trace_end_utime bigint not null,
  end_utime bigint not null,
  primary key (account, trace_end_lt, trace_id, end_lt, action_id)
) partition by hash (account);
create index action_accounts_by_time on action_accounts (account, trace_end_utime, trace_id, end_utime, action_id);

do $$
declare directory text;
begin
  foreach directory in array array[
    'tx_locator', 'msg_locator', 'block_locator', 'action_locator', 'account_slots', 'token_slots', 'body_slots',
    'shard_slots', 'account_traces', 'action_accounts'
  ] loop
    for part in 0..15 loop
      execute format(
        'create table %I partition of %I for values with (modulus 16, remainder %s) %s',
        directory || '_' || part, directory, part,
        -- Index-only scans need vacuumed pages, and the default threshold is too rare for tables that are only appended to.
        case when directory <> 'shard_slots' then 'with (autovacuum_vacuum_insert_scale_factor = 0.02)' end);
    end loop;
  end loop;
end $$;
