-- Blocks, transactions and messages as they are on chain.

-- A block, with the masterchain block with which it entered the chain (a masterchain block: itself).
create table blocks (
  shard bigint not null,
  version bigint not null,
  gen_utime bigint not null,
  start_lt bigint not null,
  end_lt bigint not null,
  min_ref_mc_seqno bigint not null,
  total_fees bigint not null, -- of its transactions
  workchain integer not null,
  seqno integer not null,
  mc_block_seqno integer not null,
  global_id integer not null,
  validator_list_hash_short integer not null, -- the unsigned value as signed
  gen_catchain_seqno integer not null, -- likewise
  prev_key_block_seqno integer not null,
  vert_seqno integer not null,
  master_ref_seqno integer not null, -- 0 in the masterchain
  tx_count integer not null,
  flags smallint not null,
  after_merge boolean not null,
  before_split boolean not null,
  after_split boolean not null,
  want_merge boolean not null,
  want_split boolean not null,
  key_block boolean not null,
  vert_seqno_incr boolean not null,
  root_hash bytea not null,
  file_hash bytea not null,
  rand_seed bytea not null,
  created_by bytea not null,
  prev_shards bigint[] not null, -- the blocks before it, all of the same workchain
  prev_seqnos integer[] not null,
  primary key (workchain, shard, seqno, start_lt)
) partition by range (start_lt);
-- /blocks in its order, with or without times
create index blocks_by_time on blocks (gen_utime desc, (-workchain) desc, shard desc, seqno desc);
-- the same of a shard
create index blocks_by_shard on blocks (workchain, shard, gen_utime, seqno);
-- /blocks by mc_seqno, masterchainBlockShards, deleting a range
create index blocks_by_masterchain on blocks (mc_block_seqno, start_lt);
-- masterchainInfo, existence of a masterchain block
create index blocks_of_masterchain on blocks (seqno) where workchain = -1;
-- /blocks by seqno, by lt, and by hashes, whose lt are known
create index blocks_by_seqno on blocks (seqno);
create index blocks_by_lt on blocks (start_lt);

-- Sums of the blocks of an hour that has some, by the time when it begins. One row is updated again and again.
create table block_hours (
  utime bigint primary key,
  n bigint not null, -- blocks
  tx_count bigint not null,
  total_fees numeric not null
);

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
  lt bigint not null,
  block_shard bigint not null,
  prev_trans_lt bigint not null,
  now bigint not null,
  total_fees bigint not null,
  storage_fees_collected bigint,
  storage_fees_due bigint,
  credit_due_fees_collected bigint,
  credit bigint,
  compute_gas_fees bigint,
  compute_gas_used bigint,
  compute_gas_limit bigint,
  compute_gas_credit bigint,
  compute_vm_steps bigint,
  action_total_fwd_fees bigint,
  action_total_action_fees bigint,
  action_tot_msg_size_cells bigint,
  action_tot_msg_size_bits bigint,
  bounce_msg_size_cells bigint,
  bounce_msg_size_bits bigint,
  bounce_req_fwd_fees bigint,
  bounce_msg_fees bigint,
  bounce_fwd_fees bigint,
  block_workchain integer not null,
  block_seqno integer not null,
  mc_block_seqno integer not null,
  compute_exit_code integer,
  compute_exit_arg integer,
  action_result_code integer,
  action_result_arg integer,
  action_tot_actions integer,
  action_spec_actions integer,
  action_skipped_actions integer,
  action_msgs_created integer,
  orig_status smallint not null, -- 0 nonexist, 1 uninit, 2 frozen, 3 active
  end_status smallint not null,
  -- 0 ord, 1 storage, 2 tick_tock, 3 split_prepare, 4 split_install, 5 merge_prepare, 6 merge_install
  descr smallint not null,
  storage_status_change smallint, -- 0 unchanged, 1 frozen, 2 deleted
  skipped_reason smallint, -- 0 no_state, 1 bad_state, 2 no_gas, 3 suspended
  compute_mode smallint,
  action_status_change smallint, -- 0 unchanged, 1 frozen, 2 deleted
  bounce smallint, -- 0 negfunds, 1 nofunds, 2 ok
  split_info_cur_shard_pfx_len smallint,
  split_info_acc_split_depth smallint,
  aborted boolean,
  destroyed boolean,
  credit_first boolean,
  is_tock boolean,
  installed boolean,
  compute_skipped boolean,
  compute_success boolean,
  compute_msg_state_used boolean,
  compute_account_activated boolean,
  action_success boolean,
  action_valid boolean,
  action_no_funds boolean,
  account bytea not null,
  hash bytea not null,
  trace_id bytea not null,
  prev_trans_hash bytea not null,
  total_fees_extra_currencies jsonb,
  account_state_hash_before bytea not null,
  account_state_hash_after bytea not null,
  credit_extra_currencies jsonb,
  compute_vm_init_state_hash bytea, -- null as well if it is zero, which all are nowadays; likewise the other one
  compute_vm_final_state_hash bytea,
  action_action_list_hash bytea,
  split_info_this_addr bytea,
  split_info_sibling_addr bytea
) partition by range (lt);
-- a transaction by its hash, whose lt is known; /transactions in its order, with or without lt: few have the same lt
create index transactions_by_lt on transactions (lt, hash_prefix(hash));
-- /transactions with times
create index transactions_by_time on transactions (now, lt);
-- /transactions by account, without and with times. Without, pages are found and skipped in the index alone. An account has
-- few transactions of the same time.
create index transactions_by_account on transactions (account, lt);
create index transactions_by_account_time on transactions (account_key(account), now);
-- /transactions by masterchain block
create index transactions_by_masterchain on transactions (mc_block_seqno, lt);
-- /transactions by shard, without and with times, and by block, whose lt are known. Those of a time are of a block.
create index transactions_by_shard on transactions (block_workchain, block_shard, lt);
create index transactions_by_shard_time on transactions (block_workchain, block_shard, now);
-- /traces: rows of a trace. Without the lt, the planner would rather read all transactions of its time.
create index transactions_by_trace on transactions (hash_prefix(trace_id), lt);
-- The transactions that activated an account: few, however many it has
create index transactions_by_activation on transactions (account_key(account), lt)
  where end_status = 3 and orig_status <> 3;

