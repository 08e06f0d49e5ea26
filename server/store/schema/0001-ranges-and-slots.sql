-- The extent of the index. In all files: hashes are 32 bytes, addresses 33 (the workchain as one signed byte, then the
-- account id), amounts nanotons, times unix seconds, shards signed 64-bit integers. Small integers with a list of words are
-- places in lists of codes.ts. There are no foreign keys, because every row can be derived from the chain again.

-- Facts about the index by name: the network, its zero state, the width of new slots.
create table index_meta (
  key text primary key,
  value text not null
);
-- New slots are this many lt wide until there are enough transactions to choose a width: 50 to 150 million on mainnet.
insert into index_meta values ('lt_grid', '2000000000000');

-- A range of masterchain blocks, which one worker fills in ascending order.
create table index_ranges (
  from_seqno integer primary key,
  to_seqno integer not null, -- the largest integer for the range at the head, which has no end
  done_to integer not null, -- the last stored block; from_seqno - 1 while there is none
  state smallint not null, -- 0 open, 1 claimed, 2 stored
  joined boolean not null default false, -- its traces continue those of the range that ends right before it
  worker text, -- the process that claimed the range last
  heartbeat timestamptz, -- when that process reported last; without a report for long, the range is open again
  epoch integer not null default 0, -- raised when another process than the worker changes traces of the range
  check (from_seqno <= to_seqno and done_to between from_seqno - 1 and to_seqno)
);
-- masterchainInfo, beside many ranges that are planned and not begun
create index index_ranges_by_done on index_ranges (done_to) where done_to >= from_seqno;

-- The first and the last block of the gap-free range with the newest stored block; no row while nothing is stored.
create view indexed_range as
  select
    (select max(from_seqno) from index_ranges
     where not joined and done_to >= from_seqno and from_seqno <= newest.done_to) as first,
    newest.done_to as last
  from (select max(done_to) as done_to from index_ranges where done_to >= from_seqno) as newest
  where newest.done_to is not null;

-- A slot is a range of lt. Every table that is partitioned by lt has a partition for it, named after the table and from_lt.
-- The bounds cover all rows of the slot and never narrow; they are null while it has no rows.
create table slots (
  from_lt bigint primary key,
  to_lt bigint not null, -- exclusive
  first_lt bigint, -- of transactions and blocks, and of the lt that messages are sorted by
  last_lt bigint,
  first_utime bigint, -- of transactions, messages, blocks, and ends of traces
  last_utime bigint,
  first_mc_seqno integer, -- of the masterchain blocks with which the blocks of the slot entered
  last_mc_seqno integer,
  merged boolean not null default false -- made of older slots; tables may still have partitions of those
);
