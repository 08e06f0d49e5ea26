// The node's transaction emulator as a library of the system: libemulator, whose functions TON's own emulator-extern.h
// describes. The package koffi, which calls it, is an optional peer.
import { resolve } from "node:path";
import type koffiModule from "koffi";
import type { LibraryHandle, TypeObject } from "koffi";
import { lazy } from "../../../shared/values/lazy.js";
import { SetupError } from "../../errors.js";

type Koffi = typeof koffiModule;

/** An object of the library; null if it could not make it. */
export type Pointer = bigint | null;

/** Texts are cells in base64, a seed in hex, or an answer in JSON. False: the value was refused. */
export type NativeLibrary = {
  /** The commit it was built from and its date, as JSON. */
  version(): string;
  setLogLevel(level: number): boolean;
  createConfig(config: string): Pointer;
  destroyConfig(config: Pointer): void;
  createEmulator(config: string, verbosity: number): Pointer;
  destroyEmulator(emulator: Pointer): void;
  setTime(emulator: Pointer, unixTime: number): boolean;
  setLt(emulator: Pointer, lt: bigint): boolean;
  setSeed(emulator: Pointer, seed: string): boolean;
  setIgnoreSignatures(emulator: Pointer, ignore: boolean): boolean;
  setDebug(emulator: Pointer, enabled: boolean): boolean;
  /** Null keeps the earlier ones. */
  setLibraries(emulator: Pointer, libraries: string | null): boolean;
  setPreviousBlocks(emulator: Pointer, blocks: string): boolean;
  emulateTransaction(emulator: Pointer, account: string, message: string): string;
  emulateTickTock(emulator: Pointer, account: string, isTock: boolean): string;
  createContract(code: string, data: string, verbosity: number): Pointer;
  destroyContract(contract: Pointer): void;
  /** Without a configuration, which `setContractConfig` gives. */
  setContractContext(
    contract: Pointer,
    address: string,
    unixTime: number,
    balance: bigint,
    seed: string,
    config: null,
  ): boolean;
  setContractConfig(contract: Pointer, config: Pointer): boolean;
  setContractLibraries(contract: Pointer, libraries: string): boolean;
  setContractPreviousBlocks(contract: Pointer, blocks: string): boolean;
  setContractDebug(contract: Pointer, enabled: boolean): boolean;
  setGasLimit(contract: Pointer, limit: bigint): boolean;
  runMethod(contract: Pointer, methodId: number, stack: string): string;
  /** Pairs `id=amount` with blanks between them. Absent in libraries of 2024. */
  setExtraCurrencies?: (contract: Pointer, currencies: string) => boolean;
};

type Name = keyof NativeLibrary;
type Prototype = readonly [name: string, result: string, parameters: readonly string[]];

/** A text that the caller frees. */
const answer = "answer";
const pointer = "void *";
const text = "str";

