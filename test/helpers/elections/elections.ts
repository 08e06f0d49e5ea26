import { SigningKey } from "../../../server/chain/ed25519.js";
import { initialConfig } from "../../../server/devnet/genesis/initial-config.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { configTypes, encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ValidatorDescr, type ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import type { ElectionTimes, StakeLimits, ValidatorCounts } from "../../../shared/ton/tlb/config/voting.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../chain/devnet.js";

const zero = new Uint8Array(32);

/** When the set of `firstSet` begins. */
export const firstSetTime = 1_800_000_000;

export const defaultTimes: ElectionTimes = {
  validatorsElectedFor: 65_536,
  electionsStartBefore: 32_768,
  electionsEndBefore: 8192,
  stakeHeldFor: 32_768,
};
const defaultLimits: StakeLimits = {
  minStake: 10_000n * ton,
  maxStake: 10_000_000n * ton,
  minTotalStake: 10_000n * ton,
  maxStakeFactor: 3 * 2 ** 16,
};

export type ElectionConfig = {
  times?: Partial<ElectionTimes>;
  counts?: Partial<ValidatorCounts>;
  limits?: Partial<StakeLimits>;
  /** ConfigParam 32, 34 and 36. */
  previous?: Cell | undefined;
  current?: Cell | undefined;
  next?: Cell | undefined;
  /** ConfigParam 1; default: the address of the devnet's elector. */
  elector?: Address;
};

/** A configuration in which neither gas nor messages nor storage cost anything, so that answers show whole amounts. */
export function electionConfig(config: ElectionConfig = {}): ConfigDictionary {
  const { times, counts, limits, previous, current, next, elector } = config;
  const basechain = { rootHash: zero, fileHash: zero };
  const base = initialConfig({
    globalId: -3,
    time: firstSetTime,
    validators: [{ publicKey: zero }],
    basechain,
    rewards: false,
  });
  const sets = { 32: previous, 34: current ?? firstSet([]), 36: next };
  const values: [number, Cell | undefined][] = [
    [13, encodeConfigParam(13, { deposit: ton, bitPrice: 1n, cellPrice: 512n })],
    [15, encodeConfigParam(15, { ...defaultTimes, ...times })],
    [16, encodeConfigParam(16, { maxValidators: 400, maxMainValidators: 100, minValidators: 1, ...counts })],
    [17, encodeConfigParam(17, { ...defaultLimits, ...limits })],
    [1, elector && encodeConfigParam(1, elector.hash)],
    ...Object.entries(sets).map(([number, set]) => [Number(number), set] as [number, Cell | undefined]),
  ];
  const present = values.filter((entry): entry is [number, Cell] => entry[1] !== undefined);
  return withoutFees(base).update(present);
}

function withoutFees(config: ConfigDictionary): ConfigDictionary {
  const gas = {
    kind: "ext",
    flat: undefined,
    gasPrice: 0n,
    gasLimit: 1_000_000n,
    specialGasLimit: 70_000_000n,
    gasCredit: 10_000n,
    blockGasLimit: 100_000_000n,
    freezeDueLimit: 100_000_000n,
    deleteDueLimit: ton,
  } as const;
  const forwarding = {
    lumpPrice: 0n,
    bitPrice: 0n,
    cellPrice: 0n,
    ihrPriceFactor: 0,
    firstFrac: 0,
    nextFrac: 0,
  };
  const storage = { utimeSince: 0, bitPricePs: 0n, cellPricePs: 0n, mcBitPricePs: 0n, mcCellPricePs: 0n };
  return config.update([
    [18, encodeConfigParam(18, configTypes[18].empty.set(0, storage))],
    [20, encodeConfigParam(20, gas)],
    [21, encodeConfigParam(21, gas)],
    [24, encodeConfigParam(24, forwarding)],
    [25, encodeConfigParam(25, forwarding)],
  ]);
}

type SetMember = { key: Uint8Array; weight: bigint; adnl?: Uint8Array };

/** The cell of ConfigParam 34 or its like. */
export function setOf(
  members: readonly SetMember[],
  { since, until, main = members.length }: { since: number; until: number; main?: number },
): Cell {
  const list = members.reduce(
    (dictionary, { key: pubkey, weight, adnl: adnlAddr }, index) =>
      dictionary.set(
        index,
        adnlAddr
          ? { kind: "addr", publicKey: { pubkey }, weight, adnlAddr }
          : { kind: "plain", publicKey: { pubkey }, weight },
      ),
    Dictionary.empty(uintKey(16), ValidatorDescr),
  );
  const totalWeight = members.reduce((sum, { weight }) => sum + weight, 0n);
  const set: ValidatorSet = {
    kind: "ext",
    utimeSince: since,
    utimeUntil: until,
    total: members.length,
    main,
    totalWeight,
    list,
  };
  return encodeConfigParam(34, set);
}

/** An unelected set in force from `firstSetTime` on. */
export function firstSet(members: readonly SetMember[]): Cell {
  const others = members.length > 0 ? members : [{ key: zero, weight: 1n }];
  return setOf(others, { since: firstSetTime, until: firstSetTime + defaultTimes.validatorsElectedFor });
}

/** The signing key of a number. */
export function testKey(number: number): SigningKey {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, number + 1);
  return new SigningKey(seed);
}

/** The masterchain account of a number. */
export function stakeHolder(number: number, workchain = masterchain): Address {
  const hash = new Uint8Array(32).fill(7);
  new DataView(hash.buffer).setUint32(0, number + 1);
  return new Address(workchain, hash);
}
