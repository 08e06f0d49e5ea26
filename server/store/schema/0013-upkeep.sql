-- Work that is left for later: merges of slots, recognition of contracts, classification, and events that wait for both.

-- Notes that the partitions of a merged slot have changed while they are copied into one: the copy is then out of date. Triggers
-- call it with the table of notes and the column whose value is noted, which places a note beside the row. A transaction is noted once.
create function note_changed_row() returns trigger language plpgsql as $$
declare noted text := 'tonwire.' || tg_argv[0];
begin
  if current_setting(noted, true) is distinct from 'noted' then
    execute format('insert into %I.%I values (%L)', tg_table_schema, tg_argv[0], to_jsonb(coalesce(new, old)) ->> tg_argv[1]);
    perform set_config(noted, 'noted', true);
  end if;
  return null;
end $$;

-- An account that was unknown when a trace was classified, while blocks before the trace were missing. Once these are
-- stored and the account is known, the trace is classified again.
create table unknown_contracts (
  trace_id bytea not null,
  account bytea not null,
  chain_from integer not null, -- the first of the blocks without a gap up to the trace
  mc_seqno integer not null, -- the last block of the trace
  primary key (trace_id, account)
);
-- accounts whose earlier blocks have been stored since
create index unknown_contracts_by_chain on unknown_contracts (chain_from);

-- An account whose get-methods run later, because they would have held up the blocks.
create table recognition_queue (
  account bytea not null,
  code_hash bytea not null,
  hash bytea not null, -- of the state in which it is recognised
  data_hash bytea not null,
  data_boc bytea,
  balance bigint not null,
  balance_extra_currencies jsonb,
  has_libraries boolean not null,
  last_trans_lt bigint not null, -- 0 without transactions
  timestamp bigint not null,
  mc_seqno integer not null, -- the masterchain block as of which it is recognised
  from_seqno integer not null, -- the blocks whose transactions have no token events yet
  to_seqno integer not null,
  blamed_code bytea not null, -- the code that took the time, by which turns are shared out: its own, or one that it asks
  cost_ms integer not null, -- expected
  turn bigint not null, -- the least is next
  queued_at bigint not null,
  primary key (account, code_hash)
);
create index recognition_queue_by_turn on recognition_queue (turn, account);
create index recognition_queue_by_code on recognition_queue (blamed_code, turn);
create index recognition_queue_by_age on recognition_queue (queued_at);

-- The CPU time of the get-methods of a code, in milliseconds.
create table recognition_costs (
  code_hash bytea primary key,
  balance_ms integer not null, -- saved, or owed if it is negative
  expected_ms integer not null -- for one account
);

-- A queued account that the classification of a trace asked for. Once it is recognised, the trace is classified again.
create table awaited_contracts (
  trace_id bytea not null,
  account bytea not null,
  mc_seqno integer not null, -- the last block of the trace
  primary key (trace_id, account)
);
create index awaited_contracts_by_account on awaited_contracts (account);

-- A trace whose events are sent with a later block than its last one, because it waits for awaited contracts.
create table late_traces (
  trace_id bytea primary key,
  end_lt bigint not null,
  mc_seqno_end integer not null,
  told_seqno integer -- the block with which they are sent; null while the trace waits
);
create index late_traces_by_end on late_traces (mc_seqno_end);
create index late_traces_by_block on late_traces (told_seqno) where told_seqno is not null;

-- A change of a jetton wallet whose event is sent with a later block than its own, because the wallet was recognised later.
create table late_wallets (
  account bytea not null,
  lt bigint not null, -- of the transaction that made the change
  mc_seqno integer not null,
  told_seqno integer not null, -- the block with which the event is sent
  primary key (account, lt)
);
create index late_wallets_by_block on late_wallets (told_seqno);
