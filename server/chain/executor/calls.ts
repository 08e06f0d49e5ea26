import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  accountParams,
  checkEnvironment,
  noPreviousBlocks,
  printing,
  refusePruned,
  resultOfOutput,
  type TransactionOutput,
  verbosity,
} from "../../../shared/ton/run/account-call.js";
import type {
  TickTockRequest,
  TransactionRequest,
  TransactionResult,
} from "../../../shared/ton/run/account-request.js";
import type { LogDetail, MethodRequest, MethodResult } from "../../../shared/ton/run/method-request.js";
import { checkConfigSize } from "../../../shared/ton/run/readable-config.js";
import { UnusableRun } from "../../../shared/ton/run/unusable-run.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import { StackError, type StackValue, stackCellDepth } from "../../../shared/ton/tvm/stack.js";
import { stackBoc, storeStackValue } from "../../../shared/ton/tvm/store-stack.js";
import { bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { ExecutorError } from "./executor-error.js";

/** A contract with all that its get-methods see, except the configuration; cells as base64. */
export type ContractParams = {
  code: string;
  data: string;
  verbosity: number;
  /** Empty: none. */
  libs: string;
  address: string;
  unixtime: number;
  balance: string;
  rand_seed: string;
  gas_limit: string;
  prev_blocks_info: string;
  debug_enabled: boolean;
  /** `1=5 2=7` for 5 of currency 1 and 7 of currency 2. */
  extra_currencies?: string;
};

/** A request encoded for the emulator: strings only, so it can be posted to other threads. */
export type EmulatorCall = MethodCall | AccountCall;

type CallBase = {
  /** Hash of the configuration, which is loaded separately. */
  config: string;
  isSupposed: boolean;
  params: string;
};
/** `params` describes the contract and its surroundings: equal texts are equal contracts. */
export type MethodCall = CallBase & { kind: "method"; methodId: number; stack: string };
/** A message, a tick or a tock on an account. Texts are bags of cells in base64. */
export type AccountCall = CallBase & {
  kind: "account";
  verbosity: number;
  account: string;
  message: string;
  libraries: string | undefined;
  previousBlocks: string;
};

/** The emulator's answer; the type depends on the call. `own_log`: its own log, if the call asked for one. */
export type EmulatorOutput = (TransactionOutput & { own_log?: string }) | MethodOutput;

type MethodOutput =
  | {
      success: true;
      stack: string;
      gas_used: string;
      vm_exit_code: number;
      vm_log: string;
      missing_library: string | null;
    }
  | { success: false; error: string };

/** Gas limit of get-methods whose request has none. */
export const defaultGasLimit = 1_000_000;
/** Exit code of a run that used up its gas. A contract cannot end with it otherwise, nor catch it. */
export const outOfGas = -14;
/** Gas of the first run of a get-method. If it needs more, it is run from the beginning as a long run. */
export const trialGas = 20_000;
const noCurrencies: ReadonlyMap<number, bigint> = new Map();
/** The emulator's error for a stack of too many values. */
const beyondSerializing = "Couldn't serialize stack";

/** The same for arguments of too many levels: each value is one. */
const tooDeepToRead = /^Couldn't deserialize stack cell: .*Depth is too big/;

/** The description of a contract. */
type Contract = Pick<
  MethodRequest,
  "code" | "data" | "address" | "now" | "balance" | "randSeed" | "libraries"
> & {
  gasLimit: number;
  previousBlocks: StackValue;
  extraCurrencies: ReadonlyMap<number, bigint>;
  log: LogDetail;
};

/** Caches texts that many requests share: of configurations, libraries, an account's state, a contract. */
export class CellTexts {
  readonly #texts = new WeakMap<Cell | StackValue, string>();
  /** The contract last described with each data. */
  readonly #contracts = new WeakMap<Cell, { contract: Contract; text: string }>();

  of(cell: Cell): string {
    const known = this.#texts.get(cell);
    if (known !== undefined) return known;
    const text = base64(cell);
    this.#texts.set(cell, text);
    return text;
  }

  /** Throws an ExecutorError if the configuration is too large. */
  ofConfig(root: Cell): string {
    if (!this.#texts.has(root)) orInvalid(() => checkConfigSize(root));
    return this.of(root);
  }

  ofContract(contract: Contract): string {
    const known = this.#contracts.get(contract.data);
    if (known && isSame(known.contract, contract)) return known.text;
    const text = this.#describe(contract);
    this.#contracts.set(contract.data, { contract, text });
    return text;
  }

  #describe({ code, data, libraries, address, now, balance, ...contract }: Contract): string {
    return JSON.stringify({
      code: this.of(code),
      data: this.of(data),
      verbosity: verbosity[contract.log],
      libs: libraries ? this.of(libraries) : "",
      address: address.toRaw(),
      unixtime: now,
      balance: balance.toString(),
      rand_seed: bytesToHex(contract.randSeed),
      gas_limit: contract.gasLimit.toString(),
      prev_blocks_info: this.ofValue(contract.previousBlocks),
      debug_enabled: printing.has(contract.log),
      ...extraCurrencies(contract.extraCurrencies),
    } satisfies ContractParams);
  }

  /** The value must not be changed afterwards. */
  ofValue(value: StackValue): string {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = base64(storeStackValue(value));
    this.#texts.set(value, text);
    return text;
  }
}

/** A message, a tick or a tock. Throws an ExecutorError if it cannot be given to the emulator. */
export function accountCall(request: TransactionRequest | TickTockRequest, texts: CellTexts): EmulatorCall {
  const { config, isSupposed = false, shardAccount, libraries, log = "none" } = request;
  return {
    kind: "account",
    params: orInvalid(() => accountParams(request)),
    config: config.hashHex(),
    isSupposed,
    account: base64(shardAccount),
    message: "message" in request ? base64(request.message) : "",
    libraries: libraries && texts.of(libraries),
    previousBlocks: texts.ofValue(request.previousBlocks ?? noPreviousBlocks),
    verbosity: verbosity[log],
  };
}

/** `gasLimit` is that of the request, unless another one is given. */
export function methodCall(
  request: MethodRequest,
  texts: CellTexts,
  gasLimit = request.gasLimit ?? defaultGasLimit,
): MethodCall {
  const { code, data, address, now, randSeed, balance, libraries, log = "none" } = request;
  orInvalid(() => checkEnvironment(request));
  if ((request.methodId | 0) !== request.methodId) throw invalid("a method's id is a signed 32-bit integer");
  // From 2^63 on the emulator shows a negative balance, from 2^64 on none.
  if (balance < 0n || balance >= 1n << 63n) throw invalid("a get-method's balance must be below 2^63");
  // The emulator takes 0 for "no limit".
  if (!Number.isSafeInteger(gasLimit) || gasLimit < 1) throw invalid("a gas limit is a positive integer");
  return {
    kind: "method",
    config: request.config.hashHex(),
    isSupposed: request.isSupposed ?? false,
    methodId: request.methodId,
    stack: stackText(request.stack),
    params: texts.ofContract({
      previousBlocks: request.previousBlocks ?? noPreviousBlocks,
      extraCurrencies: request.extraCurrencies ?? noCurrencies,
      ...{ code, data, address, now, randSeed, balance, libraries, gasLimit, log },
    }),
  };
}

/**
 * The result of a call on an account. Throws an ExecutorError if the emulator has failed for another reason than the
 * message.
 */
export function transactionResult(answer: EmulatorOutput): TransactionResult {
  const output = answer as TransactionOutput & { own_log?: string };
  return orInvalid(() => resultOfOutput(output, output.own_log ?? "", cellOf));
}

/** Whether the stack that a get-method left has too many values for its emulator. */
export function isTooLarge(answer: EmulatorOutput): boolean {
  return !answer.success && answer.error === beyondSerializing;
}

/**
 * The result of a get-method. Throws a StackError if the stack it left exceeds the limits, and an ExecutorError if it
 * could not run.
 */
export function methodResult(answer: EmulatorOutput): MethodResult {
  const output = answer as MethodOutput;
  if (!output.success) {
    if (isTooLarge(output)) throw new StackError("size", "the stack left is too large");
    if (tooDeepToRead.test(output.error))
      throw new StackError("depth", "the arguments are too deep for this build of the emulator");
    throw invalid(output.error);
  }
  const { stack, gas_used, vm_exit_code, vm_log, missing_library } = output;
  return {
    exitCode: vm_exit_code,
    gasUsed: Number(gas_used),
    stack: loadStack(cellOf(stack, stackCellDepth)),
    vmLog: vm_log,
    missingLibrary: missing_library === null ? undefined : hexToBytes(missing_library),
  };
}

/** Whether the same objects describe two contracts of the same data. */
function isSame(one: Contract, other: Contract): boolean {
  const [currencies, others] = [one.extraCurrencies, other.extraCurrencies];
  return (
    one.code === other.code &&
    one.libraries === other.libraries &&
    one.address === other.address &&
    one.now === other.now &&
    one.balance === other.balance &&
    one.randSeed === other.randSeed &&
    one.gasLimit === other.gasLimit &&
    one.previousBlocks === other.previousBlocks &&
    one.log === other.log &&
    (currencies === others || (currencies.size === 0 && others.size === 0))
  );
}

function stackText(values: readonly StackValue[]): string {
  const { boc, cells } = stackBoc(values);
  orInvalid(() => cells.forEach(refusePruned));
  return textOf(boc);
}

function base64(cell: Cell): string {
  orInvalid(() => refusePruned(cell));
  return textOf(serializeBoc(cell, { crc32: false }));
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64");
}

/** The emulator's base64 is valid, and long: here Node's decoder is ten times as fast as the one that checks it. */
function cellOf(text: string, depth?: number): Cell {
  return parseBocRoot(Buffer.from(text, "base64"), depth === undefined ? {} : { depth });
}

/** `1=5 2=7` for 5 of currency 1 and 7 of currency 2. */
function extraCurrencies(currencies: ReadonlyMap<number, bigint>): Pick<ContractParams, "extra_currencies"> {
  const present = [...currencies].filter(([, amount]) => amount !== 0n);
  if (present.length === 0) return {};
  return { extra_currencies: present.map(([id, amount]) => `${id}=${amount}`).join(" ") };
}

/** The result, or an ExecutorError in the place of an UnusableRun. */
export function orInvalid<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnusableRun ? new ExecutorError("invalid", error.message, error.cause) : error;
  }
}

function invalid(message: string): ExecutorError {
  return new ExecutorError("invalid", message);
}
