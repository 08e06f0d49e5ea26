-- Blocks in the slots of their start, and what shards had in those of the masterchain block.
alter table blocks rename to old_blocks;
drop index blocks_by_time, blocks_by_masterchain, blocks_of_masterchain, blocks_by_seqno, blocks_by_lt,
  blocks_by_root_hash, blocks_by_file_hash;
alter index blocks_pkey rename to old_blocks_pkey;
create table blocks (
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  root_hash bytea not null,
  file_hash bytea not null,
  mc_block_seqno integer not null,
  global_id integer not null,
  version bigint not null,
  after_merge boolean not null,
  before_split boolean not null,
  after_split boolean not null,
  want_merge boolean not null,
  want_split boolean not null,
  key_block boolean not null,
  vert_seqno_incr boolean not null,
  flags smallint not null,
  gen_utime bigint not null,
  start_lt bigint not null,
  end_lt bigint not null,
  validator_list_hash_short integer not null, -- the unsigned value as signed
  gen_catchain_seqno integer not null, -- likewise
  min_ref_mc_seqno bigint not null,
  prev_key_block_seqno integer not null,
  vert_seqno integer not null,
  master_ref_seqno integer not null, -- 0 in the masterchain
  rand_seed bytea not null,
  created_by bytea not null,
  tx_count integer not null,
  prev_shards bigint[] not null, -- of the same workchain
  prev_seqnos integer[] not null,
  primary key (workchain, shard, seqno, start_lt)
) partition by range (start_lt);

-- The newest block of every shard as of a masterchain block, itself included.
alter table shard_state rename to old_shard_state;
alter index shard_state_pkey rename to old_shard_state_pkey;
create table shard_state (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  start_lt bigint not null, -- of the masterchain block
  primary key (mc_seqno, workchain, shard, start_lt)
) partition by range (start_lt);

-- Where a block is, by the first eight bytes of its root hash, and by those of its file hash.
create table block_locator (
  hash_prefix bigint not null,
  start_lt bigint not null
) partition by hash (hash_prefix);
create index block_locator_by_hash on block_locator (hash_prefix, start_lt);

-- Bounds of the masterchain blocks that the blocks of a slot entered with.
alter table slots add column first_mc_seqno integer, add column last_mc_seqno integer;

do $$
declare slot record;
declare name text;
declare start bigint;
declare width bigint := (select value::bigint from index_meta where key = 'lt_grid');
begin
  for part in 0..15 loop
    execute format(
      'create table block_locator_%s partition of block_locator for values with (modulus 16, remainder %s)
         with (autovacuum_vacuum_insert_scale_factor = 0.02)', part, part);
  end loop;
  -- Blocks without transactions can be where there were no slots.
  for start in
    select b.start_lt from old_blocks b
    where not exists (select from slots s where s.from_lt <= b.start_lt and s.to_lt > b.start_lt)
    order by 1
  loop
    continue when exists (select from slots where from_lt <= start and to_lt > start);
    insert into slots (from_lt, to_lt)
    select greatest(start / width * width, (select max(to_lt) from slots where to_lt <= start)),
      least((start / width + 1) * width, (select min(from_lt) from slots where from_lt > start))
    returning from_lt, to_lt into slot;
    for name in
      select c.relname from pg_class c join pg_partitioned_table p on p.partrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and p.partstrat = 'r' and c.relname not in ('blocks', 'shard_state')
    loop
      execute format(
        'create table %I partition of %I for values from (%s) to (%s)
           with (autovacuum_vacuum_insert_scale_factor = 0.02)',
        name || '_' || slot.from_lt, name, slot.from_lt, slot.to_lt);
    end loop;
  end loop;
  for slot in select from_lt, to_lt from slots loop
    foreach name in array array['blocks', 'shard_state'] loop
      execute format(
        'create table %I partition of %I for values from (%s) to (%s)
           with (autovacuum_vacuum_insert_scale_factor = 0.02)',
        name || '_' || slot.from_lt, name, slot.from_lt, slot.to_lt);
    end loop;
  end loop;
end $$;

-- step: move the blocks
insert into blocks select * from old_blocks;
insert into shard_state
select o.mc_seqno, o.workchain, o.shard, o.seqno, b.start_lt
from old_shard_state o join old_blocks b on b.workchain = -1 and b.seqno = o.mc_seqno;
drop table old_shard_state;
drop table old_blocks;

-- step: index the blocks
-- /blocks in its order, with or without times
create index blocks_by_time on blocks (gen_utime desc, (-workchain) desc, shard desc, seqno desc);
-- /blocks by mc_seqno, masterchainBlockShards, deleting a range
create index blocks_by_masterchain on blocks (mc_block_seqno);
-- masterchainInfo, existence of a masterchain block
create index blocks_of_masterchain on blocks (seqno) where workchain = -1;
-- /blocks by seqno, lt, hashes
create index blocks_by_seqno on blocks (seqno);
create index blocks_by_lt on blocks (start_lt);
create index blocks_by_root_hash on blocks (root_hash);
create index blocks_by_file_hash on blocks (file_hash);
insert into block_locator
select hash_prefix(found.hash), start_lt from blocks cross join unnest(array[root_hash, file_hash]) found(hash);

-- step: note the blocks of slots
insert into shard_slots as stored
select b.workchain, b.shard, s.from_lt, min(b.seqno), max(b.seqno)
from slots s join blocks b on b.start_lt >= s.from_lt and b.start_lt < s.to_lt
group by 1, 2, 3
on conflict (workchain, shard, from_lt) do update
set first_seqno = least(stored.first_seqno, excluded.first_seqno),
  last_seqno = greatest(stored.last_seqno, excluded.last_seqno);
update slots s
set first_mc_seqno = ends.first_mc_seqno, last_mc_seqno = ends.last_mc_seqno,
  first_utime = least(s.first_utime, ends.first_utime), last_utime = greatest(s.last_utime, ends.last_utime),
  first_lt = least(s.first_lt, ends.first_lt), last_lt = greatest(s.last_lt, ends.last_lt)
from (
  select s.from_lt, min(b.mc_block_seqno) as first_mc_seqno, max(b.mc_block_seqno) as last_mc_seqno,
    min(b.gen_utime) as first_utime, max(b.gen_utime) as last_utime, min(b.start_lt) as first_lt, max(b.start_lt) as last_lt
  from slots s join blocks b on b.start_lt >= s.from_lt and b.start_lt < s.to_lt
  group by 1) ends
where ends.from_lt = s.from_lt;
