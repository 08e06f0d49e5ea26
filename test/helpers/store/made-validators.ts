import { codeOf, validatorEventTypes } from "../../../server/store/codes.js";
import { stakeHolder } from "../elections/elections.js";
import { madeRow, type Special } from "./made-row.js";
import { bytesOf, hashOf } from "./rows.js";

type EventType = (typeof validatorEventTypes)[number];

/** Keys and addresses of validators and stake holders by number. */
export const pubkeyOf = (number: number) => hashOf(`key ${number}`);
export const adnlOf = (number: number) => hashOf(`adnl ${number}`);
export const holderOf = (number: number) => stakeHolder(number);

export const eventRow = (type: EventType, special: Special<"validatorEvents", "tx_lt">) =>
  madeRow("validatorEvents", {
    tx_hash: hashOf(`stake ${special.tx_lt}`),
    utime: 1000,
    type: codeOf(validatorEventTypes, type),
    stake_holder: bytesOf(holderOf(1)),
    query_id: 0n,
    ...special,
  });

export const electionRow = (special: Special<"validatorElections", "election_id">) =>
  madeRow("validatorElections", {
    elect_close: special.election_id - 10,
    min_stake: 100n,
    total_stake: 1000n,
    finished: true,
    ...special,
  });

/** The stake of the stake holder and validator of a number. */
export const participantRow = (
  number: number,
  special: Special<"validatorElectionParticipants", "election_id">,
) =>
  madeRow("validatorElectionParticipants", {
    pubkey: pubkeyOf(number),
    stake_holder: bytesOf(holderOf(number)),
    stake: BigInt(100 * number),
    max_factor: 196_608,
    adnl_addr: adnlOf(number),
    ...special,
  });

export const cycleRow = (special: Special<"validatorCycles", "utime_since">) =>
  madeRow("validatorCycles", {
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
    min_stake_limit: 100n,
    max_stake_limit: 10_000n,
    min_total_stake: 200n,
    max_stake_factor: 196_608,
    ...special,
  });

/** The validator of a number in a set. */
export const memberRow = (
  number: number,
  special: Special<"validatorCycleMembers", "utime_since" | "index">,
) =>
  madeRow("validatorCycleMembers", {
    pubkey: pubkeyOf(number),
    adnl_addr: adnlOf(number),
    weight: 100n,
    ...special,
  });

/** A complaint about the validator of a number. */
export const complaintRow = (
  number: number,
  special: Special<"validatorComplaints", "election_id" | "created_at">,
) =>
  madeRow("validatorComplaints", {
    complaint_hash: hashOf(`complaint ${special.election_id} ${number} ${special.created_at}`),
    pubkey: pubkeyOf(number),
    description_boc: new Uint8Array([1, 2, 3]),
    severity: 3,
    reward_address: bytesOf(holderOf(9)),
    paid: 7n,
    suggested_fine: 8n,
    suggested_fine_part: 2 ** 31,
    vset_id: new Uint8Array(32),
    weight_remaining: 0n,
    ...special,
  });
