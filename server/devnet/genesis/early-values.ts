import {
  type ConfigNumber,
  type ConfigValue,
  configTypes,
} from "../../../shared/ton/tlb/config/config-param.js";
import type { ElectionPreset } from "../elections/presets.js";

/** Parameters by number. */
export type ConfigValues = { [N in ConfigNumber]?: ConfigValue<N> };

const gram = 1_000_000_000n;

/** Gas limits common to all editions. */
export const gasLimits = {
  kind: "ext",
  gasLimit: 1_000_000n,
  gasCredit: 10_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: gram,
} as const;

/** Forwarding price factors common to all editions. */
export const forwarding = { ihrPriceFactor: 98_304, firstFrac: 21_845, nextFrac: 21_845 };

const blockLimits: ConfigValue<22> = {
  kind: "v1",
  bytes: { underload: 131_072, softLimit: 524_288, hardLimit: 1_048_576 },
  gas: { underload: 2_000_000, softLimit: 10_000_000, hardLimit: 20_000_000 },
  ltDelta: { underload: 1000, softLimit: 5000, hardLimit: 10_000 },
};

/** Prices and limits of editions 1 and 2 that differ from later ones: those of mainnet before 2026. */
export function earlyValues(elections: ElectionPreset | undefined): ConfigValues {
  const complaints = { deposit: 100n * gram, bitPrice: 1n, cellPrice: elections ? 512n : 500n };
  return { ...values, ...(elections !== "short" && { 13: complaints }) };
}

const values: ConfigValues = {
  8: { version: 13, capabilities: 108n },
  18: configTypes[18].empty.set(0, {
    utimeSince: 0,
    bitPricePs: 1n,
    cellPricePs: 500n,
    mcBitPricePs: 1000n,
    mcCellPricePs: 500_000n,
  }),
  20: {
    ...gasLimits,
    flat: { flatGasLimit: 100n, flatGasPrice: 1_000_000n },
    gasPrice: 655_360_000n,
    specialGasLimit: 70_000_000n,
    blockGasLimit: 37_000_000n,
  },
  21: {
    ...gasLimits,
    flat: { flatGasLimit: 100n, flatGasPrice: 40_000n },
    gasPrice: 26_214_400n,
    specialGasLimit: 1_000_000n,
    blockGasLimit: 10_000_000n,
  },
  22: blockLimits,
  23: blockLimits,
  25: {
    ...forwarding,
    lumpPrice: 400_000n,
    bitPrice: 26_214_400n,
    cellPrice: 2_621_440_000n,
  },
  29: {
    kind: "v3",
    flags: 0,
    newCatchainIds: true,
    roundCandidates: 3,
    nextCandidateDelayMs: 2000,
    consensusTimeoutMs: 16_000,
    fastAttempts: 3,
    attemptDuration: 8,
    catchainMaxDeps: 4,
    maxBlockBytes: 4_194_304,
    maxCollatedBytes: 4_194_304,
    protoVersion: 2,
  },
  43: {
    kind: "v1",
    maxMsgBits: 2 ** 21,
    maxMsgCells: 2 ** 13,
    maxLibraryCells: 1000,
    maxVmDataDepth: 512,
    maxExtMsgSize: 65_535,
    maxExtMsgDepth: 512,
  },
};
