-- The extent of the index. In all files: hashes are 32 bytes, addresses 33 (the workchain as one signed byte, then the
-- account id), amounts nanotons, times unix seconds, shards signed 64-bit integers. Small integers with a list of words are
-- places in lists of codes.ts. There are no foreign keys, because every row can be derived from the chain again. Columns of
-- tables with many rows are in the order of their widths, as others would be padded.

-- Indexes have eight bytes of a hash or an account instead of all. Keys are not unique: readers compare the whole values.
-- The bodies are bound when they are made, as indexes are built without the schema in the search path.
-- The first eight bytes of a hash, in the order of hashes.
create function hash_prefix(bytea) returns bigint language sql immutable parallel safe
  return ('x' || encode(substr($1, 1, 8), 'hex'))::bit(64)::bigint # '-9223372036854775808'::bigint;
-- Anybody can choose the bytes of an address that a message is sent to, and so those of many addresses, but not their hashes.
create function account_key(bytea) returns bigint language sql immutable parallel safe
  return hash_prefix(sha256($1));
-- The eight bytes after those of a key, and the eight after these. Unique indexes have them beside the key: two transactions
-- of one lt with equal sixteen bytes would have to be searched for in the chain itself; for two accounts or contents of equal
-- twenty-four bytes, which can be searched for at home, one would have to try 2^96 of them.
create function hash_rest(bytea) returns bigint language sql immutable parallel safe
  return hash_prefix(substr($1, 9, 8));
create function hash_end(bytea) returns bigint language sql immutable parallel safe
  return hash_prefix(substr($1, 17, 8));
create function account_rest(bytea) returns bigint language sql immutable parallel safe
  return hash_rest(sha256($1));
create function account_end(bytea) returns bigint language sql immutable parallel safe
  return hash_end(sha256($1));
-- Of a source and a destination, each or none; of an owner and another account.
create function route_key(bytea, bytea) returns bigint language sql immutable parallel safe
  return hash_prefix(sha256(coalesce($1, '') || coalesce($2, '')));
-- Of a source or a destination, or none, and an opcode.
create function opcode_key(bytea, integer) returns bigint language sql immutable parallel safe
  return hash_prefix(sha256(coalesce($1, '') || int4send($2)));

-- The beginning of a name by which it is searched for. Names are of any length, and rows of an index are not.
create function search_key(text) returns text language sql immutable parallel safe
  return lower(left($1, 64));

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
  epoch integer not null default 0, -- raised by each claim, and when another process than the worker changes traces of the range
  check (from_seqno <= to_seqno and done_to between from_seqno - 1 and to_seqno)
);
-- masterchainInfo, beside many ranges that are planned and not begun
create index index_ranges_by_done on index_ranges (done_to) where done_to >= from_seqno;

-- A state of a shard whose accounts are stored as latest states, without the blocks that made them.
create table bootstrapped_states (
  root_hash bytea primary key, -- of the state
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  mc_seqno integer not null, -- the last masterchain block whose changes are all in the state
  gen_utime bigint not null, -- of that block
  end_lt bigint not null,
  accounts bigint not null, -- how many have been looked at
  last_account bytea, -- the last one of them; null before the first
  done boolean not null
);

-- The first and the last block of the gap-free range with the newest stored block; no row while nothing is stored.
create view indexed_range as
  select
    (select max(from_seqno) from index_ranges
     where not joined and done_to >= from_seqno and from_seqno <= newest.done_to) as first,
    newest.done_to as last
  from (select max(done_to) as done_to from index_ranges where done_to >= from_seqno) as newest
  where newest.done_to is not null;

-- One row. Every transaction that changes what readers see raises n at its end, so that versions are in the order of commits.
-- Without an index and with room in the page, old rows take no space for long.
create table index_version (
  n bigint not null,
  seqno integer not null, -- the last stored masterchain block, as of indexed_range; 0 while there is none
  id uuid not null default gen_random_uuid() -- tells this index from others
) with (fillfactor = 10);
insert into index_version (n, seqno) values (0, 0);

-- Raises the version and notifies processes of it. It holds a lock until the transaction ends, so it is called last. The
-- lock comes first, so that the statement behind it sees what the holder before has committed.
create function raise_index_version() returns void language plpgsql as $$
declare version text;
begin
  perform from index_version for update;
  update index_version set n = n + 1, seqno = coalesce((select last from indexed_range), 0)
    returning n || ' ' || seqno into version;
  perform pg_notify('tonwire_index', version);
end $$;

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
