-- Actions: what happened in traces, in the terms of users.

-- An action of a complete trace. It is in the slot of the end of its trace.
create table actions (
  start_lt bigint not null,
  end_lt bigint not null,
  start_utime bigint not null,
  end_utime bigint not null,
  trace_end_lt bigint not null,
  trace_end_utime bigint not null,
  mc_seqno_end integer not null,
  trace_mc_seqno_end integer not null,
  opcode integer,
  success boolean not null,
  initiator smallint, -- the place in accounts, from 1, of the account whose transaction began the trace
  trace_id bytea not null,
  action_id bytea not null,
  parent_action_id bytea, -- the action that this one is a part of
  type text not null,
  ancestor_type text[] not null, -- types of all actions that this one is a part of
  parent_gasless_action bytea, -- the gasless_request that this one follows from directly
  trace_external_hash bytea,
  trace_external_hash_norm bytea,
  tx_hashes bytea[] not null,
  accounts bytea[] not null,
  source bytea,
  source_secondary bytea,
  destination bytea,
  destination_secondary bytea,
  asset bytea,
  asset_secondary bytea,
  asset2 bytea,
  asset2_secondary bytea,
  amount numeric,
  value numeric,
  value_extra_currencies jsonb,
  data jsonb -- members that only some types have
) partition by range (trace_end_lt);
-- an action by its id, whose place is known; /actions in its two orders, and by type. Few traces have the same end.
create index actions_by_lt on actions (trace_end_lt, hash_prefix(action_id));
create index actions_by_time on actions (trace_end_utime, hash_prefix(trace_id));
create index actions_by_type on actions (type, trace_end_lt);
-- actions of a trace
create index actions_by_trace on actions (hash_prefix(trace_id));

-- A pool of an exchange. An asset is a jetton; null is TON. The first columns are those of all contracts: see tokens.
create table dex_pools (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  dex smallint not null, -- a place in the list of tables/dex-pools.ts, like pool_type
  pool_type smallint not null,
  factory bytea, -- the contract that confirmed the pool; null for exchanges without one
  asset_1 bytea,
  asset_2 bytea,
  reserve_1 numeric not null,
  reserve_2 numeric not null,
  fee_numerator numeric not null, -- the fee of a trade is a fraction
  fee_denominator numeric not null
);