-- One side of a message: an internal message has an `out` row of its sender's transaction and an `in` row of its
-- receiver's, each as soon as that transaction is stored.
create table messages (
  tx_lt bigint not null,
  value bigint, -- null for externals, like fees, extra currencies and flags but import_fee
  fwd_fee bigint,
  ihr_fee bigint, -- null as well if it is zero, which all are from global version 12 on
  created_lt bigint, -- null for inbound externals, like created_at
  created_at bigint,
  mc_seqno integer not null,
  opcode integer, -- the first 32 bits of the body as signed
  direction smallint not null, -- 0 in, 1 out
  is_first boolean not null, -- of its message: true for out, and for in if the sender is not here
  ihr_disabled boolean,
  bounce boolean,
  bounced boolean,
  tx_hash bytea not null,
  msg_hash bytea not null,
  msg_hash_norm bytea, -- of inbound externals, only when it differs from msg_hash
  source bytea, -- null: inbound external, or an address no account has
  destination bytea, -- null: outbound external, or an address no account has
  value_extra_currencies jsonb,
  extra_flags numeric, -- from global version 12 on
  import_fee numeric, -- of inbound externals
  body_hash bytea not null,
  init_state_hash bytea
) partition by range (tx_lt);
-- messages of a transaction
create index messages_by_transaction on messages (tx_lt, hash_prefix(tx_hash));
-- the other side of a message; one that is named is found among those of its transactions
create index messages_by_hash on messages (hash_prefix(msg_hash));
-- /messages lists each message once, by its first row: in its order, with or without lt; by source, destination, both, opcode,
-- and opcode with one of the accounts. Few messages have the same lt.
create index messages_by_lt on messages (coalesce(created_lt, tx_lt, 0)) where is_first; -- in words of its own: see message-texts.ts
create index messages_by_source on messages (account_key(source), coalesce(created_lt, tx_lt)) where is_first;
create index messages_by_destination on messages (account_key(destination), coalesce(created_lt, tx_lt)) where is_first;
create index messages_by_route on messages (route_key(source, destination), coalesce(created_lt, tx_lt)) where is_first;
create index messages_by_opcode on messages (opcode, coalesce(created_lt, tx_lt)) where is_first and opcode is not null;
create index messages_by_source_opcode on messages (opcode_key(source, opcode), coalesce(created_lt, tx_lt))
  where is_first and opcode is not null;
create index messages_by_destination_opcode on messages (opcode_key(destination, opcode), coalesce(created_lt, tx_lt))
  where is_first and opcode is not null;
-- by body, as transactionsByMessage
create index messages_by_body on messages (hash_prefix(body_hash), coalesce(created_lt, tx_lt)) where is_first;
-- /messages with times
create index messages_by_time on messages (created_at, hash_prefix(msg_hash)) where is_first and created_at is not null;
-- /transactions by conditions on messages, in their order
create index messages_by_body_tx on messages (hash_prefix(body_hash), tx_lt);
create index messages_by_opcode_tx on messages (opcode, tx_lt) where opcode is not null;
create index messages_by_source_tx on messages (account_key(source), tx_lt) where source is not null;
create index messages_by_destination_tx on messages (account_key(destination), tx_lt) where destination is not null;
create index messages_by_route_tx on messages (route_key(source, destination), tx_lt);
create index messages_by_source_opcode_tx on messages (opcode_key(source, opcode), tx_lt) where opcode is not null;
create index messages_by_destination_opcode_tx on messages (opcode_key(destination, opcode), tx_lt) where opcode is not null;

-- A body or a state init as a bag of cells, once in every slot that has a message with it: so those of a time are stored and
-- read together.
create table message_contents (
  from_lt bigint not null, -- where the slot begins
  hash bytea not null,
  body bytea not null
) partition by range (from_lt);
create unique index message_contents_by_hash on message_contents (
  hash_prefix(hash), hash_rest(hash), hash_end(hash), from_lt);
