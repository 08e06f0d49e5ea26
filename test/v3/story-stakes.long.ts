import { expect, onTestFinished, test } from "vitest";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { ton } from "../helpers/chain/devnet.js";
import { reach } from "../helpers/elections/election-phases.js";
import { shownExamples } from "../helpers/http/shown-examples.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { storyEnded } from "../helpers/stories/story.js";

type Devnet = {
  elect_at: number;
  set: { election_id: number; validators: { public_key: string; has_key: boolean }[] };
  validators: { address: string; public_key: string }[];
};
type Contracts = { contracts: { kind: string; address: string }[] };
type Pool = { state: number; validator_amount: string; active_nominators: { balance: string }[] };
type NominatorEvent = Record<"type" | "amount", string>;
type ValidatorEvent = { type: string; amount: string; cycle_start?: number };
type StakeEvent = { type: string; stake_holder_address: string; election_id?: number; amount: string };

const path = "v3.staking.nominatorPools";

test("The sample pool and the single nominator stake by themselves, with a penalty and rewards", async () => {
  const service = await startDevnetService({ devnetElections: "short", story: true, index: true });
  onTestFinished(() => service.close());
  await storyEnded(service, { elections: true });
  const { contracts } = await service.run<Contracts>("devnet.info");
  const addressOf = (kind: string) => contracts.find((each) => each.kind === kind)!.address;
  const [address, single] = [addressOf("nominator_pool"), addressOf("single_nominator")];
  const poolNow = () => service.run<Pool>(`${path}.pool`, { pool: address });
  const ofValidator = async () =>
    (await service.run<{ events: ValidatorEvent[] }>(`${path}.validatorEvents`, { pool: address })).events;
  const ofNominators = async () =>
    (await service.run<{ events: NominatorEvent[] }>(`${path}.nominatorEvents`, { pool: address })).events;

  await reach(service, "open", "installed", "idle");
  const { set, validators } = await service.run<Devnet>("devnet.elections");
  expect(set.validators.map(({ has_key }) => has_key)).toEqual([true, true, true, true, true]);
  const keyOf = (holder: string) => validators.find((each) => each.address === holder)!.public_key;
  const place = set.validators.findIndex(({ public_key }) => public_key === keyOf(address));
  await untilIndexed(service, await service.mine());
  const before = await poolNow();
  expect(before).toMatchObject({ state: 2, validator_amount: String(100_000n * ton) });

  // The fine is taken from the stake of the pool, whose validator pays for it alone.
  await service.run("devnet.complain", { validator: place, fine: String(500n * ton) });
  await reach(service, "open", "installed", "idle", "open");
  await untilIndexed(service, await service.mine());
  const [penalty] = await ofValidator();
  expect(penalty).toMatchObject({ type: "penalty", cycle_start: set.election_id });
  expect(BigInt(penalty!.amount)).toBeGreaterThan(490n * ton);
  expect(BigInt(penalty!.amount)).toBeLessThan(500n * ton);
  const fined = await poolNow();
  expect(BigInt(fined.validator_amount)).toBe(100_000n * ton - BigInt(penalty!.amount));
  expect(fined.active_nominators).toEqual(before.active_nominators);
  expect((await ofNominators()).filter(({ type }) => type === "reward")).toEqual([]);
  // It is already staked again.
  expect(fined.state).toBe(2);
  const { elect_at } = await service.run<Devnet>("devnet.elections");

  await reach(service, "installed", "idle", "open", "installed", "idle", "open");
  await untilIndexed(service, await service.mine());
  const [reward] = await ofValidator();
  expect(reward).toMatchObject({ type: "reward", cycle_start: elect_at });
  const rewards = (await ofNominators()).filter(({ type }) => type === "reward");
  expect(rewards).toHaveLength(2);
  for (const { amount } of rewards) expect(BigInt(amount)).toBeGreaterThan(0n);

  const { events } = await service.run<{ events: StakeEvent[] }>("v3.validators.events", { limit: 500 });
  const typesOf = (holder: string) => {
    const own = events.filter((each) => each.stake_holder_address === holder.toUpperCase());
    return own.toReversed().map(({ type }) => type);
  };
  const round = ["recover_requested", "stake_recovered", "stake_accepted"];
  expect(typesOf(address)).toEqual(["stake_accepted", ...round, ...round]);
  // Half of its funds are staked in each election, so it takes part in all of them.
  const ofSingle = typesOf(single);
  expect(ofSingle.filter((type) => type === "stake_accepted")).toHaveLength(5);
  expect(ofSingle.filter((type) => type === "stake_recovered")).toHaveLength(3);
  expect(ofSingle.filter((type) => type === "stake_rejected" || type === "recover_failed")).toEqual([]);

  // The documents name these.
  const examples = await shownExamples(service);
  const staking = flatten(registry).filter(([name]) => /^v3\.(staking|validators)\./.test(name));
  for (const [name] of staking) {
    const { answer, isShown } = await examples.try(name, 0);
    expect([name, isShown, answer]).toEqual([name, true, answer]);
  }
});
