import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { rowOf } from "../../../shared/ton/run/versions.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import {
  type ConfigNumber,
  type ConfigValue,
  configTypes,
  encodeConfigParam,
  knownParam,
} from "../../../shared/ton/tlb/config/config-param.js";
import { FundamentalContracts } from "../../../shared/ton/tlb/config/contract-lists.js";
import { ValidatorDescr, type ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import { ConfigProposalSetup } from "../../../shared/ton/tlb/config/voting.js";
import { Workchains } from "../../../shared/ton/tlb/config/workchain.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ExtraCurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { Address } from "../../../shared/values/address.js";
import { tgWalletParam } from "../../../shared/values/tg-wallet.js";
import { shippedVersion } from "../../chain/executor/patches/known-builds.js";
import { contractCode } from "../contracts/codes.js";
import { type ElectionPreset, electionPresets } from "../elections/presets.js";

/** The configuration contract: its data contain the configuration. */
export const configAddress = new Address(masterchain, new Uint8Array(32).fill(0x55));
/** The elector, which receives the fees. */
export const electorAddress = new Address(masterchain, new Uint8Array(32).fill(0x33));

/**
 * The capabilities that the collator implements. 2: statistics of block creation, 4: bodies of bounced messages, 8: version
 * in block headers, 32: short dequeue records, 64: queue size in the state. Mainnet also has 128: message metadata,
 * 256: deferred messages, and 512: full collated data.
 */
const capabilities = 2n | 4n | 8n | 32n | 64n;

/** End of the only validator set of a devnet without elections. */
const endOfTime = 0x7fffffff;
const gram = 1_000_000_000n;

/** Parameters by number. */
type ConfigValues = { [N in ConfigNumber]?: ConfigValue<N> };

/** A validator of the zero state. tonutils-go cannot read a list of validators without ADNL addresses. */
type FirstValidator = { publicKey: Uint8Array; adnlAddress?: Uint8Array | undefined };

/** Values that differ between devnets. */
type ConfigOptions = {
  globalId: number;
  /** Unix time of the zero state. The validator set and the workchain are valid from then on. */
  time: number;
  validators: readonly FirstValidator[];
  /** Without it the validators never change. */
  elections?: ElectionPreset | undefined;
  basechain: { rootHash: Uint8Array; fileHash: Uint8Array };
  /** Global version of the network. Default: that of the executor of this release. */
  version?: number;
  /** Whether blocks create 1.7 TON (masterchain) and 1 TON (basechain) for the validators, like mainnet. */
  rewards: boolean;
};

/**
 * The configuration of the zero state. It has mainnet's prices and limits of 2026 and the code of Telegram's wallet, and
 * allows no shard to split.
 */
export function initialConfig(options: ConfigOptions): ConfigDictionary {
  const values: ConfigValues = {
    ...contracts,
    ...prices,
    ...blockLimits,
    ...ofVersion(options.version ?? shippedVersion),
    ...consensus,
    ...voting,
    ...(options.elections && electionPresets[options.elections]),
    ...ownOf(options),
  };
  const numbers = Object.keys(values).map(Number) as ConfigNumber[];
  return ConfigDictionary.empty
    .update(numbers.map((number) => [number, cellOf(values, number)]))
    .set(tgWalletParam, contractCode("tg-wallet"));
}

/**
 * The configuration with the current validators also as the previous ones (ConfigParam 32), as after a change of
 * validators.
 */
export function withPreviousValidators(config: ConfigDictionary): ConfigDictionary {
  return config.set(32, encodeConfigParam(32, knownParam(config, 34)));
}

function cellOf<N extends ConfigNumber>(values: ConfigValues, number: N): Cell {
  return encodeConfigParam<N>(number, values[number] as ConfigValue<N>);
}

function ownOf(options: ConfigOptions): ConfigValues {
  const { globalId, time, basechain, rewards } = options;
  return {
    12: Workchains.empty.set(0, {
      kind: "v1",
      enabledSince: time,
      monitorMinSplit: 0,
      minSplit: 0,
      maxSplit: 0,
      basic: true,
      active: true,
      acceptMsgs: true,
      flags: 0,
      zerostateRootHash: basechain.rootHash,
      zerostateFileHash: basechain.fileHash,
      version: 0,
      format: { kind: "basic", vmVersion: -1, vmMode: 0n },
    }),
    14: {
      masterchainBlockFee: rewards ? (17n * gram) / 10n : 0n,
      basechainBlockFee: rewards ? gram : 0n,
    },
    19: globalId,
    34: validatorSet(options),
  };
}

/** ConfigParam 34 of a zero state. Without elections its validators stay for ever. */
export function validatorSet({
  time,
  validators,
  elections,
}: Pick<ConfigOptions, "time" | "validators" | "elections">): ValidatorSet {
  const list = validators.map((validator, index): [number, ValidatorDescr] => [index, described(validator)]);
  return {
    kind: "ext",
    utimeSince: time,
    utimeUntil: elections ? time + electionPresets[elections][15].validatorsElectedFor : endOfTime,
    total: list.length,
    main: list.length,
    totalWeight: BigInt(list.length),
    list: Dictionary.empty(uintKey(16), ValidatorDescr).update(list),
  };
}

function described({ publicKey: pubkey, adnlAddress: adnlAddr }: FirstValidator): ValidatorDescr {
  const common = { publicKey: { pubkey }, weight: 1n };
  return adnlAddr ? { ...common, kind: "addr", adnlAddr } : { ...common, kind: "plain" };
}

function paramNumbers(...params: number[]): ConfigValue<9> {
  return configTypes[9].empty.update(params.map((param) => [param, true]));
}

const contracts: ConfigValues = {
  0: configAddress.hash,
  1: electorAddress.hash,
  2: configAddress.hash,
  4: new Uint8Array(32),
  31: FundamentalContracts.empty.set(electorAddress.hash, true).set(configAddress.hash, true),
};

const gasLimits = {
  kind: "ext",
  gasLimit: 1_000_000n,
  gasCredit: 10_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: gram,
} as const;

const forwarding = { ihrPriceFactor: 98_304, firstFrac: 21_845, nextFrac: 21_845 };

const prices: ConfigValues = {
  5: { blackholeAddr: undefined, feeBurnNum: 0, feeBurnDenom: 1 },
  7: ExtraCurrencyCollection.empty,
  13: electionPresets.long[13],
  18: configTypes[18].empty.set(0, {
    utimeSince: 0,
    bitPricePs: 0n,
    cellPricePs: 135n,
    mcBitPricePs: 1000n,
    mcCellPricePs: 500_000n,
  }),
  20: {
    ...gasLimits,
    flat: { flatGasLimit: 100n, flatGasPrice: 1_000_000n },
    gasPrice: 655_360_000n,
    specialGasLimit: 70_000_000n,
    blockGasLimit: 2_500_000n,
  },
  21: {
    ...gasLimits,
    flat: { flatGasLimit: 100n, flatGasPrice: 6667n },
    gasPrice: 4_369_067n,
    specialGasLimit: 1_000_000n,
    blockGasLimit: 10_000_000n,
  },
  24: { ...forwarding, lumpPrice: 10_000_000n, bitPrice: 655_360_000n, cellPrice: 65_536_000_000n },
  25: { ...forwarding, lumpPrice: 66_667n, bitPrice: 4_369_067n, cellPrice: 436_906_667n },
};

const ltDelta = { underload: 1000, softLimit: 5000, hardLimit: 10_000 };

/** Informational, for clients: steps of the devnet have separate limits. */
const blockLimits: ConfigValues = {
  22: {
    kind: "v1",
    bytes: { underload: 131_072, softLimit: 524_288, hardLimit: 1_048_576 },
    gas: { underload: 200_000, softLimit: 1_000_000, hardLimit: 2_500_000 },
    ltDelta,
  },
  23: {
    kind: "v1",
    bytes: { underload: 262_144, softLimit: 1_048_576, hardLimit: 2_097_152 },
    gas: { underload: 2_000_000, softLimit: 10_000_000, hardLimit: 20_000_000 },
    ltDelta,
  },
};

const sizeLimits = {
  maxMsgBits: 2 ** 21,
  maxMsgCells: 2 ** 13,
  maxLibraryCells: 200,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  maxAccStateCells: 65_536,
  maxMcAccStateCells: 2048,
  maxAccPublicLibraries: 256,
  deferOutQueueSizeLimit: 256,
  maxMsgExtraCurrencies: 0,
  maxAccFixedPrefixLength: 8,
  accStateCellsForStorageDict: 26,
};

/** Parameters that depend on the global version: older executors do not know the newer form of the limits. */
function ofVersion(version: number): ConfigValues {
  const hasLibraryLoads = rowOf(version).sizeLimits !== "earlyV2";
  return {
    8: { version, capabilities },
    43: hasLibraryLoads
      ? { kind: "v2", ...sizeLimits, maxTransactionLibraryLoads: 3 }
      : { kind: "earlyV2", ...sizeLimits },
  };
}

/** Sessions of the validators. */
const consensus: ConfigValues = {
  28: {
    kind: "v2",
    flags: 0,
    shuffleMcValidators: false,
    mcCatchainLifetime: 250,
    shardCatchainLifetime: 250,
    shardValidatorsLifetime: 1000,
    shardValidatorsNum: 1,
  },
  29: {
    kind: "v4",
    flags: 0,
    useQuic: false,
    newCatchainIds: true,
    roundCandidates: 3,
    nextCandidateDelayMs: 2000,
    consensusTimeoutMs: 16_000,
    fastAttempts: 3,
    attemptDuration: 8,
    catchainMaxDeps: 4,
    maxBlockBytes: 2_097_152,
    maxCollatedBytes: 10_485_760,
    protoVersion: 5,
    catchainMaxBlocksCoeff: 10_000,
  },
};

const voting: ConfigValues = {
  9: paramNumbers(0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34),
  10: paramNumbers(-999, -1000, -1001, 0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36),
  11: {
    normalParams: CellOf.of(ConfigProposalSetup, {
      minTotRounds: 2,
      maxTotRounds: 6,
      minWins: 2,
      maxLosses: 5,
      minStoreSec: 1_000_000,
      maxStoreSec: 10_000_000,
      bitPrice: 1,
      cellPrice: 500,
    }),
    criticalParams: CellOf.of(ConfigProposalSetup, {
      minTotRounds: 4,
      maxTotRounds: 7,
      minWins: 3,
      maxLosses: 5,
      minStoreSec: 5_000_000,
      maxStoreSec: 20_000_000,
      bitPrice: 2,
      cellPrice: 1000,
    }),
  },
  // Unused without elections, but tools expect them.
  15: electionPresets.long[15],
  16: electionPresets.long[16],
  17: electionPresets.long[17],
};
