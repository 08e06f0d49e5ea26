-- Validators and nominator pools. Types of events are places in lists of codes.ts.

-- A change of a stake: a transaction of the elector, or of an account that it paid.
create table validator_events (
  tx_hash bytea primary key,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  type smallint not null,
  stake_holder bytea not null,
  validator_pubkey bytea,
  adnl_addr bytea,
  election_id bigint,
  query_id numeric not null,
  amount numeric not null,
  reason integer
);
-- validators/events in its order, by each of its filters
create index validator_events_by_time on validator_events (utime, tx_lt, tx_hash);
create index validator_events_by_type on validator_events (type, utime, tx_lt, tx_hash);
create index validator_events_by_holder on validator_events (stake_holder, utime, tx_lt, tx_hash);
create index validator_events_by_pubkey on validator_events (validator_pubkey, utime, tx_lt, tx_hash)
  where validator_pubkey is not null;
create index validator_events_by_adnl on validator_events (adnl_addr, utime, tx_lt, tx_hash) where adnl_addr is not null;
-- deleting a range
create index validator_events_by_masterchain on validator_events (mc_seqno);

-- An election, as the elector's data showed it when they were read last.
create table validator_elections (
  election_id bigint primary key,
  mc_seqno integer not null, -- the block at which they were read
  elect_close bigint not null,
  min_stake numeric not null,
  total_stake numeric not null,
  failed boolean not null,
  finished boolean not null
);
create index validator_elections_by_masterchain on validator_elections (mc_seqno);

-- A stake in an election. It cannot be taken back, so a row stays when later data of the elector lack it.
create table validator_election_participants (
  election_id bigint not null,
  pubkey bytea not null,
  stake_holder bytea not null,
  mc_seqno integer not null, -- the block at which it was read last
  stake numeric not null,
  max_factor bigint not null,
  adnl_addr bytea not null,
  primary key (election_id, pubkey, stake_holder)
);
create index validator_participants_by_pubkey on validator_election_participants (pubkey, election_id);
create index validator_participants_by_holder on validator_election_participants (stake_holder, election_id, pubkey);
create index validator_participants_by_adnl on validator_election_participants (adnl_addr, election_id);
create index validator_participants_by_masterchain on validator_election_participants (mc_seqno);

-- A validator set, with the configuration of its time.
create table validator_cycles (
  utime_since bigint primary key,
  first_seqno integer not null, -- the first block at which it was read
  mc_seqno integer not null, -- the last one
  utime_until bigint not null,
  total integer not null,
  main integer not null,
  total_weight numeric not null,
  vset_hash bytea not null,
  election_id bigint, -- null: of no election that is known
  total_stake numeric, -- before fines
  validators_elected_for bigint not null,
  elections_start_before bigint not null,
  elections_end_before bigint not null,
  stake_held_for bigint not null,
  max_validators integer not null,
  max_main_validators integer not null,
  min_validators integer not null,
  min_stake_limit numeric not null,
  max_stake_limit numeric not null,
  min_total_stake numeric not null,
  max_stake_factor bigint not null
);
create index validator_cycles_by_election on validator_cycles (election_id, utime_since) where election_id is not null;
create index validator_cycles_by_hash on validator_cycles (vset_hash);
create index validator_cycles_by_first on validator_cycles (first_seqno);
create index validator_cycles_by_masterchain on validator_cycles (mc_seqno);

-- A member of a validator set.
create table validator_cycle_members (
  utime_since bigint not null,
  index integer not null,
  mc_seqno integer not null, -- the first block at which it was read
  pubkey bytea not null,
  adnl_addr bytea not null,
  weight numeric not null,
  stake numeric, -- before fines; null: not known
  primary key (utime_since, index)
);
create index validator_cycle_members_by_pubkey on validator_cycle_members (pubkey, utime_since);
create index validator_cycle_members_by_adnl on validator_cycle_members (adnl_addr, utime_since);
create index validator_cycle_members_by_masterchain on validator_cycle_members (mc_seqno);

