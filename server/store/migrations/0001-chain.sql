-- What the blocks themselves say. Hashes are 32 bytes, addresses 33 (workchain as one signed byte, then the account
-- id), amounts nanotons, times unix seconds, shards signed. No foreign keys: every row can be derived again.

-- Facts about the store: network, zero state, width of the lt grid.
create table index_meta (
  key text primary key,
  value text not null
);
-- Partitions of transactions and messages are this many lt wide: on mainnet 50 to 150 million transactions.
insert into index_meta values ('lt_grid', '2000000000000');

-- Which masterchain blocks are here. A range is filled in ascending order up to done_to (from_seqno - 1: nothing yet);
-- the one at the head has no end (to_seqno is the largest integer). `joined`: its traces are connected with the range
-- that ends right before it.
create table index_ranges (
  from_seqno integer primary key,
  to_seqno integer not null,
  done_to integer not null,
  state smallint not null, -- 0 open, 1 claimed, 2 stored
  joined boolean not null default false,
  worker text,
  heartbeat timestamptz,
  epoch integer not null default 0, -- raised when traces of the range are changed by somebody else than its worker
  check (from_seqno <= to_seqno and done_to between from_seqno - 1 and to_seqno)
);

-- The first and last block of the gap-free range with the newest block; no row while nothing is indexed.
create view indexed_range as
  select max(from_seqno) as first, (select max(done_to) from index_ranges) as last
  from index_ranges
  where not joined and done_to >= from_seqno
  having max(from_seqno) is not null;

-- Blocks with the masterchain block they entered with (a masterchain block: itself).
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
  primary key (workchain, shard, seqno)
);
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

-- The newest block of every shard as of a masterchain block, itself included.
create table shard_state (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  primary key (mc_seqno, workchain, shard)
);

-- One row per transaction, the description flattened; what a kind of transaction does not have is null.
create table transactions (
  account bytea not null,
  hash bytea not null,
  lt bigint not null,
  block_workchain integer not null,
  block_shard bigint not null,
  block_seqno integer not null,
  mc_block_seqno integer not null,
  trace_id bytea not null,
  prev_trans_hash bytea not null,
  prev_trans_lt bigint not null,
  now bigint not null,
  orig_status smallint not null, -- 0 nonexist, 1 uninit, 2 frozen, 3 active
  end_status smallint not null,
  total_fees bigint not null,
  total_fees_extra_currencies jsonb,
  account_state_hash_before bytea not null,
  account_state_hash_after bytea not null,
  -- 0 ord, 1 storage, 2 tick_tock, 3 split_prepare, 4 split_install, 5 merge_prepare, 6 merge_install
  descr smallint not null,
  aborted boolean,
  destroyed boolean,
  credit_first boolean,
  is_tock boolean,
  installed boolean,
  storage_fees_collected bigint,
  storage_fees_due bigint,
  storage_status_change smallint, -- 0 unchanged, 1 frozen, 2 deleted
  credit_due_fees_collected bigint,
  credit bigint,
  credit_extra_currencies jsonb,
  compute_skipped boolean,
  skipped_reason smallint, -- 0 no_state, 1 bad_state, 2 no_gas, 3 suspended
  compute_success boolean,
  compute_msg_state_used boolean,
  compute_account_activated boolean,
  compute_gas_fees bigint,
  compute_gas_used bigint,
  compute_gas_limit bigint,
  compute_gas_credit bigint,
  compute_mode smallint,
  compute_exit_code integer,
  compute_exit_arg integer,
  compute_vm_steps bigint,
  compute_vm_init_state_hash bytea,
  compute_vm_final_state_hash bytea,
  action_success boolean,
  action_valid boolean,
  action_no_funds boolean,
  action_status_change smallint,
  action_total_fwd_fees bigint,
  action_total_action_fees bigint,
  action_result_code integer,
  action_result_arg integer,
  action_tot_actions integer,
  action_spec_actions integer,
  action_skipped_actions integer,
  action_msgs_created integer,
  action_action_list_hash bytea,
  action_tot_msg_size_cells bigint,
  action_tot_msg_size_bits bigint,
  bounce smallint, -- 0 negfunds, 1 nofunds, 2 ok
  bounce_msg_size_cells bigint,
  bounce_msg_size_bits bigint,
  bounce_req_fwd_fees bigint,
  bounce_msg_fees bigint,
  bounce_fwd_fees bigint,
  split_info_cur_shard_pfx_len smallint,
  split_info_acc_split_depth smallint,
  split_info_this_addr bytea,
  split_info_sibling_addr bytea,
  primary key (hash, lt)
) partition by range (lt);
-- /transactions in its order, with or without lt
create index transactions_by_lt on transactions (lt, account);
-- /transactions with times
create index transactions_by_time on transactions (now, lt, account);
-- /transactions by account, without and with times
create index transactions_by_account on transactions (account, lt);
create index transactions_by_account_time on transactions (account, now, lt);
-- /transactions by masterchain block, deleting a range
create index transactions_by_masterchain on transactions (mc_block_seqno, lt, account);
-- /transactions by block
create index transactions_by_block on transactions (block_workchain, block_shard, block_seqno, lt, account);
-- /traces: rows of a trace, traces of an account
create index transactions_by_trace on transactions (trace_id, lt);
create index transactions_by_account_trace on transactions (account, trace_id);

-- One row per side: an internal message has an `out` row of its sender's transaction and an `in` row of its
-- receiver's, as soon as either is here.
create table messages (
  tx_hash bytea not null,
  tx_lt bigint not null,
  mc_seqno integer not null,
  msg_hash bytea not null,
  msg_hash_norm bytea, -- of inbound externals, only when it differs from msg_hash
  direction smallint not null, -- 0 in, 1 out
  trace_id bytea not null,
  source bytea, -- null: inbound external, or an address no account has
  destination bytea, -- null: outbound external, or an address no account has
  value bigint, -- null for externals, like all columns up to bounced but opcode
  value_extra_currencies jsonb,
  fwd_fee bigint,
  ihr_fee bigint,
  extra_flags numeric, -- from global version 12 on
  created_lt bigint, -- null for inbound externals, like created_at
  created_at bigint,
  opcode integer, -- the first 32 bits of the body as signed
  ihr_disabled boolean,
  bounce boolean,
  bounced boolean,
  import_fee numeric, -- of inbound externals
  body_hash bytea not null,
  init_state_hash bytea,
  primary key (tx_hash, tx_lt, msg_hash, direction)
) partition by range (tx_lt);
-- messages by hash: /messages, transactionsByMessage, adjacentTransactions, traces
create index messages_by_hash on messages (msg_hash);
create index messages_by_norm_hash on messages (msg_hash_norm) where msg_hash_norm is not null;
-- /messages in its order, with or without lt; by source, destination, opcode
create index messages_by_lt on messages (coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_source on messages (source, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_destination on messages (destination, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_opcode on messages (opcode, coalesce(created_lt, tx_lt), msg_hash);
-- /messages with times
create index messages_by_time on messages (created_at, msg_hash);
-- /messages and transactionsByMessage by body
create index messages_by_body on messages (body_hash);
-- rows of a trace
create index messages_by_trace on messages (trace_id, tx_lt);
-- deleting a range
create index messages_by_masterchain on messages (mc_seqno);

-- Bodies and state inits of messages, each once, as a bag of cells.
create table message_contents (
  hash bytea primary key,
  body bytea not null
);
