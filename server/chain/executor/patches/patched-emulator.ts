// The build of @ton/sandbox that is known here, with all patches.

import { stackCellDepth } from "../../../../shared/ton/tvm/stack.js";
import type { ContractParams, EmulatorOutput } from "../calls.js";
import {
  type CompiledEmulator,
  type EmulatorArgument,
  EmulatorMemory,
  type ExportedName,
  enlargeStack,
  glueAt,
  memoryOf,
  startEmscripten,
} from "../emulator/emscripten.js";
import { emulate } from "../emulator/emulate.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  TransactionEmulator,
} from "../emulator/emulator-instance.js";
import { ExecutorError } from "../executor-error.js";
import {
  type ContractFunctions,
  contractFunctions,
  contractPlaces,
  logLevels,
  logPlaces,
} from "./contract-functions.js";
import { cellDepth, logBytes, maxLeftValues } from "./limit-patches.js";
import { type LinkedEmulator, linkEmulator } from "./linked-emulator.js";
import { checkConfigOf, shareConfig } from "./shared-config.js";
import {
  depthExport,
  emulatorLogExport,
  leftValuesExport,
  logBytesExport,
  vmLogExport,
} from "./wasm-patch.js";

type Name = ExportedName | keyof ContractFunctions;
/** A `WebAssembly.Global`. */
type NumberGlobal = { value: number };

/** A log that is a text: the address of its functions, and a C++ string. */
const textLogBytes = 16;

const emptyCell = "te6ccgEBAQEAAgAAAA==";
const zeros = "0".repeat(64);
const noConfig = 0;

export type PatchedOptions = {
  /** How many values a get-method may leave, counted as the emulator counts. Each is a level of recursion. */
  leftValues?: number | undefined;
  /** Default: true. Without, C++ exceptions pass through JavaScript. */
  hasInvokers?: boolean | undefined;
};

/**
 * One instance of the emulator with its memory. It must not be used after a "crashed" error, which leaves C++ frames
 * without unwinding them.
 */
export class PatchedEmulator implements EmulatorInstance {
  readonly #memory: EmulatorMemory<Name>;
  readonly #maxDepth: NumberGlobal;
  readonly #vmLogLevel: NumberGlobal;
  readonly #emulatorLogLevel: NumberGlobal;
  readonly #logBytes: NumberGlobal;
  /** Address of the emulator's log while contracts are made and run. */
  readonly #log: number;

