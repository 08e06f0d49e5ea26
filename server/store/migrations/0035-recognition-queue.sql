-- Accounts whose get-methods are run later, because they would have held up the blocks
create table recognition_queue (
  account bytea not null,
  code_hash bytea not null,
  hash bytea not null, -- of the state that is looked at
  data_hash bytea not null,
  data_boc bytea,
  balance bigint not null,
  balance_extra_currencies jsonb,
  has_libraries boolean not null,
  last_trans_lt bigint not null, -- 0 without transactions
  timestamp bigint not null,
  mc_seqno integer not null, -- the masterchain block as of which it is looked at
  from_seqno integer not null, -- the blocks whose transactions have no token events yet
  to_seqno integer not null,
  blamed_code bytea not null, -- the code that took the time, whose turn it is
  cost_ms integer not null, -- expected
  turn bigint not null, -- the least comes first
  queued_at bigint not null,
  primary key (account, code_hash)
);
create index recognition_queue_by_turn on recognition_queue (turn, account);
create index recognition_queue_by_code on recognition_queue (blamed_code, turn);
create index recognition_queue_by_age on recognition_queue (queued_at);

-- Accounts of the queue that the classification of a trace asked for: it is classified again when they are recognised
create table awaited_contracts (
  trace_id bytea not null,
  account bytea not null,
  mc_seqno integer not null, -- the last block of the trace
  primary key (trace_id, account)
);
create index awaited_contracts_by_account on awaited_contracts (account);

-- Traces and jetton wallets whose events are told with a later block, because accounts are recognised first
create table late_traces (
  trace_id bytea primary key,
  end_lt bigint not null,
  mc_seqno_end integer not null,
  told_seqno integer -- null while it waits
);
create index late_traces_by_end on late_traces (mc_seqno_end);
create index late_traces_by_block on late_traces (told_seqno) where told_seqno is not null;
create table late_wallets (
  account bytea not null,
  lt bigint not null, -- of the transaction that left it so
  mc_seqno integer not null,
  told_seqno integer not null,
  primary key (account, lt)
);
create index late_wallets_by_block on late_wallets (told_seqno);

-- What the get-methods of codes cost, in milliseconds of CPU time
create table recognition_costs (
  code_hash bytea primary key,
  balance_ms integer not null, -- saved, or owed
  expected_ms integer not null -- for one account
);
