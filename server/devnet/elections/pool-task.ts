import { bytesEqual } from "../../../shared/values/bytes.js";
import { beginCell } from "../../cells/builder.js";
import { type NominatorPool, readNominatorPool } from "../../contracts/nominator-pool.js";
import type { Payment } from "../../contracts/wallet-order.js";
import { ifReadable } from "../../tlb/readable.js";
import type { ChainSide } from "../collate/chain-side.js";
import { recoverBody } from "./bodies.js";
import { dataUnder, type Holdings } from "./holdings.js";
import type { Staker } from "./staker.js";

const ton = 1_000_000_000n;
/** Comes back, less fees. With a recovery it becomes part of the reward. */
const requestValue = ton;
/** The pool keeps this much for its storage. */
const storageReserve = 10n * ton;
const feeReserve = ton;
/** After a change of sets the elector's time of holding has to pass, and so many seconds. */
const recoveryDelay = 60;
/** After two changes the stake comes back once it was held; after three at once. The pool counts no more. */
const [changesOfStake, maxChanges] = [2, 3];
const grantsAtOnce = 40;
const idle = 0;
const staked = 2;

/** The pool of a staker; undefined before it exists, and while a developer has given it another code or other data. */
export function poolAt({ holder }: Staker, side: ChainSide): NominatorPool | undefined {
  const data = dataUnder("nominator-pool", holder, side);
  return data && ifReadable(() => readNominatorPool(data));
}

/** What the validator of a pool does next, besides staking: it tells the pool of sets, recovers the stake, lets nominators go. */
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

/** What a pool can send to the elector: all that is not promised to somebody who leaves. 0 if it cannot stake now. */
export function stakeOfPool(pool: NominatorPool, { balance }: Holdings): bigint {
  const { state, validatorAmount, minValidatorStake, withdrawRequests, nominators } = pool;
  if (state !== idle || withdrawRequests.length > 0 || validatorAmount < minValidatorStake) return 0n;
  const shares = nominators.reduce((sum, nominator) => sum + nominator.balance, validatorAmount);
  const free = balance - storageReserve - feeReserve;
  return free < shares ? free : shares;
}
