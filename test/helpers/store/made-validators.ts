import { codeOf, validatorEventTypes } from "../../../server/store/codes.js";
import type {
  ValidatorComplaintRow,
  ValidatorCycleRow,
  ValidatorElectionRow,
  ValidatorEventRow,
  ValidatorMemberRow,
  ValidatorParticipantRow,
} from "../../../server/store/tables/validators.js";
import { stakeHolder } from "../elections/elections.js";
import { bytesOf, hashOf } from "./rows.js";

type EventType = (typeof validatorEventTypes)[number];

/** Keys and addresses of validators and stake holders by number. */
export const pubkeyOf = (number: number) => hashOf(`key ${number}`);
export const adnlOf = (number: number) => hashOf(`adnl ${number}`);
export const holderOf = (number: number) => stakeHolder(number);

export function eventRow(
  type: EventType,
  special: Partial<ValidatorEventRow> & { tx_lt: bigint },
): ValidatorEventRow {
  const { tx_lt } = special;
  return {
    tx_hash: hashOf(`stake ${tx_lt}`),
    utime: 1000,
    mc_seqno: 1,
    type: codeOf(validatorEventTypes, type),
    stake_holder: bytesOf(holderOf(1)),
    query_id: 0n,
    amount: 5n,
    ...special,
  };
}

export function electionRow(
  special: Partial<ValidatorElectionRow> & { election_id: number },
): ValidatorElectionRow {
  return {
    mc_seqno: 1,
    elect_close: special.election_id - 10,
    min_stake: 100n,
    total_stake: 1000n,
    failed: false,
    finished: true,
    ...special,
  };
}

/** The stake of the stake holder and validator of a number. */
export function participantRow(
  number: number,
  special: Partial<ValidatorParticipantRow> & { election_id: number },
): ValidatorParticipantRow {
  return {
    pubkey: pubkeyOf(number),
    stake_holder: bytesOf(holderOf(number)),
    mc_seqno: 1,
    stake: BigInt(100 * number),
    max_factor: 196_608,
    adnl_addr: adnlOf(number),
    ...special,
  };
}

export function cycleRow(special: Partial<ValidatorCycleRow> & { utime_since: number }): ValidatorCycleRow {
  return {
    first_seqno: 1,
    mc_seqno: 1,
    utime_until: special.utime_since + 100,
    total: 3,
    main: 2,
    total_weight: 300n,
    vset_hash: hashOf(`set ${special.utime_since}`),
    validators_elected_for: 100,
    elections_start_before: 50,
    elections_end_before: 20,
    stake_held_for: 30,
    max_validators: 40,
    max_main_validators: 10,
    min_validators: 1,
    min_stake_limit: 100n,
    max_stake_limit: 10_000n,
    min_total_stake: 200n,
    max_stake_factor: 196_608,
    ...special,
  };
}

/** The validator of a number in a set. */
export function memberRow(
  number: number,
  special: Partial<ValidatorMemberRow> & { utime_since: number; index: number },
): ValidatorMemberRow {
  return { mc_seqno: 1, pubkey: pubkeyOf(number), adnl_addr: adnlOf(number), weight: 100n, ...special };
}

/** A complaint about the validator of a number. */
export function complaintRow(
  number: number,
  special: Partial<ValidatorComplaintRow> & { election_id: number; created_at: number },
): ValidatorComplaintRow {
  return {
    complaint_hash: hashOf(`complaint ${special.election_id} ${number} ${special.created_at}`),
    mc_seqno: 1,
    pubkey: pubkeyOf(number),
    description_boc: new Uint8Array([1, 2, 3]),
    severity: 3,
    reward_address: bytesOf(holderOf(9)),
    paid: 7n,
    suggested_fine: 8n,
    suggested_fine_part: 2 ** 31,
    voters: [],
    vset_id: new Uint8Array(32),
    weight_remaining: 0n,
    ...special,
  };
}