  private constructor(memory: EmulatorMemory<Name>, exports: LinkedEmulator["exports"]) {
    this.#memory = memory;
    // The exports are untyped; these four are added by `patchEmulator`.
    this.#maxDepth = exports[depthExport] as NumberGlobal;
    this.#vmLogLevel = exports[vmLogExport] as NumberGlobal;
    this.#emulatorLogLevel = exports[emulatorLogExport] as NumberGlobal;
    this.#logBytes = exports[logBytesExport] as NumberGlobal;
    this.#log = memory.run("_malloc", [textLogBytes]);
    memory.bytes().fill(0, this.#log, this.#log + textLogBytes);
    memory.bytes().writeUInt32LE(logPlaces.textLog, this.#log);
  }

  /** About 5 ms. */
  static async create(
    compiled: CompiledEmulator,
    gluePath: string,
    { leftValues = maxLeftValues, hasInvokers = true }: PatchedOptions = {},
  ): Promise<PatchedEmulator> {
    const glue = glueAt(gluePath);
    let linked: LinkedEmulator | undefined;
    const { functions, exports } = await startEmscripten(glue, (imports) => {
      linked = linkEmulator(compiled, { glue, imports, hasInvokers });
      return linked;
    });
    // This one is added by `patchEmulator`, too.
    (exports[leftValuesExport] as { value: bigint }).value = BigInt(leftValues);
    const { table, setStackPointer } = linked!;
    enlargeStack(functions, setStackPointer);
    const all = { ...functions, ...contractFunctions(table) };
    const crash = (cause: unknown) =>
      new ExecutorError("crashed", "The executor broke down on this request", cause);
    const memory = new EmulatorMemory(all, memoryOf(exports)!, crash);
    return new PatchedEmulator(memory, exports);
  }

  loadConfig(base64: string): ConfigInstance {
    const text = this.#memory.allocate(base64);
    let holder: number | undefined;
    return {
      openContract: (params) => {
        holder ??= this.#holdConfig(text);
        return holder === undefined
          ? undefined
          : this.#openContract(JSON.parse(params) as ContractParams, holder);
      },
      createEmulator: (verbosity) => {
        const pointer = this.#call("_create_emulator", text, verbosity);
        return pointer === 0 ? undefined : this.#transactionEmulator(pointer, verbosity);
      },
      free: () => {
        if (holder !== undefined) this.#callLogged("destroyContract", holder);
        this.#memory.free(text);
      },
    };
  }

  /** A contract that has a configuration, for others to share; undefined if it is refused. */
  #holdConfig(config: number): number | undefined {
    const holder = this.#callLogged("createContract", emptyCell, emptyCell, 0);
    if (this.#callLogged("setContext", holder, `0:${zeros}`, 1, 0n, zeros, config)) {
      checkConfigOf(this.#memory.bytes(), holder);
      return holder;
    }
    this.#callLogged("destroyContract", holder);
    return undefined;
  }

  #transactionEmulator(pointer: number, verbosity: number): TransactionEmulator {
    return {
      run: (input) => {
        this.#setLogs(verbosity);
        this.#maxDepth.value = cellDepth;
        this.#logBytes.value = logBytes.first;
        const answer = emulate(this.#memory, pointer, input);
        if (!isLogFull(answer)) return answer;
        this.#logBytes.value = logBytes.most;
        return emulate(this.#memory, pointer, input);
      },
      free: () => void this.#call("_destroy_emulator", pointer),
    };
  }

  #openContract(params: ContractParams, configHolder: number): ContractEmulator | undefined {
    const { libs, extra_currencies: currencies } = params;
    const contract = this.#callLogged("createContract", params.code, params.data, params.verbosity);
    if (contract === 0) return undefined;
    const free = () => void this.#callLogged("destroyContract", contract);
    const balance = BigInt(params.balance);
    shareConfig(this.#memory.bytes(), configHolder, contract);
    const accepted =
      (libs === "" || this.#callLogged("setLibraries", contract, libs)) &&
      this.#callLogged(
        "setContext",
        contract,
        params.address,
        params.unixtime,
        balance,
        params.rand_seed,
        noConfig,
      ) &&
      (!currencies || this.#callLogged("setExtraCurrencies", contract, currencies)) &&
      this.#callLogged("setPreviousBlocks", contract, params.prev_blocks_info) &&
      this.#callLogged("setGasLimit", contract, BigInt(params.gas_limit)) &&
      this.#callLogged("setDebug", contract, Number(params.debug_enabled));
    if (accepted)
      return {
        runMethod: (methodId, stack) => {
          this.#startLog();
          this.#setLogs(params.verbosity);
          this.#maxDepth.value = stackCellDepth;
          return { output: this.#memory.callForJson<EmulatorOutput>("runMethod", contract, methodId, stack) };
        },
        free,
      };
    free();
    return undefined;
  }

  #callLogged(name: keyof ContractFunctions, ...args: EmulatorArgument[]): number {
    this.#startLog();
    return this.#call(name, ...args);
  }

  /** As `_run_get_method` does, with less in it. Other entry points leave a log behind that is gone. */
  #startLog(): void {
    const log = this.#log;
    const memory = this.#memory.bytes();
    memory.writeUInt32LE(logLevels.info, logPlaces.level);
    memory.writeUInt32LE(log, logPlaces.log);
    // A C++ string of more than 11 bytes lies elsewhere.
    if (memory.readInt8(log + textLogBytes - 1) < 0) this.#memory.free(memory.readUInt32LE(log + 4));
    memory.fill(0, log + 4, log + textLogBytes);
  }

  /**
   * The emulator writes logs even at verbosity 0: that of the VM takes a fifth of a get-method's run, and its own one as long as
   * a transaction.
   */
  #setLogs(verbosity: number): void {
    const level = verbosity > 0 ? logLevels.debug : logLevels.fatal;
    this.#vmLogLevel.value = level;
    this.#emulatorLogLevel.value = level;
  }

  #call(name: Name, ...args: EmulatorArgument[]): number {
    // While its contract runs, a get-method lowers the limit itself.
    this.#maxDepth.value = name in contractPlaces ? stackCellDepth : cellDepth;
    return this.#memory.call(name, ...args);
  }
}

/** Whether the log may have more than its end. */
function isLogFull(answer: EmulatorAnswer): boolean {
  if (answer.fail || !("vm_log" in answer.output)) return false;
  return Buffer.byteLength(answer.output.vm_log) >= logBytes.first;
}
