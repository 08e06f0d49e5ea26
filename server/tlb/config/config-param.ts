import type { Cell } from "../../cells/cell.js";
import { intKey, uintKey } from "../../cells/dictionary.js";
import { type Codec, codec, type Decoded, decode, encode } from "../codec.js";
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
import { SizeLimitsConfig } from "./size-limits.js";
import { ValidatorSet } from "./validator-set.js";
import { ConfigVotingSetup, ElectionTimes, StakeLimits, ValidatorCounts } from "./voting.js";
import { Workchains } from "./workchain.js";

const paramNumbers = hashmap(intKey(32), unit);

/** The parameters with a type; others are used as the cells they are. */
export const configTypes = {
  /** The account of the configuration contract, as are 1 to 4 the elector, minter, fee collector and DNS root. */
  0: bits256,
  1: bits256,
  2: bits256,
  3: bits256,
  4: bits256,
  5: BurningConfig,
  6: MintPrices,
  7: ExtraCurrencyCollection,
  8: GlobalVersion,
  /** Numbers of the parameters that must be there, and of those that need a critical vote. */
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
} as const;

export type ConfigNumber = keyof typeof configTypes;
export type ConfigValue<N extends ConfigNumber> = Decoded<(typeof configTypes)[N]>;

/** ConfigParam `number` decoded, `undefined` when the configuration has none. */
export function configParam<N extends ConfigNumber>(
  config: ConfigDictionary,
  number: N,
): ConfigValue<N> | undefined {
  const cell = config.get(number);
  return cell && decode(typeOf(number), cell);
}

export function encodeConfigParam<N extends ConfigNumber>(number: N, value: ConfigValue<N>): Cell {
  return encode(typeOf(number), value);
}

/** Named after the parameter, so that errors say which one is wrong. */
function typeOf<N extends ConfigNumber>(number: N): Codec<ConfigValue<N>> {
  // The table's type for N is the codec of ConfigValue<N>, which the compiler cannot follow through the index.
  const type = configTypes[number] as unknown as Codec<ConfigValue<N>>;
  return codec(`ConfigParam ${number}`, type.load, type.store);
}
