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

create table nominator_pool_events (
  tx_hash bytea not null,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  pool bytea not null,
  event_index integer not null, -- in the transaction
  nominator bytea not null,
  type smallint not null, -- a place in the list of types
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
create index nominator_pool_events_by_trace on nominator_pool_events (trace_id);
create index nominator_pool_events_by_masterchain on nominator_pool_events (mc_seqno);

create table nominator_pool_validator_events (
  tx_hash bytea primary key,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  trace_id bytea not null,
  pool bytea not null,
  validator bytea not null,
  type smallint not null, -- a place in the list of types
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
create index pool_validator_events_by_trace on nominator_pool_validator_events (trace_id);
create index pool_validator_events_by_masterchain on nominator_pool_validator_events (mc_seqno);

-- Blocks whose events of a pool are not known.
create table unreplayed_pools (
  pool bytea not null,
  mc_seqno integer not null,
  primary key (pool, mc_seqno)
);
create index unreplayed_pools_by_masterchain on unreplayed_pools (mc_seqno);
