-- Everything that followed from one inbound external message or one system event; trace_id is the hash of its first
-- transaction.
create table traces (
  trace_id bytea primary key,
  external_hash bytea, -- in-message of the first transaction, whatever its kind
  external_hash_norm bytea, -- only when it differs
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  start_lt bigint not null,
  start_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  state smallint not null, -- 0 pending, 1 complete, 2 broken (begins with a message whose sender is not here)
  pending_edges_ integer not null,
  edges_ integer not null,
  nodes_ integer not null,
  classification_state smallint not null default 0 -- 0 unclassified, 1 failed, 2 ok, 3 broken
);
-- /traces in its orders
create index traces_by_lt on traces (end_lt desc, trace_id desc);
create index traces_by_time on traces (end_utime desc, trace_id desc);
-- /traces by masterchain block, going back to one
create index traces_by_end on traces (mc_seqno_end);
-- the follower's own: what is still open, and what may continue a trace of the range before
create index traces_pending on traces (state) where state = 0;
create index traces_broken on traces (external_hash) where state = 2;

-- Messages that were sent and not received yet: the memory of whoever assembles traces.
create table open_edges (
  msg_hash bytea primary key,
  trace_id bytea not null,
  left_tx bytea not null, -- the sending transaction
  mc_seqno integer not null -- and its masterchain block
);
create index open_edges_by_trace on open_edges (trace_id);
create index open_edges_by_masterchain on open_edges (mc_seqno);
