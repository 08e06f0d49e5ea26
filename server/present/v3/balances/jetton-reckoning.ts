import { jettonChange } from "../../../contracts/jetton-balance.js";
import type { BalancePoint } from "../../../store/queries/accounts/balance-history.js";
import type { HeldJetton, JettonStep } from "../../../store/queries/tokens/jetton-steps.js";

/** Balances after transactions, the newest first. Balances before `knownSince` are not known. */
export type Reckoned = { points: BalancePoint[]; knownSince: bigint | undefined };

type Wallet = Pick<HeldJetton, "balance" | "is_mintless">;

/**
 * Reckons a wallet's balances back from its last one, by its transactions, the newest first. Where the messages cannot have made the balance, the wallet does not follow the standard, and only its last balance is known.
 */
export function reckonBalances(
  steps: readonly JettonStep[],
  { balance: last, is_mintless: isMintless }: Wallet,
): Reckoned {
  const points: BalancePoint[] = [];
  let balance = last;
  for (const step of steps) {
    points.push(pointOf(step, balance));
    const change = step.may_change ? jettonChange(step, { isMintless }) : 0n;
    if (change === undefined) return { points, knownSince: step.lt };
    balance -= change;
    if (balance < 0n || (step.is_first && balance !== 0n))
      return { points: points.slice(0, 1), knownSince: points[0]?.lt };
    if (step.is_first) break;
  }
  const hasBegun = steps.at(-1)?.is_first && points.length === steps.length;
  return { points, knownSince: hasBegun ? undefined : points.at(-1)?.lt };
}

/** The sum of the changes; `undefined` if one of them is not known. */
export function sumOfChanges(steps: readonly JettonStep[], isMintless: boolean): bigint | undefined {
  let sum = 0n;
  for (const step of steps) {
    const change = step.may_change ? jettonChange(step, { isMintless }) : 0n;
    if (change === undefined) return undefined;
    sum += change;
  }
  return sum;
}

function pointOf(step: JettonStep, balance: bigint): BalancePoint {
  const { lt, now, block_workchain, block_shard, block_seqno, mc_block_seqno } = step;
  return { lt, now, block_workchain, block_shard, block_seqno, mc_block_seqno, balance };
}
