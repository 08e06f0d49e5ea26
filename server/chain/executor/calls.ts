import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type {
  LogDetail,
  MethodRequest,
  MethodResult,
  RunEnvironment,
} from "../../../shared/ton/run/method-request.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { loadStack } from "../../../shared/ton/tvm/load-stack.js";
import { StackError, type StackValue, stackCellDepth } from "../../../shared/ton/tvm/stack.js";
import { stackBoc, storeStackValue } from "../../../shared/ton/tvm/store-stack.js";
import { bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { ExecutorError } from "./executor-error.js";
import { checkConfigSize } from "./readable-config.js";
import type { TickTockRequest, TransactionRequest, TransactionResult } from "./requests.js";

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

type Failure = { success: false; error: string };
type TransactionOutput =
  | { success: true; transaction: string; shard_account: string; actions: string | null; vm_log: string }
  | (Failure & { external_not_accepted: true; vm_exit_code: number; vm_log: string })
  | (Failure & { external_not_accepted: false });
type MethodOutput =
  | {
      success: true;
      stack: string;
      gas_used: string;
      vm_exit_code: number;
      vm_log: string;
      missing_library: string | null;
    }
  | Failure;

const verbosity: Record<LogDetail, number> = { none: 0, steps: 1, quiet: 3, gas: 3, stack: 5 };
/** Logs in which instructions such as DUMPSTK print. A text is made before it is cut, so others do without. */
const printing: ReadonlySet<LogDetail> = new Set<LogDetail>(["gas", "stack"]);
/** Gas limit of get-methods whose request has none. */
export const defaultGasLimit = 1_000_000;
/** Exit code of a run that used up its gas. A contract cannot end with it otherwise, nor catch it. */
export const outOfGas = -14;
/** Gas of the first run of a get-method. If it needs more, it is run from the beginning as a long run. */
export const trialGas = 20_000;
/** Explicit null: without it the emulator keeps the previous blocks of an earlier run. */
const noPreviousBlocks: StackValue = { type: "null" };
const noCurrencies: ReadonlyMap<number, bigint> = new Map();
/** The emulator's error for a stack of too many values. */
const beyondSerializing = "Couldn't serialize stack";

/** The same for arguments of too many levels: each value is one. */
const tooDeepToRead = /^Couldn't deserialize stack cell: .*Depth is too big/;

/** The emulator's errors that are the message's fault. Its other ones are its own, or the configuration's. */
const ofMessage =
  /inbound external message rejected|cannot unpack input message|Can't unpack inbound|Can't deserialize message boc|Can't extract account address/;

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
    if (!this.#texts.has(root)) checkConfigSize(root);
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

/** Throws an ExecutorError if the message or what surrounds it cannot be given to the emulator. */
export function transactionCall(request: TransactionRequest, texts: CellTexts): EmulatorCall {
  checkMessage(request.message);
  const kind = { ignore_chksig: request.ignoreSignatures ?? false };
  return accountCall(request, texts, base64(request.message), kind);
}

/** Throws as `transactionCall` does. */
export function tickTockCall(request: TickTockRequest, texts: CellTexts): EmulatorCall {
  return accountCall(request, texts, "", {
    ignore_chksig: false,
    is_tick_tock: true,
    is_tock: request.which === "tock",
  });
}

function accountCall(
  request: TransactionRequest | TickTockRequest,
  texts: CellTexts,
  message: string,
  kind: object,
): EmulatorCall {
  const { now, lt, randSeed, shardAccount, libraries, log = "none" } = request;
  checkEnvironment(request);
  if (randSeed.every((byte) => byte === 0)) throw invalid("a transaction's random seed must not be zero");
  if (lt < 1n || lt >= 1n << 64n) throw invalid("a logical time lies in 1..2^64-1");
  if (shardAccount.exotic || shardAccount.ref(0).exotic) throw invalid("an account must be an ordinary cell");
  return {
    kind: "account",
    config: request.config.hashHex(),
    isSupposed: request.isSupposed ?? false,
    account: base64(shardAccount),
    message,
    libraries: libraries && texts.of(libraries),
    previousBlocks: texts.ofValue(request.previousBlocks ?? noPreviousBlocks),
    verbosity: verbosity[log],
    // All fields are required: the emulator keeps the values of the previous call for missing ones.
    params: JSON.stringify({
      utime: now,
      lt: lt.toString(),
      rand_seed: bytesToHex(randSeed),
      debug_enabled: printing.has(log),
      ...kind,
    }),
  };
}

/** `gasLimit` is that of the request, unless another one is given. */
export function methodCall(
  request: MethodRequest,
  texts: CellTexts,
  gasLimit = request.gasLimit ?? defaultGasLimit,
): MethodCall {
  const { code, data, address, now, randSeed, balance, libraries, log = "none" } = request;
  checkEnvironment(request);
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
  const emulatorLog = output.own_log ?? "";
  if (output.success)
    return {
      outcome: "done",
      transaction: cellOf(output.transaction),
      shardAccount: cellOf(output.shard_account),
      // Nothing but a transaction's log shows them.
      get actions() {
        return output.actions === null ? undefined : cellOf(output.actions);
      },
      vmLog: output.vm_log,
      emulatorLog,
    };
  if (!output.external_not_accepted) {
    if (!ofMessage.test(output.error)) throw invalid(`The executor failed: ${output.error}`);
    return { outcome: "impossible", reason: output.error };
  }
  const { error: reason, vm_exit_code: exitCode, vm_log: vmLog } = output;
  return { outcome: "refused", reason, exitCode, vmLog, emulatorLog };
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
  cells.forEach(refusePruned);
  return textOf(boc);
}

function base64(cell: Cell): string {
  refusePruned(cell);
  return textOf(serializeBoc(cell, { crc32: false }));
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64");
}

/** The emulator dereferences a null pointer if a cell does not parse, as with pruned branches. */
function refusePruned({ levelMask }: Cell): void {
  if (levelMask !== 0) throw invalid("a cell with pruned parts cannot be run");
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

/** The emulator crashes on an exotic body. Contracts cannot send one, external messages can have one. */
function checkMessage(message: Cell): void {
  if (message.exotic) throw invalid("a message must be an ordinary cell");
  // The body is the last reference; an exotic cell there may also be the code or data of an init.
  if (message.refs.at(-1)?.exotic && hasBodyInRef(message)) throw invalid("a body must be an ordinary cell");
}

function hasBodyInRef(message: Cell): boolean {
  try {
    return decode(Message, message).bodyInRef;
  } catch (cause) {
    throw new ExecutorError("invalid", "the message cannot be read", cause);
  }
}

function checkEnvironment({ now, randSeed }: RunEnvironment): void {
  // 0 stands for the system clock.
  if (!Number.isInteger(now) || now < 1 || now > 0xffffffff) throw invalid("a time lies in 1..2^32-1");
  if (randSeed.length !== 32) throw invalid("a random seed has 32 bytes");
}

function invalid(message: string): ExecutorError {
  return new ExecutorError("invalid", message);
}
