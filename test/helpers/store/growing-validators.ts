import { bytesToHex } from "../../../shared/values/bytes.js";
import { nominatorEventRow, poolRow, poolValidatorEventRow } from "./made-pools.js";
import {
  adnlOf,
  complaintRow,
  cycleRow,
  electionRow,
  eventRow,
  holderOf,
  memberRow,
  participantRow,
  pubkeyOf,
} from "./made-validators.js";
import { push } from "./party-rows.js";
import { bytesOf, hashOf, type Rows } from "./rows.js";

/** Numbers of validators: of one in every set, and of one in the first slot only. */
const busy = 1;
const rare = 2;
const firstTime = 1_700_000_000;

const busyPool = holderOf(3000);
const busyNominator = holderOf(4000);
const rareNominator = holderOf(4001);
const others = (slot: number) => Array.from({ length: 9 }, (_, i) => holderOf(5000 + slot * 9 + i));

export const grownValidators = {
  /** Has events in every slot. */
  busyPool,
  /** Pool of the first slot. */
  rarePool: holderOf(1000),
  busyNominator,
  rareNominator,
  busyHolder: holderOf(busy),
  rareHolder: holderOf(rare),
  busyKey: bytesToHex(pubkeyOf(busy)),
  rareKey: bytesToHex(pubkeyOf(rare)),
  rareAdnl: bytesToHex(adnlOf(rare)),
  /** The first one. */
  electionId: firstTime,
} as const;

const electionsPerSlot = 5;
const secondsPerElection = 30;
const validators = 5;

/** Elections of a slot, with cycles, complaints and events. `begin` is the time at which the slot begins. */
export function validatorRows(slot: number, begin: number): Rows {
  const rows: Rows = {};
  const own = holderOf(1000 + slot);
  const nominators = [slot === 0 ? rareNominator : holderOf(2000 + slot), ...others(slot)] as const;
  push(
    rows,
    "nominatorPools",
    poolRow(
      own,
      nominators.map((who) => [who, 5n, 0n]),
      { validator_address: bytesOf(holderOf(busy)) },
    ),
  );
  for (const [place, nominator] of nominators.entries()) {
    const lt = BigInt(slot * nominators.length + place);
    const at = { utime: begin + place };
    for (const pool of [own, busyPool]) {
      const of = { ...at, tx_hash: hashOf(`${pool} ${lt}`), pool: bytesOf(pool) };
      for (const [event_index, who] of [nominator, busyNominator].entries()) {
        const event = { ...of, nominator: bytesOf(who), event_index };
        push(rows, "nominatorPoolEvents", nominatorEventRow(lt, "reward", event));
      }
      const event = { ...of, validator: bytesOf(holderOf(busy)) };
      push(rows, "nominatorPoolValidatorEvents", poolValidatorEventRow(lt, "reward", event));
    }
  }
  for (let round = 0; round < electionsPerSlot; round++) {
    const election_id = begin + round * secondsPerElection;
    const number = slot * electionsPerSlot + round;
    push(rows, "validatorElections", electionRow({ election_id }));
    push(rows, "validatorCycles", cycleRow({ utime_since: election_id, election_id, total_stake: 5n }));
    for (let index = 0; index < validators; index++) {
      const who = index === 0 ? busy : number === 0 && index === 1 ? rare : 10 + number * validators + index;
      push(rows, "validatorElectionParticipants", participantRow(who, { election_id }));
      const member = memberRow(who, { utime_since: election_id, index, stake: 5n });
      push(rows, "validatorCycleMembers", member);
      const event = eventRow("stake_accepted", {
        ...{ tx_lt: BigInt(number * validators + index), utime: election_id, election_id },
        ...{ stake_holder: bytesOf(holderOf(who)), validator_pubkey: pubkeyOf(who), adnl_addr: adnlOf(who) },
      });
      push(rows, "validatorEvents", event);
      if (index === 1)
        push(rows, "validatorComplaints", complaintRow(who, { election_id, created_at: election_id }));
    }
  }
  return rows;
}
