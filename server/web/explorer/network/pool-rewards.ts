import type { NominatorEvent, PoolValidatorRewards } from "../../../../client/api.js";

/** A round of a pool: what its stake brought to the nominators and to the validator. */
export type Round = {
  readonly hash: string;
  readonly time: number;
  readonly nominators: bigint;
  readonly validator: bigint;
  /** Balances of the rewarded nominators before. */
  readonly staked: bigint;
};

/** Rounds with a reward or a penalty, oldest first. */
export function roundsOf(
  events: readonly NominatorEvent[],
  rewards: PoolValidatorRewards["rewards"],
): Round[] {
  const rounds = new Map<string, Round>();
  const add = (hash: string, time: number, more: Partial<Round>) => {
    const known = rounds.get(hash) ?? { hash, time, nominators: 0n, validator: 0n, staked: 0n };
    rounds.set(hash, {
      ...known,
      nominators: known.nominators + (more.nominators ?? 0n),
      validator: known.validator + (more.validator ?? 0n),
      staked: known.staked + (more.staked ?? 0n),
    });
  };
  for (const { type, tx_hash, utime, amount, balance_before } of events)
    if (type === "reward")
      add(tx_hash, utime, { nominators: BigInt(amount), staked: BigInt(balance_before) });
  for (const { tx_hash, utime, reward } of rewards) add(tx_hash, utime, { validator: BigInt(reward) });
  return [...rounds.values()].sort((a, b) => a.time - b.time);
}
