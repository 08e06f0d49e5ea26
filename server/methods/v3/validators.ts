import type { Handlers } from "../../../shared/methods/define.js";
import type { validatorMethods } from "../../../shared/methods/v3/validators.js";
import type { Address } from "../../../shared/values/address.js";
import { groupBy } from "../../../shared/values/groups.js";
import { type IndexDeps, withAddressBook } from "../../present/v3/answer-extras.js";
import {
  type Complaint,
  presentComplaint,
  presentCycle,
  presentElection,
} from "../../present/v3/validators.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import {
  type ComplaintRows,
  countParticipants,
  listComplaints,
  listCycles,
  listElections,
  listValidatorEvents,
  readComplaints,
  readMembers,
  readParticipants,
  readStakeExtremes,
  readVoters,
  type ValidatorFilter,
} from "../../store/queries/staking/validators.js";
import { echoedTimes } from "../input/echoed-times.js";

export const validatorHandlers: Handlers<typeof validatorMethods, IndexDeps> = {
  validators: {
    events: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const { type } = params;
        const { start_utime, end_utime } = params;
        const events = await listValidatorEvents(
          queries,
          { ...filterOf(params), type, start_utime, end_utime },
          params,
        );
        const answer = { ...echoedTimes(params), events };
        const shown = [askedOf(params), ...events.map((event) => event.stake_holder_address)];
        return withAddressBook(answer, shown, { queries, call, book });
      }),

    elections: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const validator = filterOf(params);
        const { start_utime, end_utime, finished, election_id: electionId } = params;
        const filter = { ...validator, start_utime, end_utime, finished, electionId };
        const rows = await listElections(queries, filter, params);
        const ids = rows.map(({ election_id }) => election_id);
        const [counts, participants] = await Promise.all([
          countParticipants(queries, ids),
          params.return_participants ? readParticipants(queries, ids, validator) : [],
        ]);
        const byElection = groupBy(participants, ({ p }) => p.election_id);
        const elections = rows.map((row) => {
          const { election_id } = row;
          return presentElection(row, counts.get(election_id) ?? 0, byElection.get(election_id) ?? []);
        });
        const participating = elections.flatMap((election) =>
          (election.participants ?? []).map((each) => each.stake_holder_address),
        );
        const shown = [askedOf(params), ...participating];
        return withAddressBook({ elections }, shown, { queries, call, book });
      }),

    cycles: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const rows = await listCycles(queries, cycleFilterOf(params), params);
        const starts = rows.map(({ utime_since }) => utime_since);
        const isFull = params.return_validators;
        const [stakes, members, complaints] = await Promise.all([
          readStakeExtremes(queries, starts),
          isFull ? readMembers(queries, starts, filterOf(params)) : [],
          isFull ? readComplaints(queries, starts) : [],
        ]);
        const presented = await presentComplaints(queries, complaints);
        const byMember = groupBy(
          presented,
          ({ cycle_start, validator_pubkey }) => `${cycle_start} ${validator_pubkey}`,
        );
        const byCycle = groupBy(members, ({ m }) => m.utime_since);
        const cycles = rows.map((row) => {
          const own = isFull ? (byCycle.get(row.utime_since) ?? []) : undefined;
          return presentCycle(
            row,
            stakes.get(row.utime_since),
            own,
            (pubkey) => byMember.get(`${row.utime_since} ${pubkey}`) ?? [],
          );
        });
        const validators = cycles.flatMap((cycle) => cycle.validators ?? []);
        const shown = [
          askedOf(params),
          ...validators.map((each) => each.stake_holder_address),
          ...validators.flatMap((each) => each.complaints.flatMap(addressesOfComplaint)),
        ];
        return withAddressBook({ cycles }, shown, { queries, call, book });
      }),

    complaints: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const rows = await listComplaints(queries, cycleFilterOf(params), params);
        const complaints = await presentComplaints(queries, rows);
        const shown = [askedOf(params), ...complaints.flatMap(addressesOfComplaint)];
        return withAddressBook({ complaints }, shown, { queries, call, book });
      }),
  },
};

type ValidatorParams = {
  stake_holder_address?: Address | undefined;
  adnl_address?: Uint8Array | undefined;
  validator_pubkey?: Uint8Array | undefined;
};

function filterOf(params: ValidatorParams): ValidatorFilter {
  const { stake_holder_address, adnl_address: adnl, validator_pubkey: pubkey } = params;
  return { stakeHolder: stake_holder_address && addressToBytes(stake_holder_address), adnl, pubkey };
}

/** In the address book even if nothing was found. */
function askedOf({ stake_holder_address }: ValidatorParams): string | undefined {
  return stake_holder_address?.toRawUpper();
}

type CycleParams = ValidatorParams & {
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  election_id?: number | undefined;
  cycle_start?: number | undefined;
};

function cycleFilterOf(params: CycleParams) {
  const { start_utime, end_utime, election_id: electionId, cycle_start: cycleStart } = params;
  return { ...filterOf(params), start_utime, end_utime, electionId, cycleStart };
}

/** Looks up the voters of all complaints in one query. */
async function presentComplaints(queries: Queries, rows: readonly ComplaintRows[]): Promise<Complaint[]> {
  const voted = rows.flatMap(({ k, v }) => (v && k.voters.length > 0 ? [{ set: v, voters: k.voters }] : []));
  const cycles = [...new Set(voted.map(({ set }) => set.utime_since))];
  const places = [...new Set(voted.flatMap(({ voters }) => voters))];
  const members = cycles.length === 0 ? [] : await readVoters(queries, cycles, places);
  const byPlace = new Map(members.map((member) => [`${member.utime_since} ${member.index}`, member]));
  return rows.map((row) => presentComplaint(row, (cycle, place) => byPlace.get(`${cycle} ${place}`)));
}

function addressesOfComplaint(complaint: Complaint): (string | undefined)[] {
  return [complaint.stake_holder_address, complaint.reward_address];
}