const prototypes: Readonly<Record<Name, Prototype>> = {
  version: ["emulator_version", answer, []],
  setLogLevel: ["emulator_set_verbosity_level", "bool", ["int"]],
  createConfig: ["emulator_config_create", pointer, [text]],
  destroyConfig: ["emulator_config_destroy", "void", [pointer]],
  createEmulator: ["transaction_emulator_create", pointer, [text, "int"]],
  destroyEmulator: ["transaction_emulator_destroy", "void", [pointer]],
  setTime: ["transaction_emulator_set_unixtime", "bool", [pointer, "uint32_t"]],
  setLt: ["transaction_emulator_set_lt", "bool", [pointer, "uint64_t"]],
  setSeed: ["transaction_emulator_set_rand_seed", "bool", [pointer, text]],
  setIgnoreSignatures: ["transaction_emulator_set_ignore_chksig", "bool", [pointer, "bool"]],
  setDebug: ["transaction_emulator_set_debug_enabled", "bool", [pointer, "bool"]],
  setLibraries: ["transaction_emulator_set_libs", "bool", [pointer, text]],
  setPreviousBlocks: ["transaction_emulator_set_prev_blocks_info", "bool", [pointer, text]],
  emulateTransaction: ["transaction_emulator_emulate_transaction", answer, [pointer, text, text]],
  emulateTickTock: ["transaction_emulator_emulate_tick_tock_transaction", answer, [pointer, text, "bool"]],
  createContract: ["tvm_emulator_create", pointer, [text, text, "int"]],
  destroyContract: ["tvm_emulator_destroy", "void", [pointer]],
  setContractContext: ["tvm_emulator_set_c7", "bool", [pointer, text, "uint32_t", "uint64_t", text, text]],
  setContractConfig: ["tvm_emulator_set_config_object", "bool", [pointer, pointer]],
  setContractLibraries: ["tvm_emulator_set_libraries", "bool", [pointer, text]],
  setContractPreviousBlocks: ["tvm_emulator_set_prev_blocks_info", "bool", [pointer, text]],
  setContractDebug: ["tvm_emulator_set_debug_enabled", "bool", [pointer, "bool"]],
  setGasLimit: ["tvm_emulator_set_gas_limit", "bool", [pointer, "int64_t"]],
  runMethod: ["tvm_emulator_run_get_method", answer, [pointer, "int", text]],
  setExtraCurrencies: ["tvm_emulator_set_extra_currencies", "bool", [pointer, text]],
};
const optional: Name = "setExtraCurrencies";

/** koffi runs native code on a stack of its own, of 2 MiB. Freeing nested tuples recurses, as deep as the gas allows. */
const stackBytes = 16 << 20;

/** Loads the library into this process; each thread does so for itself. Throws a SetupError. */
export async function openNativeLibrary(file: string): Promise<NativeLibrary> {
  const koffi = await loadKoffi();
  const path = resolve(file);
  const handle = load(koffi, path);
  const free = find(handle, "string_destroy", "void", [pointer]) ?? koffi.free;
  const answerType = koffi.disposable(text, free);
  const functions = new Map(
    Object.entries(prototypes).map(([name, [symbol, result, parameters]]) => [
      name as Name,
      find(handle, symbol, result === answer ? answerType : result, parameters),
    ]),
  );
  const missing = [...functions].filter(([name, each]) => !each && name !== optional).map(([name]) => name);
  if (missing.length > 0) {
    const symbols = missing.map((name) => prototypes[name][0]).join(", ");
    throw new SetupError(`The TVM library ${path} lacks functions of TON's libemulator: ${symbols}`);
  }
  const library = Object.fromEntries(functions) as unknown as NativeLibrary;
  // Otherwise it logs each run to standard error, with its stacks as texts, however long they are.
  library.setLogLevel(0);
  return library;
}

const loadKoffi = lazy(async (): Promise<Koffi> => {
  const { default: koffi } = await import("koffi").catch((cause: NodeJS.ErrnoException) => {
    const problem =
      cause.code === "ERR_MODULE_NOT_FOUND"
        ? "is not installed: npm install koffi"
        : `fails: ${cause.message}`;
    throw new SetupError(`A TVM library needs the package koffi, which ${problem}`, { cause });
  });
  koffi.config({ sync_stack_size: stackBytes });
  return koffi;
});

function load(koffi: Koffi, path: string): LibraryHandle {
  try {
    return koffi.load(path);
  } catch (cause) {
    const [reason] = (cause as Error).message.split("\n");
    throw new SetupError(`The TVM library ${path} cannot be loaded: ${reason}`, { cause });
  }
}

/** Undefined if the library has no such function. */
function find(
  library: LibraryHandle,
  name: string,
  result: string | TypeObject,
  parameters: readonly string[],
) {
  try {
    return library.func(name, result, [...parameters]);
  } catch {
    // The library throws for a function that it lacks.
    return undefined;
  }
}
