-- Traces: which transactions followed from one another.

-- Everything that followed from one inbound external message or one system event. trace_id is the hash of the first
-- transaction. A trace is in the slot of its end; while it is pending, in a partition of its own.
create table traces (
  start_lt bigint not null,
  start_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  sort_lt bigint not null, -- end_lt; while the trace is pending the largest bigint
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  pending_edges_ integer not null,
  edges_ integer not null,
  nodes_ integer not null,
  state smallint not null, -- 0 pending, 1 complete, 2 broken (begins with a message whose sender is not stored)
  classification_state smallint not null, -- 0 unclassified, 1 failed, 2 ok, 3 broken
  trace_id bytea not null,
  external_hash bytea, -- in-message of the first transaction, whatever its kind
  external_hash_norm bytea, -- only when it differs
  primary key (sort_lt, trace_id)
) partition by range (sort_lt);
create table traces_open partition of traces for values from (9223372036854775807) to (maxvalue);
-- /traces in the order of times, that of lt is the primary key's; a pending trace counts as newer than all others, and all of
-- them have the same place
create index traces_by_time on traces (
  (case when state = 0 then 9223372036854775807 else end_utime end), hash_prefix(trace_id));
-- Complete traces to be classified
create index traces_unclassified on traces (sort_lt, trace_id) where state = 1 and classification_state = 0;

-- A message that was sent and not received yet: its receiver's transaction will belong to the same trace.
create table open_edges (
  msg_hash bytea primary key,
  trace_id bytea not null,
  left_tx bytea not null, -- the sending transaction
  mc_seqno integer not null -- the masterchain block of that transaction
);
create index open_edges_by_trace on open_edges (hash_prefix(trace_id));
create index open_edges_by_masterchain on open_edges (mc_seqno);
