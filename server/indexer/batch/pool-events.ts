import type { Address } from "../../../shared/values/address.js";
import { compareBytes } from "../../../shared/values/bytes.js";
import type { NominatorPool } from "../../contracts/nominator-pool.js";
import type { nominatorEventTypes, poolValidatorEventTypes } from "../../store/codes.js";

/** A change of a nominator's share. */
type NominatorEvent = {
  type: (typeof nominatorEventTypes)[number];
  nominator: Address;
  amount: bigint;
  balanceDelta: bigint;
  pendingDelta: bigint;
  before: Share;
  after: Share;
};

type Share = { balance: bigint; pending: bigint; hasRequest: boolean };

type PoolValidatorEvent = {
  type: (typeof poolValidatorEventTypes)[number];
  amount: bigint;
  balanceDelta: bigint;
  before: bigint;
  after: bigint;
};

/** Request to a pool: the elector's answer with a stake, or another message with this opcode, if any. */
type PoolRequest = { isReward: boolean; opcode: number | undefined };

/** The nominators' events of a transaction, from the pool's states before and after it. */
export function nominatorEvents(
  before: NominatorPool,
  after: NominatorPool,
  { isReward }: Pick<PoolRequest, "isReward">,
): NominatorEvent[] {
  const [was, is] = [sharesOf(before), sharesOf(after)];
  const nominators = new Map([...was, ...is].map(([key, { address }]) => [key, address]));
  return [...nominators]
    .sort(([, a], [, b]) => compareBytes(a.hash, b.hash))
    .flatMap(([key, address]) => {
      const [first, last] = [was.get(key) ?? nothing, is.get(key) ?? nothing];
      const steps = isReward ? rewardSteps(first, last) : otherSteps(first, last);
      return steps.map((step) => ({ ...step, nominator: address }));
    });
}

type Step = Omit<NominatorEvent, "nominator">;

const nothing: Share = { balance: 0n, pending: 0n, hasRequest: false };

function sharesOf(pool: NominatorPool): Map<string, Share & { address: Address }> {
  const shares = new Map<string, Share & { address: Address }>();
  for (const { address, balance, pendingBalance: pending } of pool.nominators)
    shares.set(address.toRaw(), { address, balance, pending, hasRequest: false });
  for (const address of pool.withdrawRequests) {
    const share = shares.get(address.toRaw()) ?? { ...nothing, address };
    shares.set(address.toRaw(), { ...share, hasRequest: true });
  }
  return shares;
}

/** A stake was returned: its reward is added first, then pending deposits become active. */
function rewardSteps(before: Share, after: Share): Step[] {
  const steps: Step[] = [];
  const pendingDelta = after.pending - before.pending;
  const total = after.balance - before.balance + pendingDelta;
  const rewarded = { ...before, balance: before.balance + total };
  if (total !== 0n)
    steps.push({
      ...{ type: "reward", amount: total, balanceDelta: total, pendingDelta: 0n },
      ...{ before, after: rewarded },
    });
  if (pendingDelta < 0n) {
    const amount = -pendingDelta;
    steps.push({
      ...{ type: "pending_deposit_activation", amount, balanceDelta: amount, pendingDelta },
      ...{ before: rewarded, after },
    });
  }
  return steps;
}

function otherSteps(before: Share, after: Share): Step[] {
  const steps: Step[] = [];
  const balanceDelta = after.balance - before.balance;
  const pendingDelta = after.pending - before.pending;
  const total = balanceDelta + pendingDelta;
  const change = { balanceDelta, pendingDelta, before, after };
  if (total > 0n) steps.push({ type: "deposit", amount: total, ...change });
  if (total < 0n) steps.push({ type: "withdrawal", amount: -total, ...change });
  if (after.hasRequest && !before.hasRequest)
    steps.push({ ...change, type: "withdrawal_request", amount: 0n, balanceDelta: 0n, pendingDelta: 0n });
  return steps;
}

const depositOfValidator = 4;
const withdrawalOfValidator = 5;

/** The change of the validator's share, if it is a known event. */
export function poolValidatorEvent(
  { validatorAmount: before }: NominatorPool,
  { validatorAmount: after }: NominatorPool,
  { isReward, opcode }: PoolRequest,
): PoolValidatorEvent | undefined {
  const balanceDelta = after - before;
  if (balanceDelta === 0n) return undefined;
  const amount = balanceDelta < 0n ? -balanceDelta : balanceDelta;
  const event = (type: PoolValidatorEvent["type"]) => ({ type, amount, balanceDelta, before, after });
  if (isReward) return event(balanceDelta > 0n ? "reward" : "penalty");
  if (opcode === depositOfValidator) return event("deposit");
  if (opcode === withdrawalOfValidator) return event("withdrawal");
  return undefined;
}
