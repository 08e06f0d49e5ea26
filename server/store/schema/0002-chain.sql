-- Blocks, transactions and messages as they are on chain.

-- A block, with the masterchain block with which it entered the chain (a masterchain block: itself).
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
  prev_shards bigint[] not null, -- the blocks before it, all of the same workchain
  prev_seqnos integer[] not null,
  primary key (workchain, shard, seqno, start_lt)
) partition by range (start_lt);
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

-- The newest block of a shard as of a masterchain block. The masterchain block has a row for itself.
create table shard_state (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  start_lt bigint not null, -- of the masterchain block
  primary key (mc_seqno, workchain, shard, start_lt)
) partition by range (start_lt);

-- A transaction with its description. Columns that its kind of transaction does not have are null.
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
  action_status_change smallint, -- 0 unchanged, 1 frozen, 2 deleted
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
-- /transactions by shard, without and with times, and by block, whose lt are known
create index transactions_by_shard on transactions (block_workchain, block_shard, lt, account);
create index transactions_by_shard_time on transactions (block_workchain, block_shard, now, lt, account);
-- /traces: rows of a trace
create index transactions_by_trace on transactions (trace_id, lt);
-- The transactions that activated an account: few, however many it has
create index transactions_by_activation on transactions (account, lt) where end_status = 3 and orig_status <> 3;

-- One side of a message: an internal message has an `out` row of its sender's transaction and an `in` row of its
-- receiver's, each as soon as that transaction is stored.
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
  value bigint, -- null for externals, like all columns up to bounced except opcode, created_lt and created_at
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
-- /messages in its order, with or without lt; by source, destination, both, opcode
create index messages_by_lt on messages (coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_source on messages (source, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_destination on messages (destination, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_route on messages (source, destination, coalesce(created_lt, tx_lt), msg_hash);
create index messages_by_opcode on messages (opcode, coalesce(created_lt, tx_lt), msg_hash);
-- /messages with times
create index messages_by_time on messages (created_at, msg_hash);
-- /messages and transactionsByMessage by body
create index messages_by_body on messages (body_hash, coalesce(created_lt, tx_lt), msg_hash);
-- /transactions by conditions on messages, in their order
create index messages_by_body_tx on messages (body_hash, tx_lt);
create index messages_by_opcode_tx on messages (opcode, tx_lt);
create index messages_by_source_tx on messages (source, tx_lt);
create index messages_by_destination_tx on messages (destination, tx_lt);
-- rows of a trace
create index messages_by_trace on messages (trace_id, tx_lt);
-- deleting a range
create index messages_by_masterchain on messages (mc_seqno);

-- A body or a state init as a bag of cells, once in every slot that has a message with it: so those of a time are stored and
-- read together.
create table message_contents (
  hash bytea not null,
  body bytea not null,
  from_lt bigint not null, -- where the slot begins
  primary key (hash, from_lt)
) partition by range (from_lt);
