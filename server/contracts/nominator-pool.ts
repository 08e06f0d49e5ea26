import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import { anySlice, bytesKey, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { masterchain } from "../../shared/ton/tlb/block-id.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import { Address } from "../../shared/values/address.js";

/** Code of the published nominator pool, upper-case hex. */
export const nominatorPoolCodeHash = "9A3EC14BC098F6B44064C305222CAEA2800F17DDA85EE6A8198A7095EDE10DCF";

/** The storage of a nominator pool. */
export type NominatorPool = {
  /** 0: idle, 1: stake sent, 2: staked. */
  state: number;
  nominatorsCount: number;
  stakeAmountSent: bigint;
  validatorAmount: bigint;
  validator: Address;
  /** In units of 1/10000. */
  validatorRewardShare: number;
  maxNominatorsCount: number;
  minValidatorStake: bigint;
  minNominatorStake: bigint;
  /** In ascending order of addresses, without those who only have a request. */
  nominators: readonly Nominator[];
  /** Nominators who requested a withdrawal, in ascending order of addresses. */
  withdrawRequests: readonly Address[];
  /** The election of the stake; 0 if nothing is staked. */
  stakeAt: number;
  /** The last validator set reported to the pool since it staked, and the number of changes. */
  setChanges: { count: number; savedHash: Uint8Array; at: number };
  /** Seconds for which the elector keeps the stake of a set that has ended. */
  stakeHeldFor: number;
};

type Nominator = { address: Address; balance: bigint; pendingBalance: bigint };

/**
 * Pools have tens of nominators. A larger tree may have shared branches, and anyone can deploy the code with any data.
 */
const maxEntries = 4096;
const basechain = 0;

/** Reads a pool. Throws a CellError if the storage has another layout; nominators that have are left out. */
export function readNominatorPool(data: Cell): NominatorPool {
  const slice = data.parse();
  const state = slice.loadUint(8);
  const nominatorsCount = slice.loadUint(16);
  const stakeAmountSent = slice.loadCoins();
  const validatorAmount = slice.loadCoins();
  const terms = slice.loadRef().parse();
  const nominators = Dictionary.load(slice, bytesKey(32), anySlice);
  const requests = Dictionary.load(slice, bytesKey(32), anySlice);
  const stakeAt = slice.loadUint(32);
  const savedHash = slice.loadBytes(32);
  const setChanges = { savedHash, count: slice.loadUint(8), at: slice.loadUint(32) };
  const stakeHeldFor = slice.loadUint(32);
  slice.loadMaybeRef();
  return {
    ...{ state, nominatorsCount, stakeAmountSent, validatorAmount, stakeAt, setChanges, stakeHeldFor },
    validator: new Address(masterchain, terms.loadBytes(32)),
    validatorRewardShare: terms.loadUint(16),
    maxNominatorsCount: terms.loadUint(16),
    minValidatorStake: terms.loadCoins(),
    minNominatorStake: terms.loadCoins(),
    nominators: entriesOf(nominators).flatMap(([hash, entry]) => readNominator(hash, entry) ?? []),
    withdrawRequests: entriesOf(requests).map(([hash]) => new Address(basechain, hash)),
  };
}

function entriesOf(dictionary: Dictionary<Uint8Array, Slice>): [Uint8Array, Slice][] {
  const entries: [Uint8Array, Slice][] = [];
  for (const entry of dictionary.entries())
    if (entries.push(entry) > maxEntries)
      throw new CellError("dictionary", `more than ${maxEntries} entries`);
  return entries;
}

function readNominator(hash: Uint8Array, entry: Slice): Nominator | undefined {
  return ifReadable(() => {
    const [balance, pendingBalance] = [entry.loadCoins(), entry.loadCoins()];
    return { address: new Address(basechain, hash), balance, pendingBalance };
  });
}
