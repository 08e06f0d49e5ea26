-- The slots that may have a transaction of a shard, and bounds of the seqnos of its blocks in them.
create table shard_slots (
  workchain integer not null,
  shard bigint not null,
  from_lt bigint not null,
  first_seqno integer not null,
  last_seqno integer not null,
  primary key (workchain, shard, from_lt)
) partition by hash (shard);

do $$
begin
  for part in 0..15 loop
    execute format(
      'create table shard_slots_%s partition of shard_slots for values with (modulus 16, remainder %s)', part, part);
  end loop;
end $$;

-- step: note the slots of shards
insert into shard_slots
select t.block_workchain, t.block_shard, s.from_lt, min(t.block_seqno), max(t.block_seqno)
from slots s join transactions t on t.lt >= s.from_lt and t.lt < s.to_lt
group by 1, 2, 3;

-- step: index transactions by shard and time
create index transactions_by_shard_time on transactions (block_workchain, block_shard, now, lt, account);
