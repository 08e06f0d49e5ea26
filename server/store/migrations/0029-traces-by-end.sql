-- Traces in the slots of their ends; those that are not complete in a partition of their own.
alter table traces rename to old_traces;
drop index traces_by_lt, traces_by_time, traces_by_end, traces_pending, traces_broken, traces_unclassified;
alter index traces_pkey rename to old_traces_pkey;
create table traces (
  trace_id bytea not null,
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
  classification_state smallint not null, -- 0 unclassified, 1 failed, 2 ok, 3 broken
  sort_lt bigint not null, -- end_lt; while the trace is pending the largest bigint
  primary key (trace_id, sort_lt)
) partition by range (sort_lt);
create table traces_open partition of traces for values from (9223372036854775807) to (maxvalue);

do $$
declare slot record;
begin
  for slot in select from_lt, to_lt from slots loop
    execute format(
      'create table traces_%1$s partition of traces for values from (%1$s) to (%2$s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)',
      slot.from_lt, slot.to_lt);
  end loop;
end $$;

-- step: move the traces
insert into traces
select trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt, end_utime,
  state, pending_edges_, edges_, nodes_, classification_state,
  case when state = 0 then 9223372036854775807 else end_lt end
from old_traces;
drop table old_traces;

-- step: index the traces
-- /traces in its orders
create index traces_by_lt on traces (sort_lt, trace_id);
create index traces_by_time on traces ((case when state = 0 then 9223372036854775807 else end_utime end), trace_id);
-- /traces by masterchain block, going back to one
create index traces_by_end on traces (mc_seqno_end);
-- what may continue a trace of the range before
create index traces_broken on traces (external_hash) where state = 2;
-- Complete traces to be classified
create index traces_unclassified on traces (sort_lt, trace_id) where state = 1 and classification_state = 0;

-- step: note the times of the traces of slots
-- The last transaction by lt need not be the last one by time.
update slots s
set first_utime = least(s.first_utime, ends.first), last_utime = greatest(s.last_utime, ends.last)
from (
  select s.from_lt, min(t.end_utime) as first, max(t.end_utime) as last
  from slots s join traces t on t.sort_lt >= s.from_lt and t.sort_lt < s.to_lt
  group by 1) ends
where ends.from_lt = s.from_lt;

-- step: index the traces of accounts by their ids
-- Where a trace is, by an account that has a transaction in it; and all accounts of a trace.
drop index account_traces_by_trace;
create index account_traces_by_trace on account_traces (trace_id, account);