-- A complaint about a validator, as the elector's data showed it when they were read last. Sets, weights and shares of votes
-- follow from the validator sets.
create table validator_complaints (
  election_id bigint not null,
  complaint_hash bytea not null,
  mc_seqno integer not null,
  pubkey bytea not null,
  description_boc bytea not null,
  created_at bigint not null,
  severity smallint not null,
  reward_address bytea not null,
  paid numeric not null,
  suggested_fine numeric not null,
  suggested_fine_part bigint not null,
  voters integer[] not null, -- places in the set vset_id, ascending
  vset_id bytea not null,
  weight_remaining bigint not null, -- 0 before the first vote
  primary key (election_id, complaint_hash)
);
create index validator_complaints_by_time on validator_complaints (created_at, complaint_hash);
create index validator_complaints_by_pubkey on validator_complaints (pubkey, election_id);
create index validator_complaints_by_masterchain on validator_complaints (mc_seqno);

-- A nominator pool. The first columns are those of all contracts: see tokens.
create table nominator_pools (
  address bytea primary key,
  first_seen_lt bigint,
  last_transaction_lt bigint not null,
  timestamp bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  destroyed boolean not null,
  state smallint not null,
  nominators_count integer not null,
  stake_amount_sent numeric not null,
  validator_amount numeric not null,
  validator_address bytea not null,
  validator_reward_share integer not null,
  max_nominators_count integer not null,
  min_validator_stake numeric not null,
  min_nominator_stake numeric not null,
  nominators bytea[] not null,
  members jsonb not null -- shares of the nominators, in their order
);
-- pools of a nominator
create index nominator_pools_by_nominator on nominator_pools using gin (nominators) where not destroyed;

-- A change of a nominator's share in a pool. One transaction can change those of several nominators.
create table nominator_pool_events (
  tx_hash bytea not null,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  pool bytea not null,
  event_index integer not null, -- in the transaction
  nominator bytea not null,
  type smallint not null,
  amount numeric not null,
  balance_delta numeric not null,
  pending_balance_delta numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  pending_before numeric not null,
  pending_after numeric not null,
  withdraw_request_before boolean not null,
  withdraw_request_after boolean not null,
  primary key (tx_hash, event_index)
);
-- events of a pool, and of a nominator in it; rewards
create index nominator_pool_events_by_pool on nominator_pool_events (pool, utime, tx_lt, event_index);
create index nominator_pool_events_by_nominator on nominator_pool_events (nominator, pool, utime, tx_lt, event_index);
create index nominator_pool_rewards on nominator_pool_events (nominator, pool, utime, tx_lt, event_index) where type = 0;
create index nominator_pool_events_by_trace on nominator_pool_events (hash_prefix(trace_id));
create index nominator_pool_events_by_masterchain on nominator_pool_events (mc_seqno);

-- A change of the share that a pool's validator has in it.
create table nominator_pool_validator_events (
  tx_hash bytea primary key,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  pool bytea not null,
  validator bytea not null,
  type smallint not null,
  amount numeric not null,
  balance_delta numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  query_id numeric,
  cycle_start bigint,
  validator_reward_share integer not null
);
create index pool_validator_events_by_pool on nominator_pool_validator_events (pool, utime, tx_lt);
create index pool_validator_events_by_validator on nominator_pool_validator_events (validator, utime, tx_lt);
create index pool_validator_events_by_both on nominator_pool_validator_events (validator, pool, utime, tx_lt);
create index pool_validator_events_by_trace on nominator_pool_validator_events (hash_prefix(trace_id));
create index pool_validator_events_by_masterchain on nominator_pool_validator_events (mc_seqno);

-- A block whose events of a pool are not known, because the pool's state between its transactions could not be computed.
create table unreplayed_pools (
  pool bytea not null,
  mc_seqno integer not null,
  primary key (pool, mc_seqno)
);
create index unreplayed_pools_by_masterchain on unreplayed_pools (mc_seqno);
