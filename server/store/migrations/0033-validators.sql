-- What happened to stakes: transactions of the elector, and of those whom it paid.
create table validator_events (
  tx_hash bytea primary key,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  type smallint not null, -- a place in the list of types
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

-- Elections as the elector's data show them while they last.
create table validator_elections (
  election_id bigint primary key,
  mc_seqno integer not null, -- of the last look
  elect_close bigint not null,
  min_stake numeric not null,
  total_stake numeric not null,
  failed boolean not null,
  finished boolean not null
);
create index validator_elections_by_masterchain on validator_elections (mc_seqno);

create table validator_election_participants (
  election_id bigint not null,
  pubkey bytea not null,
  stake_holder bytea not null,
  mc_seqno integer not null,
  stake numeric not null,
  max_factor bigint not null,
  adnl_addr bytea not null,
  primary key (election_id, pubkey, stake_holder)
);
create index validator_participants_by_pubkey on validator_election_participants (pubkey, election_id);
create index validator_participants_by_holder on validator_election_participants (stake_holder, election_id);
create index validator_participants_by_adnl on validator_election_participants (adnl_addr, election_id);
create index validator_participants_by_masterchain on validator_election_participants (mc_seqno);

-- Validator sets with the configuration of their time.
create table validator_cycles (
  utime_since bigint primary key,
  first_seqno integer not null, -- of the first look
  mc_seqno integer not null, -- of the last look
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

create table validator_cycle_members (
  utime_since bigint not null,
  index integer not null,
  mc_seqno integer not null, -- of the first look
  pubkey bytea not null,
  adnl_addr bytea not null,
  weight numeric not null,
  stake numeric, -- before fines; null: not known
  primary key (utime_since, index)
);
create index validator_cycle_members_by_pubkey on validator_cycle_members (pubkey, utime_since);
create index validator_cycle_members_by_adnl on validator_cycle_members (adnl_addr, utime_since);
create index validator_cycle_members_by_masterchain on validator_cycle_members (mc_seqno);

-- Complaints as the elector's data show them. Sets, weights and shares follow from the cycles.
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
  voters integer[] not null,
  vset_id bytea not null,
  weight_remaining bigint not null,
  primary key (election_id, complaint_hash)
);
create index validator_complaints_by_time on validator_complaints (created_at, complaint_hash);
create index validator_complaints_by_pubkey on validator_complaints (pubkey, election_id);
create index validator_complaints_by_masterchain on validator_complaints (mc_seqno);
