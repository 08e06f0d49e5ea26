-- Ranges of lt by which transactions and messages are partitioned, and bounds of what is in them: `*_lt` of the lt by
-- which messages are sorted, `*_utime` of the times of transactions and messages. Bounds only ever widen.
create table slots (
  from_lt bigint primary key,
  to_lt bigint not null, -- exclusive
  first_lt bigint,
  last_lt bigint,
  first_utime bigint,
  last_utime bigint
);

-- The first eight bytes of a hash, big-endian.
create function hash_prefix(bytea) returns bigint language sql immutable parallel safe
  as $$ select ('x' || encode(substr($1, 1, 8), 'hex'))::bit(64)::bigint $$;

-- Where the rows of a hash are, as only its slot has an index over it. Prefixes are not unique: readers compare hashes.
create table tx_locator (
  hash_prefix bigint not null,
  lt bigint not null
) partition by hash (hash_prefix);
create index tx_locator_by_hash on tx_locator (hash_prefix, lt);

-- A row for each row of messages, and another one for its normalized hash.
create table msg_locator (
  hash_prefix bigint not null,
  tx_lt bigint not null
) partition by hash (hash_prefix);
create index msg_locator_by_hash on msg_locator (hash_prefix, tx_lt);

-- The slots that have a transaction of an account, or a message from or to it.
create table account_slots (
  account bytea not null,
  from_lt bigint not null,
  primary key (account, from_lt)
) partition by hash (account);

-- The traces of an account by their ends; of a trace that is not complete the end is the largest bigint.
create table account_traces (
  account bytea not null,
  end_lt bigint not null,
  trace_id bytea not null,
  primary key (account, end_lt, trace_id)
) partition by hash (account);
create index account_traces_by_trace on account_traces (trace_id);

do $$
declare directory text;
begin
  foreach directory in array array['tx_locator', 'msg_locator', 'account_slots', 'account_traces'] loop
    for part in 0..15 loop
      execute format(
        'create table %I partition of %I for values with (modulus 16, remainder %s)
           with (autovacuum_vacuum_insert_scale_factor = 0.02)',
        directory || '_' || part, directory, part);
    end loop;
  end loop;
end $$;

-- What an index of version 0.1.0 has.
insert into slots (from_lt, to_lt)
select slot * width, (slot + 1) * width
from (
  select substring(inhrelid::regclass::text from '\d+$')::bigint as slot,
    (select value::bigint from index_meta where key = 'lt_grid') as width
  from pg_inherits where inhparent = 'transactions'::regclass) parts;
update slots s
set (first_lt, last_lt, first_utime, last_utime) = (
    select min(coalesce(created_lt, tx_lt)), max(coalesce(created_lt, tx_lt)), min(created_at), max(created_at)
    from messages where tx_lt >= s.from_lt and tx_lt < s.to_lt);
update slots s
set (first_lt, last_lt, first_utime, last_utime) = (
    select least(min(lt), s.first_lt), greatest(max(lt), s.last_lt),
      least(min(now), s.first_utime), greatest(max(now), s.last_utime)
    from transactions where lt >= s.from_lt and lt < s.to_lt);
insert into tx_locator select hash_prefix(hash), lt from transactions;
insert into msg_locator
select hash_prefix(msg_hash), tx_lt from messages
union all
select hash_prefix(msg_hash_norm), tx_lt from messages where msg_hash_norm is not null;
insert into account_slots
select distinct found.account, s.from_lt
from slots s cross join lateral (
  select account from transactions where lt >= s.from_lt and lt < s.to_lt
  union
  select unnest(array[source, destination]) from messages where tx_lt >= s.from_lt and tx_lt < s.to_lt) found
where found.account is not null;
insert into account_traces
select distinct t.account, case when r.state = 0 then 9223372036854775807 else r.end_lt end, r.trace_id
from transactions t join traces r on r.trace_id = t.trace_id;
drop index transactions_by_account_trace;

-- /messages by body, and by source and destination, in their order
drop index messages_by_body;
create index messages_by_body on messages (body_hash, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_route on messages (source, destination, coalesce(created_lt, tx_lt), msg_hash);
-- /transactions by conditions on messages, in their order
create index messages_by_body_tx on messages (body_hash, tx_lt);
create index messages_by_opcode_tx on messages (opcode, tx_lt);
create index messages_by_source_tx on messages (source, tx_lt);
create index messages_by_destination_tx on messages (destination, tx_lt);
