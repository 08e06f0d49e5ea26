import type { Cell } from "../../cells/cell.js";
import { intKey, uintKey } from "../../cells/dictionaries/dictionary.js";
import { type Codec, codec, type Decoded, decode, encode, TlbError } from "../codec.js";
import type { ConfigDictionary } from "../config-params.js";
import { ExtraCurrencyCollection } from "../currency-collection.js";
import { hashmap } from "../dictionaries.js";
import { GlobalVersion } from "../global-version.js";
import { bits256, int32, unit } from "../primitives.js";
import { BlockLimits } from "./block-limits.js";
import { CatchainConfig, ConsensusConfig } from "./consensus.js";
import { FundamentalContracts, PrecompiledContractsConfig, SuspendedAddressList } from "./contract-lists.js";
import { GasLimitsPrices } from "./gas-prices.js";
import {
  BlockCreateFees,
  BurningConfig,
  ComplaintPricing,
  MintPrices,
  MisbehaviourPunishmentConfig,
  MsgForwardPrices,
  StoragePrices,
} from "./prices.js";
import { NewConsensusConfig } from "./simplex.js";
import { SizeLimitsConfig } from "./size-limits.js";
import { ValidatorRegistryConfig } from "./validator-registry.js";
import { ValidatorSet } from "./validator-set.js";
import { ConfigVotingSetup, ElectionTimes, StakeLimits, ValidatorCounts } from "./voting.js";
import { Workchains } from "./workchain.js";

const paramNumbers = hashmap(intKey(32), unit);

/** Types of the known parameters. All others are used as cells. */
export const configTypes = {
  /** Accounts in the masterchain. 0: configuration contract, 1: elector, 2: minter, 3: fee collector, 4: DNS root. */
  0: bits256,
  1: bits256,
  2: bits256,
  3: bits256,
  4: bits256,
  5: BurningConfig,
  6: MintPrices,
  7: ExtraCurrencyCollection,
  8: GlobalVersion,
  /** 9: parameters that must exist. 10: parameters that require a critical vote. */
  9: paramNumbers,
  10: paramNumbers,
  11: ConfigVotingSetup,
  12: Workchains,
  13: ComplaintPricing,
  14: BlockCreateFees,
  15: ElectionTimes,
  16: ValidatorCounts,
  17: StakeLimits,
  18: hashmap(uintKey(32), StoragePrices),
  19: int32,
  20: GasLimitsPrices,
  21: GasLimitsPrices,
  22: BlockLimits,
  23: BlockLimits,
  24: MsgForwardPrices,
  25: MsgForwardPrices,
  28: CatchainConfig,
  29: ConsensusConfig,
  30: NewConsensusConfig,
  31: FundamentalContracts,
  32: ValidatorSet,
  33: ValidatorSet,
  34: ValidatorSet,
  35: ValidatorSet,
  36: ValidatorSet,
  37: ValidatorSet,
  40: MisbehaviourPunishmentConfig,
  43: SizeLimitsConfig,
  44: SuspendedAddressList,
  45: PrecompiledContractsConfig,
  46: ValidatorRegistryConfig,
} as const;

export type ConfigNumber = keyof typeof configTypes;
export type ConfigValue<N extends ConfigNumber> = Decoded<(typeof configTypes)[N]>;

/** Decodes ConfigParam `number`; `undefined` if it is absent. Throws `TlbError` if it does not match its type. */
export function configParam<N extends ConfigNumber>(
  config: ConfigDictionary,
  number: N,
): ConfigValue<N> | undefined {
  const cell = config.get(number);
  return cell && decode(configType(number), cell);
}

/** A parameter that every configuration has. */
export function knownParam<N extends ConfigNumber>(config: ConfigDictionary, number: N): ConfigValue<N> {
  const value = configParam(config, number);
  if (value === undefined) throw new TlbError(`the configuration has no parameter ${number}`);
  return value;
}

export function encodeConfigParam<N extends ConfigNumber>(number: N, value: ConfigValue<N>): Cell {
  return encode(configType(number), value);
}

/** Named after the parameter, so that errors name it. */
export function configType<N extends ConfigNumber>(number: N): Codec<ConfigValue<N>> {
  // The cast is safe: the entry for N is the codec of ConfigValue<N>, which the compiler cannot infer from the index.
  const type = configTypes[number] as unknown as Codec<ConfigValue<N>>;
  return codec(`ConfigParam ${number}`, type.load, type.store);
}
