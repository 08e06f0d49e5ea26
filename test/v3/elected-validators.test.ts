import { expect, onTestFinished, test } from "vitest";
import { ton } from "../helpers/chain/devnet.js";
import { rotate } from "../helpers/elections/election-phases.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Devnet = {
  set: { since: number; election_id: number; total_weight: string; validators: { public_key: string }[] };
  validators: { address: string; frozen: string }[];
};
type Participant = { validator_pubkey: string; stake: string; stake_holder_address: string };
type Election = { election_id: number; finished: boolean; total_stake: string; participants: Participant[] };
type Member = { validator_pubkey: string; stake?: string; stake_holder_address?: string };
type Cycle = { cycle_start: number; election_id?: number; total_weight: string; validators: Member[] };
type Complaint = Record<"complaint_hash" | "validator_pubkey" | "suggested_fine", string> & {
  election_id: number;
  is_passed: boolean;
};
type Event = { type: string; stake_holder_address: string; election_id?: number; amount: string };

const keysOf = (of: readonly { validator_pubkey: string }[]) =>
  of.map(({ validator_pubkey }) => validator_pubkey).sort();

async function electing(): Promise<DevnetService> {
  const service = await startDevnetService({ devnetElections: "short", index: true });
  onTestFinished(() => service.close());
  return service;
}

test("Elections of a devnet are listed as they were held, with stakes, sets and complaints", async () => {
  const service = await electing();
  await rotate(service);
  const first = await service.run<Devnet>("devnet.elections");
  const complained = await service.run<{ complaint_hash: string; election_id: number }>("devnet.complain", {
    validator: 1,
    fine: String(10n * ton),
  });
  await rotate(service);
  await rotate(service);
  const third = await service.run<Devnet>("devnet.elections");
  await untilIndexed(service, await service.mine());

  const { elections } = await service.run<{ elections: Election[] }>("v3.validators.elections", {
    return_participants: true,
  });
  expect(elections).toHaveLength(3);
  for (const { finished, participants, total_stake } of elections) {
    expect(finished).toBe(true);
    expect(participants).toHaveLength(3);
    expect(participants.reduce((sum, { stake }) => sum + BigInt(stake), 0n)).toBe(BigInt(total_stake));
  }
  const { cycles } = await service.run<{ cycles: Cycle[] }>("v3.validators.cycles", {
    return_validators: true,
  });
  for (const { set, validators } of [first, third]) {
    const cycle = cycles.find(({ cycle_start }) => cycle_start === set.since)!;
    expect(cycle).toMatchObject({ election_id: set.election_id, total_weight: set.total_weight });
    const keys = set.validators.map(({ public_key }) => public_key).sort();
    expect(keysOf(cycle.validators)).toEqual(keys);
    const election = elections.find(({ election_id }) => election_id === set.election_id)!;
    expect(keysOf(election.participants)).toEqual(keys);
    const holders = cycle.validators.map(({ stake_holder_address }) => stake_holder_address);
    expect(holders.sort()).toEqual(validators.map(({ address }) => address).sort());
  }

  const { complaints } = await service.run<{ complaints: Complaint[] }>("v3.validators.complaints");
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toMatchObject({
    election_id: complained.election_id,
    complaint_hash: complained.complaint_hash,
    suggested_fine: String(10n * ton),
    is_passed: true,
  });

  const { events } = await service.run<{ events: Event[] }>("v3.validators.events", { limit: 100 });
  const ofType = (wanted: string) => events.filter(({ type }) => type === wanted);
  for (const { election_id, participants } of elections) {
    const accepted = ofType("stake_accepted").filter((event) => event.election_id === election_id);
    const amounts = (of: readonly { stake_holder_address: string; amount?: string; stake?: string }[]) =>
      of
        .map(({ stake_holder_address, amount, stake }) => `${stake_holder_address} ${amount ?? stake}`)
        .sort();
    expect(amounts(accepted)).toEqual(amounts(participants));
  }
  // The stakes of the first election are free once the second set has ended and been held.
  expect(ofType("stake_recovered").length).toBe(ofType("recover_requested").length);
});
