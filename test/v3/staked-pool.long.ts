import { expect, onTestFinished, test } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { recoverBody, stakeOrderBody } from "../../server/devnet/elections/bodies.js";
import { electorAddress } from "../../server/devnet/genesis/initial-config.js";
import {
  depositComment,
  NominatorPool,
  validatorDepositBody,
  withdrawalComment,
} from "../../server/devnet/story/contracts/nominator-pool.js";
import { commentBody } from "../../server/devnet/wallets/compose.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { StateInit } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { ton } from "../helpers/chain/devnet.js";
import { reach } from "../helpers/elections/election-phases.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Devnet = { elect_at: number; set: { election_id: number; validators: { public_key: string }[] } };
type NominatorEvent = Record<
  "type" | "nominator_address" | "amount" | "balance_before" | "balance_after" | "pending_balance_after",
  string
>;
type ValidatorEvent = { type: string; amount: string; cycle_start?: number; balance_after: string };

const account = (number: number, workchain = 0) => new Address(workchain, new Uint8Array(32).fill(number));
const [ann, ben, validator, anybody] = [account(1), account(2), account(3, -1), account(4, -1)];
const blackhole = account(0, -1);
const seed = new Uint8Array(32).fill(7);
const key = new SigningKey(seed);
const pool = new NominatorPool({
  ...{ validator, rewardShare: 4000, maxNominators: 40 },
  ...{ minValidatorStake: 10_000n * ton, minNominatorStake: 10_000n * ton },
});

/** Lets accounts send messages, one in a block. */
function sender(service: DevnetService) {
  const text = (cell: Cell) => Buffer.from(serializeBoc(cell)).toString("base64");
  return (from: Address, value: bigint, body: Cell, { to = pool.address, init = false } = {}) =>
    service.run("devnet.impersonate", {
      ...{ from: from.toRaw(), to: to.toRaw(), value: String(value), body: text(body) },
      ...(init && { state_init: text(encode(StateInit, pool.init)) }),
    });
}

const plain = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(1, 64);

test("A pool that stakes in an election has its deposits, reward, activation and withdrawal listed", async () => {
  const service = await startDevnetService({ devnetElections: "short", index: true });
  onTestFinished(() => service.close());
  const send = sender(service);
  await send(validator, 50_001n * ton, validatorDepositBody(1), { init: true });
  await send(ann, 30_001n * ton, commentBody(depositComment));
  await send(ben, 20_001n * ton, commentBody(depositComment));

  await service.run("devnet.setElections", { stake: String(60_000n * ton) });
  await service.run("devnet.addValidatorKey", { seed: bytesToHex(seed) });
  await reach(service, "open");
  const { elect_at } = await service.run<Devnet>("devnet.elections");
  await send(
    validator,
    2n * ton,
    stakeOrderBody(90_000n * ton, { key, source: pool.address, stakeAt: elect_at }),
  );
  await reach(service, "installed", "idle");
  const { set } = await service.run<Devnet>("devnet.elections");
  expect(set.election_id).toBe(elect_at);
  expect(set.validators.map(({ public_key }) => public_key)).toContain(
    bytesToHex(key.publicKey).toUpperCase(),
  );

  // The elector distributes the chain's payments meanwhile.
  await send(blackhole, 1000n * ton, beginCell().endCell(), { to: electorAddress });
  await send(ann, 10_001n * ton, commentBody(depositComment));
  await send(ben, ton, commentBody(withdrawalComment));
  await send(anybody, ton, plain(6).endCell());
  await reach(service, "open", "installed", "idle");
  await send(anybody, ton, plain(6).endCell());
  await reach(service, "open");
  await send(anybody, 2n * ton, recoverBody(1n));
  await send(anybody, 2n * ton, plain(2).storeUint(5, 8).endCell());
  await untilIndexed(service, await service.mine());

  const raw = pool.address.toRaw();
  const path = "v3.staking.nominatorPools";
  const { events } = await service.run<{ events: NominatorEvent[] }>(`${path}.nominatorEvents`, {
    pool: raw,
  });
  const told = events.toReversed().map((event) => {
    const name = event.nominator_address === ann.toRawUpper() ? "ann" : "ben";
    return `${name} ${event.type}`;
  });
  expect(told).toEqual([
    "ann deposit",
    "ben deposit",
    "ann deposit",
    "ben withdrawal_request",
    "ann reward",
    "ann pending_deposit_activation",
    "ben reward",
    "ben withdrawal",
  ]);
  const find = (type: string, who: Address) =>
    events.find((event) => event.type === type && event.nominator_address === who.toRawUpper())!;
  const [ofAnn, ofBen] = [BigInt(find("reward", ann).amount), BigInt(find("reward", ben).amount)];
  const rewards = await service.run<{ events: ValidatorEvent[] }>(`${path}.validatorEvents`, { pool: raw });
  expect(rewards.events.map(({ type, cycle_start }) => [type, cycle_start])).toEqual([["reward", elect_at]]);
  const ofValidator = BigInt(rewards.events[0]!.amount);

  // 40 % is the validator's, and the nominators have 30,000 and 20,000; each part is rounded down.
  const forNominators = ofAnn + ofBen + 1n;
  const whole = ofValidator + forNominators;
  expect(ofValidator).toBeGreaterThanOrEqual((whole * 2n) / 5n - 1n);
  expect(ofValidator).toBeLessThanOrEqual((whole * 2n) / 5n + 1n);
  for (const [part, amount] of [
    [ofAnn, 30_000n],
    [ofBen, 20_000n],
  ] as const) {
    expect(part).toBeGreaterThanOrEqual((forNominators * amount) / 50_000n - 1n);
    expect(part).toBeLessThanOrEqual((forNominators * amount) / 50_000n + 1n);
  }
  // A third of all stakes has a third of the bonuses; the rest of the request's money comes back with them.
  const share = (1000n * ton * 89_999n) / (89_999n + 3n * 59_999n);
  expect(whole).toBeGreaterThan(share);
  expect(whole).toBeLessThan(share + 50n * ton);

  expect(find("reward", ann)).toMatchObject({ balance_before: String(30_000n * ton) });
  expect(find("pending_deposit_activation", ann)).toMatchObject({
    amount: String(10_000n * ton),
    balance_after: String(40_000n * ton + ofAnn),
    pending_balance_after: "0",
  });
  expect(find("withdrawal", ben)).toMatchObject({
    amount: String(20_000n * ton + ofBen),
    balance_after: "0",
  });
  expect(await service.run(`${path}.pool`, { pool: raw })).toMatchObject({
    state: 0,
    validator_amount: String(50_000n * ton + ofValidator),
    active_nominators: [{ address: ann.toRawUpper(), balance: String(40_000n * ton + ofAnn) }],
  });
});
