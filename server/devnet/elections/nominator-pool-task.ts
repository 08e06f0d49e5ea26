import { beginCell } from "../../../shared/ton/cells/builder.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { type NominatorPool, readNominatorPool } from "../../contracts/nominator-pool.js";
import type { Payment } from "../../contracts/wallet-order.js";
import type { ChainSide } from "../collate/chain-side.js";
import { recoverBody } from "./bodies.js";
import { dataUnder, type Holdings } from "./holdings.js";
import type { Staker } from "./staker.js";

const ton = 1_000_000_000n;
/** Returned less fees. With a recovery it becomes part of the reward. */
const requestValue = ton;
/** The pool's reserve for storage fees. */
const storageReserve = 10n * ton;
const feeReserve = ton;
/** Seconds to wait after a change of sets, in addition to the elector's holding time. */
const recoveryDelay = 60;
/** After two changes the stake is returned once it was held; after three, immediately. The pool counts no further. */
const [changesOfStake, maxChanges] = [2, 3];
const grantsAtOnce = 40;
const idle = 0;
const staked = 2;

/** The pool of a staker; undefined before it is deployed, and while a developer has replaced its code or data. */
export function poolAt({ holder }: Staker, side: ChainSide): NominatorPool | undefined {
  const data = dataUnder("nominator-pool", holder, side);
  return data && ifReadable(() => readNominatorPool(data));
}

/**
 * The next task of a pool's validator other than staking: report set changes, recover the stake, process withdrawals.
 */
export function poolTask(
  pool: NominatorPool,
  { holder, credit }: Holdings,
  { masterchain, utime }: { masterchain: ChainSide; utime: number },
): Payment | undefined {
  const request = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(utime, 64);
  const { setChanges, stakeHeldFor } = pool;
  if (pool.state === idle) {
    if (pool.withdrawRequests.length === 0) return undefined;
    return { to: holder, value: requestValue, body: request(2).storeUint(grantsAtOnce, 8).endCell() };
  }
  const current = masterchain.master.config.config.value.get(34)?.hash();
  const isNewSet = current !== undefined && !bytesEqual(current, setChanges.savedHash);
  if (isNewSet && setChanges.count < maxChanges)
    return { to: holder, value: requestValue, body: request(6).endCell() };
  if (pool.state !== staked || credit === 0n || setChanges.count < changesOfStake) return undefined;
  const isHeld = utime <= setChanges.at + stakeHeldFor + recoveryDelay;
  if (isHeld && setChanges.count < maxChanges) return undefined;
  return { to: holder, value: requestValue, body: recoverBody(BigInt(utime)) };
}

/** Amount that a pool can stake: everything not promised to leaving nominators. 0 if it cannot stake now. */
export function stakeOfPool(pool: NominatorPool, { balance }: Holdings): bigint {
  const { state, validatorAmount, minValidatorStake, withdrawRequests, nominators } = pool;
  if (state !== idle || withdrawRequests.length > 0 || validatorAmount < minValidatorStake) return 0n;
  const shares = nominators.reduce((sum, nominator) => sum + nominator.balance, validatorAmount);
  const free = balance - storageReserve - feeReserve;
  return free < shares ? free : shares;
}
