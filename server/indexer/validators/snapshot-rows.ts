import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { totalWeight, type ValidatorDescr } from "../../../shared/ton/tlb/config/validator-set.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Complaint, Elections, PastElection } from "../../contracts/elector.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type {
  ValidatorComplaintRow,
  ValidatorCycleRow,
  ValidatorElectionRow,
  ValidatorMemberRow,
  ValidatorParticipantRow,
} from "../../store/tables/validators.js";
import type { CycleConfig } from "./cycle-config.js";

/** The rows of the current election. */
export function electionRows(
  { election }: Elections,
  mc_seqno: number,
): { elections: ValidatorElectionRow[]; participants: ValidatorParticipantRow[] } {
  if (!election || election.electAt === 0) return { elections: [], participants: [] };
  const { electAt: election_id, electClose, minStake, totalStake, failed, finished } = election;
  const held = {
    ...{ election_id, mc_seqno, failed, finished },
    ...{ elect_close: electClose, min_stake: minStake, total_stake: totalStake },
  };
  const participants = election.participants.map(({ pubkey, stake, maxFactor, stakeHolder, adnl }) => ({
    ...{ election_id, pubkey, mc_seqno, stake },
    ...{ stake_holder: addressToBytes(stakeHolder), max_factor: maxFactor, adnl_addr: adnl },
  }));
  return { elections: [held], participants };
}

/** The rows of the configured validator sets. If sets begin at the same time, the first one counts. */
export function cycleRows(
  { pastElections }: Elections,
  { rules, sets }: CycleConfig,
  mc_seqno: number,
): { cycles: ValidatorCycleRow[]; members: ValidatorMemberRow[] } {
  const cycles = new Map<number, ValidatorCycleRow>();
  const members: ValidatorMemberRow[] = [];
  if (!rules) return { cycles: [], members };
  const { times, counts, limits } = rules;
  const elections = new Map([...pastElections.values()].map((past) => [bytesToHex(past.setHash), past]));
  for (const { hash, set, members: validators } of sets) {
    if (cycles.has(set.utimeSince)) continue;
    const election = elections.get(bytesToHex(hash));
    cycles.set(set.utimeSince, {
      utime_since: set.utimeSince,
      first_seqno: mc_seqno,
      mc_seqno,
      utime_until: set.utimeUntil,
      total: set.total,
      main: set.main,
      total_weight: totalWeight(set),
      vset_hash: hash,
      election_id: election?.id,
      total_stake: election?.totalStake,
      validators_elected_for: times.validatorsElectedFor,
      elections_start_before: times.electionsStartBefore,
      elections_end_before: times.electionsEndBefore,
      stake_held_for: times.stakeHeldFor,
      max_validators: counts.maxValidators,
      max_main_validators: counts.maxMainValidators,
      min_validators: counts.minValidators,
      min_stake_limit: limits.minStake,
      max_stake_limit: limits.maxStake,
      min_total_stake: limits.minTotalStake,
      max_stake_factor: limits.maxStakeFactor,
    });
    const stakes = stakesOf(election);
    for (const [index, validator] of validators.entries()) {
      const { pubkey } = validator.publicKey;
      const stake = stakes.get(bytesToHex(pubkey));
      members.push({
        ...{ utime_since: set.utimeSince, index, mc_seqno, pubkey, stake },
        ...{ adnl_addr: adnlOf(validator), weight: validator.weight },
      });
    }
  }
  return { cycles: [...cycles.values()], members };
}

function stakesOf(election: PastElection | undefined): ReadonlyMap<string, bigint> {
  return new Map(election?.frozen.map(({ pubkey, stake }) => [bytesToHex(pubkey), stake]));
}

const noAdnl = new Uint8Array(32);

/** The configuration omits an ADNL address of zeros. */
function adnlOf(validator: ValidatorDescr): Uint8Array {
  return validator.kind === "addr" ? validator.adnlAddr : noAdnl;
}

/** The rows of an election's complaints. */
export function complaintRows({ id, complaints }: PastElection, mc_seqno: number): ValidatorComplaintRow[] {
  return complaints.map((complaint) => complaintRow(complaint, id, mc_seqno));
}

function complaintRow(complaint: Complaint, election_id: number, mc_seqno: number): ValidatorComplaintRow {
  return {
    election_id,
    complaint_hash: complaint.hash,
    mc_seqno,
    pubkey: complaint.pubkey,
    description_boc: serializeBoc(complaint.description),
    created_at: complaint.createdAt,
    severity: complaint.severity,
    reward_address: addressToBytes(complaint.rewardAddress),
    paid: complaint.paid,
    suggested_fine: complaint.suggestedFine,
    suggested_fine_part: complaint.suggestedFinePart,
    voters: complaint.voters,
    vset_id: complaint.setHash,
    weight_remaining: complaint.weightRemaining,
  };
}
