import type { z } from "zod";
import type {
  validatorComplaint,
  validatorCycle,
  validatorElection,
} from "../../../shared/schema/v3/contracts/validators.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import type {
  ComplaintRows,
  readMembers,
  readParticipants,
  StakeExtremes,
} from "../../store/queries/staking/validators.js";
import type {
  ValidatorCycleRow,
  ValidatorElectionRow,
  ValidatorMemberRow,
} from "../../store/tables/validators.js";

type Election = z.output<typeof validatorElection>;
type Cycle = z.output<typeof validatorCycle>;
export type Complaint = z.output<typeof validatorComplaint>;
type ParticipantRows = Awaited<ReturnType<typeof readParticipants>>[number];
type MemberRows = Awaited<ReturnType<typeof readMembers>>[number];

const hex = (bytes: Uint8Array) => bytesToHex(bytes).toUpperCase();
const raw = (address: Uint8Array) => addressFromBytes(address).toRawUpper();

export function presentElection(
  row: ValidatorElectionRow,
  total: number,
  participants: readonly ParticipantRows[],
): Election {
  return {
    election_id: row.election_id,
    elect_close: row.elect_close,
    min_stake: String(row.min_stake),
    total_stake: String(row.total_stake),
    total_participants: total,
    failed: row.failed,
    finished: row.finished,
    ...(participants.length > 0 && { participants: participants.map(presentParticipant) }),
  };
}

function presentParticipant({ p, m }: ParticipantRows): NonNullable<Election["participants"]>[number] {
  const { pubkey, stake, max_factor, stake_holder, adnl_addr } = p;
  return {
    validator_pubkey: hex(pubkey),
    ...(m && { validator_index: m.index }),
    stake: String(stake),
    max_factor,
    stake_holder_address: raw(stake_holder),
    adnl_addr: hex(adnl_addr),
  };
}

/** With `members`, includes the validators; `complaintsOf` returns the complaints about a key. */
export function presentCycle(
  row: ValidatorCycleRow,
  stakes: StakeExtremes | undefined,
  members: readonly MemberRows[] | undefined,
  complaintsOf: (pubkey: string) => Complaint[],
): Cycle {
  return {
    ...(row.election_id !== undefined && { election_id: row.election_id }),
    cycle_start: row.utime_since,
    cycle_end: row.utime_until,
    total: row.total,
    main: row.main,
    total_weight: String(row.total_weight),
    ...(row.total_stake !== undefined && { total_stake: String(row.total_stake) }),
    validators_elected_for: row.validators_elected_for,
    elections_start_before: row.elections_start_before,
    elections_end_before: row.elections_end_before,
    stake_held_for: row.stake_held_for,
    max_validators: row.max_validators,
    max_main_validators: row.max_main_validators,
    min_validators: row.min_validators,
    ...(stakes && { min_stake: String(stakes.min), max_stake: String(stakes.max) }),
    min_stake_limit: String(row.min_stake_limit),
    max_stake_limit: String(row.max_stake_limit),
    min_total_stake: String(row.min_total_stake),
    max_stake_factor: row.max_stake_factor,
    ...(members && { validators: members.map((member) => presentMember(member, complaintsOf)) }),
  };
}

function presentMember(
  { m, p }: MemberRows,
  complaintsOf: (pubkey: string) => Complaint[],
): NonNullable<Cycle["validators"]>[number] {
  const { index, pubkey, adnl_addr, weight, stake } = m;
  return {
    validator_index: index,
    validator_pubkey: hex(pubkey),
    adnl_addr: hex(adnl_addr),
    weight: String(weight),
    ...(p && { stake_holder_address: raw(p.stake_holder), max_factor: p.max_factor }),
    ...(stake !== undefined && { stake: String(stake) }),
    complaints: complaintsOf(hex(pubkey)),
  };
}

/** `voterAt` returns the member at an index of the voting set, if known. */
export function presentComplaint(
  { k: row, c, m, p, v, f }: ComplaintRows,
  voterAt: (cycle: number, place: number) => ValidatorMemberRow | undefined,
): Complaint {
  const hasVotes = row.voters.length > 0;
  // Votes in an unknown set are weighed by the complaint's set.
  const total = BigInt((v ?? (hasVotes ? undefined : f) ?? c).total_weight);
  const required = (total * 2n) / 3n;
  const remaining = hasVotes ? row.weight_remaining : required;
  return {
    cycle_start: c.utime_since,
    election_id: row.election_id,
    complaint_hash: bytesToBase64(row.complaint_hash),
    validator_pubkey: hex(row.pubkey),
    adnl_addr: m ? hex(m.adnl_addr) : null,
    ...(p && { stake_holder_address: raw(p.stake_holder) }),
    description_boc: bytesToBase64(row.description_boc),
    created_at: row.created_at,
    severity: row.severity,
    reward_address: raw(row.reward_address),
    paid: String(row.paid),
    suggested_fine: String(row.suggested_fine),
    suggested_fine_part: row.suggested_fine_part,
    voted_validators: row.voters.map((place) => {
      const voter = v && voterAt(v.utime_since, place);
      return {
        validator_index: place,
        ...(voter && {
          validator_pubkey: hex(voter.pubkey),
          adnl_addr: hex(voter.adnl_addr),
          weight: String(voter.weight),
        }),
      };
    }),
    vset_id: bytesToBase64(row.vset_id),
    weight_remaining: String(remaining),
    approved_percent: percentOf(required - remaining, total),
    is_passed: row.weight_remaining < 0n,
  };
}

/** Rounded to three decimals. */
function percentOf(part: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((part * 200_000n + total) / (total * 2n)) / 1000;
}
