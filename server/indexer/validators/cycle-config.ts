import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ValidatorDescr, ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import type { ElectionTimes, StakeLimits, ValidatorCounts } from "../../../shared/ton/tlb/config/voting.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { Address } from "../../../shared/values/address.js";
import { valueAt } from "../../../shared/values/lookups.js";

/** The configuration of elections and validators. */
export type CycleConfig = {
  elector: Address;
  /** Absent if any parameter is. */
  rules: { times: ElectionTimes; counts: ValidatorCounts; limits: StakeLimits } | undefined;
  /** Parameters 34, 36 and 32: the current, next and previous set, if they exist. */
  sets: readonly ConfiguredSet[];
};

type ConfiguredSet = { hash: Uint8Array; set: ValidatorSet; members: readonly ValidatorDescr[] };

/** The required parameters. */
export const cycleParams = [1, 15, 16, 17, 32, 34, 36];

/** `undefined` on a network without an elector. Parameters in another layout count as absent. */
export function readCycleConfig(config: ConfigDictionary): CycleConfig | undefined {
  const elector = ifReadable(() => configParam(config, 1));
  if (!elector) return undefined;
  return {
    elector: new Address(masterchain, elector),
    rules: ifReadable(() => {
      const [times, counts, limits] = [
        configParam(config, 15),
        configParam(config, 16),
        configParam(config, 17),
      ];
      return times && counts && limits && { times, counts, limits };
    }),
    sets: ([34, 36, 32] as const).flatMap((number) => ifReadable(() => readSet(config, number)) ?? []),
  };
}

function readSet(config: ConfigDictionary, number: 32 | 34 | 36): ConfiguredSet | undefined {
  const set = configParam(config, number);
  return set && { hash: valueAt(config, number).hash(), set, members: [...set.list.values()] };
}
