create table actions (
  trace_id bytea not null,
  action_id bytea not null,
  parent_action_id bytea,
  type text not null,
  ancestor_type text[] not null, -- types of all actions that this one is a part of
  start_lt bigint not null,
  end_lt bigint not null,
  start_utime bigint not null,
  end_utime bigint not null,
  mc_seqno_end integer not null,
  trace_end_lt bigint not null,
  trace_end_utime bigint not null,
  trace_mc_seqno_end integer not null,
  trace_external_hash bytea,
  trace_external_hash_norm bytea,
  tx_hashes bytea[] not null,
  accounts bytea[] not null,
  success boolean not null,
  opcode integer,
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
  data jsonb, -- what only some types have
  primary key (trace_id, trace_end_lt, action_id)
) partition by range (trace_end_lt);
-- /actions in its two orders, by type, by masterchain block
create index actions_by_lt on actions (trace_end_lt, trace_id, end_lt, action_id);
create index actions_by_time on actions (trace_end_utime, trace_id, end_utime, action_id);
create index actions_by_type on actions (type, trace_end_lt, trace_id, end_lt, action_id);
create index actions_by_masterchain on actions (trace_mc_seqno_end, trace_end_lt, trace_id, end_lt, action_id);

-- The actions of an account.
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

-- Where an action is, by the first eight bytes of its id.
create table action_locator (
  hash_prefix bigint not null,
  trace_end_lt bigint not null,
  primary key (hash_prefix, trace_end_lt)
) partition by hash (hash_prefix);

do $$
declare directory text;
declare slot record;
begin
  foreach directory in array array['action_accounts', 'action_locator'] loop
    for part in 0..15 loop
      execute format(
        'create table %I partition of %I for values with (modulus 16, remainder %s)
           with (autovacuum_vacuum_insert_scale_factor = 0.02)',
        directory || '_' || part, directory, part);
    end loop;
  end loop;
  for slot in select from_lt, to_lt from slots loop
    execute format(
      'create table %I partition of actions for values from (%s) to (%s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)',
      'actions_' || slot.from_lt, slot.from_lt, slot.to_lt);
  end loop;
end $$;

-- Every writer of traces states it.
alter table traces alter column classification_state drop default;
-- Complete traces to be classified
create index traces_unclassified on traces (end_lt, trace_id) where state = 1 and classification_state = 0;
