import { nominatorEventTypes, poolValidatorEventTypes } from "../codes.js";
import {
  address,
  addressArray,
  bigint,
  boolean,
  hash,
  integer,
  jsonb,
  nullable,
  numeric,
  shownAs,
  smallint,
  wideInteger,
  word,
} from "../declare/columns.js";
import { columnsOf, object } from "../declare/record.js";
import { table } from "../declare/table.js";
import type { WireForm } from "../declare/wire-forms.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

/** A member of `members`, in the form of answers. */
export type PoolMember = { address: string; balance: string; pending_balance: string };

export const membersForm: WireForm<object, PoolMember[]> = {
  kind: "bare",
  sql: (expression) => expression,
  // Written by `PoolMember` alone.
  present: (value) => value as PoolMember[],
};

export const nominatorPools = table("nominator_pools", {
  columns: {
    ...contractColumns,
    state: smallint,
    nominators_count: integer,
    stake_amount_sent: numeric,
    validator_amount: numeric,
    validator_address: address,
    validator_reward_share: integer,
    max_nominators_count: integer,
    min_validator_stake: numeric,
    min_nominator_stake: numeric,
    /** The nominators, so that pools are found by them. */
    nominators: addressArray,
    /** Their shares, in the same order. Columns and no table of its own, so that they are replaced with the rest of the row. */
    members: shownAs(jsonb, membersForm),
  },
  ...contractBehaviour,
});

const p = columnsOf("p", nominatorPools.columns);

export const nominatorPoolRecord = object({
  stake_amount_sent: p.stake_amount_sent,
  validator_amount: p.validator_amount,
  validator_address: p.validator_address,
  validator_reward_share: p.validator_reward_share,
  state: p.state,
  nominators_count: p.nominators_count,
  max_nominators_count: p.max_nominators_count,
  min_validator_stake: p.min_validator_stake,
  min_nominator_stake: p.min_nominator_stake,
  active_nominators: p.members,
});

/** A pool of a nominator. */
export const membershipRecord = object({ pool_address: p.address, active_nominators: p.members });

const eventColumns = {
  tx_hash: hash,
  tx_lt: bigint,
  utime: wideInteger,
  mc_seqno: integer,
  trace_id: hash,
  pool: address,
} as const;

const eventBehaviour = {
  merge: "keep",
  revertBy: { block: "mc_seqno" },
  traceColumn: "trace_id",
} as const;

/** Events of nominators; one transaction may concern several of them. */
export const nominatorPoolEvents = table("nominator_pool_events", {
  columns: {
    ...eventColumns,
    event_index: integer,
    nominator: address,
    type: word(nominatorEventTypes),
    amount: numeric,
    balance_delta: numeric,
    pending_balance_delta: numeric,
    balance_before: numeric,
    balance_after: numeric,
    pending_before: numeric,
    pending_after: numeric,
    withdraw_request_before: boolean,
    withdraw_request_after: boolean,
  },
  key: ["tx_hash", "event_index"],
  ...eventBehaviour,
});

/** Events of the validators of pools. */
export const nominatorPoolValidatorEvents = table("nominator_pool_validator_events", {
  columns: {
    ...eventColumns,
    validator: address,
    type: word(poolValidatorEventTypes),
    amount: numeric,
    balance_delta: numeric,
    balance_before: numeric,
    balance_after: numeric,
    query_id: nullable(numeric),
    cycle_start: nullable(wideInteger),
    validator_reward_share: integer,
  },
  key: ["tx_hash"],
  ...eventBehaviour,
});

/** Masterchain blocks whose events of a pool are not known: its state between their transactions could not be had. */
export const unreplayedPools = table("unreplayed_pools", {
  columns: { pool: address, mc_seqno: integer },
  key: ["pool", "mc_seqno"],
  merge: "keep",
  revertBy: { block: "mc_seqno" },
});

const e = columnsOf("e", nominatorPoolEvents.columns);

export const nominatorEventRecord = object({
  tx_hash: e.tx_hash,
  tx_lt: e.tx_lt,
  utime: e.utime,
  pool_address: e.pool,
  nominator_address: e.nominator,
  type: e.type,
  amount: e.amount,
  balance_delta: e.balance_delta,
  pending_balance_delta: e.pending_balance_delta,
  balance_before: e.balance_before,
  balance_after: e.balance_after,
  pending_balance_before: e.pending_before,
  pending_balance_after: e.pending_after,
  withdraw_request_before: e.withdraw_request_before,
  withdraw_request_after: e.withdraw_request_after,
});

export const nominatorRewardRecord = object({
  utime: e.utime,
  reward: e.amount,
  stake_before: e.balance_before,
  tx_hash: e.tx_hash,
  tx_lt: e.tx_lt,
});

const v = columnsOf("e", nominatorPoolValidatorEvents.columns);

export const poolValidatorEventRecord = object(
  {
    tx_hash: v.tx_hash,
    tx_lt: v.tx_lt,
    utime: v.utime,
    pool_address: v.pool,
    validator_address: v.validator,
    type: v.type,
    amount: v.amount,
    balance_delta: v.balance_delta,
    balance_before: v.balance_before,
    balance_after: v.balance_after,
    validator_reward_share: v.validator_reward_share,
  },
  { query_id: v.query_id, cycle_start: v.cycle_start },
);

export const poolValidatorRewardRecord = object(
  {
    utime: v.utime,
    reward: v.balance_delta,
    balance_before: v.balance_before,
    tx_hash: v.tx_hash,
    tx_lt: v.tx_lt,
  },
  { cycle_start: v.cycle_start, query_id: v.query_id },
);
