import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { type VersionRow, versions } from "../../../../shared/ton/run/versions.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../shared/ton/tlb/codec.js";
import { configTypes, encodeConfigParam } from "../../../../shared/ton/tlb/config/config-param.js";
import type { SizeLimitsConfig } from "../../../../shared/ton/tlb/config/size-limits.js";
import { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import { onlyCoins } from "../../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import { ShardAccount } from "../../../../shared/ton/tlb/shard-account.js";
import { Address } from "../../../../shared/values/address.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { accountCall, CellTexts, methodCall, methodResult } from "../calls.js";
import type { ConfigInstance, EmulatorInstance } from "./emulator-instance.js";

const zero = new Uint8Array(32);
const one = new Uint8Array(32).fill(1);
const address = new Address(0, one);
const now = 1_700_000_000;
const noAccount = encode(ShardAccount, {
  account: CellOf.of(Account, undefined),
  lastTransHash: zero,
  lastTransLt: 0n,
});

/**
 * The newest global version of the table whose rules a build of the emulator shows that it knows. Throws an Error if it cannot
 * even run the simplest contract.
 */
export function versionOf(instance: EmulatorInstance): number {
  if (!runs(instance, versions[0], "77")) throw new Error("it does not run contracts");
  const unknown = versions.findIndex((row) => !shows(instance, row));
  return (unknown < 0 ? itemAt(versions, -1) : itemAt(versions, unknown - 1)).version;
}

function shows(instance: EmulatorInstance, row: VersionRow): boolean {
  if (row.sign === undefined) return true;
  return row.sign === "size-limits" ? readsSizeLimits(instance, row) : runs(instance, row, row.sign.code);
}

/** Whether a get-method with this code, in hex, succeeds under the rules of a version. */
function runs(instance: EmulatorInstance, { version }: VersionRow, code: string): boolean {
  const root = configOf(version);
  const call = methodCall(
    {
      ...{ config: root, now, randSeed: one, address, methodId: 0, stack: [], balance: 0n },
      ...{ code: beginCell().storeBytes(Buffer.from(code, "hex")).endCell(), data: Cell.empty },
    },
    new CellTexts(),
  );
  return withConfig(instance, root, (config) => {
    const contract = config.openContract(call.params);
    if (!contract) return false;
    const answer = contract.runMethod(call.methodId, call.stack);
    contract.free();
    return !answer.fail && answer.output.success && methodResult(answer.output).exitCode === 0;
  });
}

/** Whether a transaction has its limits from a ConfigParam 43 in the form of a version. */
function readsSizeLimits(instance: EmulatorInstance, { version, sizeLimits }: VersionRow): boolean {
  const root = configOf(version, sizeLimits);
  const info = {
    kind: "internal" as const,
    ...{ ihrDisabled: true, bounce: false, bounced: false, src: address, dest: address },
    ...{ value: onlyCoins(1_000_000_000n), extraFlags: 0n, fwdFee: 0n, createdLt: 1n, createdAt: now },
  };
  const message = encode(Message, composeMessage({ info, init: undefined, body: undefined }));
  const environment = { config: root, now, lt: 1_000_000n, randSeed: one };
  const call = accountCall({ ...environment, shardAccount: noAccount, message }, new CellTexts());
  if (call.kind !== "account") return false;
  return withConfig(instance, root, (config) => {
    const emulator = config.createEmulator(0);
    if (!emulator) return false;
    const { account, message: text, params, previousBlocks } = call;
    const answer = emulator.run({ libraries: undefined, previousBlocks, account, message: text, params });
    if (answer.fail) return false;
    emulator.free();
    return answer.output.success;
  });
}

function withConfig(
  instance: EmulatorInstance,
  root: Cell,
  run: (config: ConfigInstance) => boolean,
): boolean {
  const config = instance.loadConfig(new CellTexts().of(root));
  const succeeded = run(config);
  config.free();
  return succeeded;
}

const forwarding = {
  lumpPrice: 1n,
  bitPrice: 1n,
  cellPrice: 1n,
  ihrPriceFactor: 0,
  firstFrac: 0,
  nextFrac: 0,
};
const gas = {
  kind: "ext" as const,
  flat: undefined,
  ...{ gasPrice: 65_536n, gasLimit: 1_000_000n, specialGasLimit: 1_000_000n },
  ...{ gasCredit: 10_000n, blockGasLimit: 1_000_000n, freezeDueLimit: 1n, deleteDueLimit: 1n },
};
const storage = { utimeSince: 0, bitPricePs: 1n, cellPricePs: 1n, mcBitPricePs: 1n, mcCellPricePs: 1n };

/** The parameters that every run needs. */
function configOf(version: number, sizeLimits?: SizeLimitsConfig["kind"]): Cell {
  const parameters: [number, Cell][] = [
    [0, encodeConfigParam(0, one)],
    [8, encodeConfigParam(8, { version, capabilities: 0n })],
    [18, encodeConfigParam(18, configTypes[18].empty.set(0, storage))],
    [20, encodeConfigParam(20, gas)],
    [21, encodeConfigParam(21, gas)],
    [24, encodeConfigParam(24, forwarding)],
    [25, encodeConfigParam(25, forwarding)],
  ];
  if (sizeLimits) parameters.push([43, encodeConfigParam(43, limitsOf(sizeLimits))]);
  return encode(ConfigDictionary, ConfigDictionary.empty.update(parameters));
}

function limitsOf(kind: SizeLimitsConfig["kind"]): SizeLimitsConfig {
  const v1 = {
    ...{ maxMsgBits: 2 ** 21, maxMsgCells: 2 ** 13, maxLibraryCells: 1000, maxVmDataDepth: 512 },
    ...{ maxExtMsgSize: 65_535, maxExtMsgDepth: 512 },
  };
  const early = {
    ...v1,
    ...{ maxAccStateCells: 65_536, maxMcAccStateCells: 2048, maxAccPublicLibraries: 256 },
    ...{ deferOutQueueSizeLimit: 256, maxMsgExtraCurrencies: 2, maxAccFixedPrefixLength: 8 },
    accStateCellsForStorageDict: 26,
  };
  const v2 = { ...early, maxTransactionLibraryLoads: undefined };
  if (kind === "v1") return { kind, ...v1 };
  if (kind === "earlyV2") return { kind, ...early };
  if (kind === "v2") return { kind, ...v2 };
  return { kind, ...v2, maxTotalMsgBits: 2 ** 22, maxTotalMsgCells: 20_480 };
}
