import { validatorEventTypes } from "../codes.js";
import {
  address,
  bigint,
  boolean,
  bytea,
  hash,
  integer,
  integerArray,
  nodeKey,
  nullable,
  numeric,
  smallint,
  wideInteger,
  word,
} from "../declare/columns.js";
import { columnsOf, object } from "../declare/record.js";
import { type RowOf, table } from "../declare/table.js";

/** Events of stakes, one row per transaction. */
export const validatorEvents = table("validator_events", {
  columns: {
    tx_hash: hash,
    tx_lt: bigint,
    utime: wideInteger,
    mc_seqno: integer,
    type: word(validatorEventTypes),
    stake_holder: address,
    validator_pubkey: nullable(nodeKey),
    adnl_addr: nullable(nodeKey),
    election_id: nullable(wideInteger),
    query_id: numeric,
    amount: numeric,
    reason: nullable(integer),
  },
  key: ["tx_hash"],
  merge: "keep",
  revertBy: { block: "mc_seqno" },
});

/** How rows of what the elector shows are merged: the later look wins. */
const snapshotBehaviour = {
  merge: { newest: ["mc_seqno"], completedBy: {} },
  revertBy: { block: "mc_seqno" },
} as const;

export const validatorElections = table("validator_elections", {
  columns: {
    election_id: wideInteger,
    mc_seqno: integer,
    elect_close: wideInteger,
    min_stake: numeric,
    total_stake: numeric,
    failed: boolean,
    finished: boolean,
  },
  key: ["election_id"],
  ...snapshotBehaviour,
});

/** Stakes of elections. They cannot be taken back, so rows that later looks lack stay. */
export const validatorElectionParticipants = table("validator_election_participants", {
  columns: {
    election_id: wideInteger,
    pubkey: nodeKey,
    stake_holder: address,
    mc_seqno: integer,
    stake: numeric,
    max_factor: wideInteger,
    adnl_addr: nodeKey,
  },
  key: ["election_id", "pubkey", "stake_holder"],
  ...snapshotBehaviour,
});

/**
 * Validator sets. Fines lower the total stake afterwards, so the greatest one is the one before fines; reverts keep it.
 */
export const validatorCycles = table("validator_cycles", {
  columns: {
    utime_since: wideInteger,
    first_seqno: integer,
    mc_seqno: integer,
    utime_until: wideInteger,
    total: integer,
    main: integer,
    total_weight: numeric,
    vset_hash: hash,
    election_id: nullable(wideInteger),
    total_stake: nullable(numeric),
    validators_elected_for: wideInteger,
    elections_start_before: wideInteger,
    elections_end_before: wideInteger,
    stake_held_for: wideInteger,
    max_validators: integer,
    max_main_validators: integer,
    min_validators: integer,
    min_stake_limit: numeric,
    max_stake_limit: numeric,
    min_total_stake: numeric,
    max_stake_factor: wideInteger,
  },
  key: ["utime_since"],
  merge: {
    combine: {
      newest: "mc_seqno",
      known: ["election_id"],
      greatest: ["total_stake"],
      least: ["first_seqno"],
    },
  },
  revertBy: { first: "first_seqno", last: "mc_seqno" },
});

/** Members of validator sets. Reverts leave those alone that were known before, whose stakes may have been fined since. */
export const validatorCycleMembers = table("validator_cycle_members", {
  columns: {
    utime_since: wideInteger,
    index: integer,
    mc_seqno: integer,
    pubkey: nodeKey,
    adnl_addr: nodeKey,
    weight: numeric,
    stake: nullable(numeric),
  },
  key: ["utime_since", "index"],
  merge: { combine: { least: ["mc_seqno"], greatest: ["stake"] } },
  revertBy: { block: "mc_seqno" },
});

/** Complaints about validators of past elections. */
export const validatorComplaints = table("validator_complaints", {
  columns: {
    election_id: wideInteger,
    complaint_hash: hash,
    mc_seqno: integer,
    pubkey: nodeKey,
    description_boc: bytea,
    created_at: wideInteger,
    severity: smallint,
    reward_address: address,
    paid: numeric,
    suggested_fine: numeric,
    suggested_fine_part: wideInteger,
    /** Places of those who have voted, ascending, in the set `vset_id`. */
    voters: integerArray,
    vset_id: hash,
    /** As the elector keeps it; 0 before the first vote. */
    weight_remaining: bigint,
  },
  key: ["election_id", "complaint_hash"],
  ...snapshotBehaviour,
});

export type ValidatorEventRow = RowOf<typeof validatorEvents.columns>;
export type ValidatorElectionRow = RowOf<typeof validatorElections.columns>;
export type ValidatorParticipantRow = RowOf<typeof validatorElectionParticipants.columns>;
export type ValidatorCycleRow = RowOf<typeof validatorCycles.columns>;
export type ValidatorMemberRow = RowOf<typeof validatorCycleMembers.columns>;
export type ValidatorComplaintRow = RowOf<typeof validatorComplaints.columns>;

const e = columnsOf("e", validatorEvents.columns);

export const validatorEventRecord = object(
  {
    tx_hash: e.tx_hash,
    tx_lt: e.tx_lt,
    utime: e.utime,
    type: e.type,
    stake_holder_address: e.stake_holder,
    query_id: e.query_id,
    amount: e.amount,
  },
  {
    validator_pubkey: e.validator_pubkey,
    adnl_addr: e.adnl_addr,
    election_id: e.election_id,
    reason: e.reason,
  },
);
