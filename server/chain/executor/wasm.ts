// The node's transaction emulator, compiled to WebAssembly, from @ton/sandbox. The build copies its two data files: the
// package's entry also loads @ton/core, a debugger build and test tools, and its wrapper keeps pointers to objects that
// the C++ side has freed.
import { createRequire } from "node:module";
import { lazy } from "../../../shared/values/lazy.js";
import { readIntoScratch } from "../../os/scratch.js";
import { vendored } from "../../os/vendored.js";
import type { EmulatorOutput } from "./calls.js";
import {
  type ContractFunctions,
  type ContractParams,
  contractFunctions,
  contractPlaces,
  logLevels,
  logPlaces,
} from "./contract-functions.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  TransactionEmulator,
} from "./emulator-instance.js";
import { ExecutorError } from "./executor-error.js";
import { type CompiledEmulator, gluePath, type LinkedEmulator, linkEmulator } from "./linked-emulator.js";
import { checkConfigOf, shareConfig } from "./shared-config.js";
import {
  cellDepth,
  depthExport,
  leftValuesExport,
  maxLeftValues,
  patchEmulator,
  stackDepth,
  vmLogExport,
} from "./wasm-patch.js";

// Declared here because neither the ES library nor Node's types know the global.
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<CompiledEmulator>;
  Memory: new (...args: never[]) => { readonly buffer: ArrayBuffer };
};

type EntryPoint = "_create_emulator" | "_destroy_emulator" | "_emulate_with_emulator";
type Emscripten = Record<EntryPoint | "_malloc" | "_free", (...args: never[]) => number>;
type Functions = Emscripten & ContractFunctions;
type Memory = { readonly buffer: ArrayBuffer };
/** A `WebAssembly.Global`. */
type NumberGlobal = { value: number };
type Hooks = {
  instantiateWasm(
    imports: Parameters<typeof linkEmulator>[1],
    done: (instance: LinkedEmulator) => void,
  ): object;
};
type Glue = (hooks: Hooks) => Promise<Emscripten>;

/** A number is passed unchanged (0 is the null pointer), a text as a C string. */
type EmulatorArgument = number | bigint | string;

const require = createRequire(import.meta.url);

/** The build has 64 KiB of C++ stack, which a tree of depth 350 overflows; the node allows 512. */
const stackBytes = 8 << 20;
const stackAlignment = 16;
/** A log that is a text: the address of its functions, and a C++ string. */
const textLogBytes = 16;

const emptyCell = "te6ccgEBAQEAAgAAAA==";
const zeros = "0".repeat(64);
const noConfig = 0;

/** Takes about 70 ms, once per thread; threads can be given the result of another. */
export const compileEmulator = lazy((): Promise<CompiledEmulator> => {
  return WebAssembly.compile(patchEmulator(readIntoScratch(vendored("emulator/emulator.wasm"))));
});

/**
 * One instance of the emulator with its memory. It must not be used after a "crashed" error, which leaves C++ frames
 * without unwinding them.
 */
export class WasmEmulator implements EmulatorInstance {
  readonly #functions: Functions;
  readonly #memory: Memory;
  readonly #maxDepth: NumberGlobal;
  readonly #vmLogLevel: NumberGlobal;
  #view = Buffer.alloc(0);
  /** Address of the emulator's log while contracts are made and run. */
  readonly #log: number;

  private constructor(functions: Functions, memory: Memory, exports: LinkedEmulator["exports"]) {
    this.#functions = functions;
    this.#memory = memory;
    // The exports are untyped; these two are added by `patchEmulator`.
    this.#maxDepth = exports[depthExport] as NumberGlobal;
    this.#vmLogLevel = exports[vmLogExport] as NumberGlobal;
    this.#log = this.#run("_malloc", [textLogBytes]);
    this.#bytes().fill(0, this.#log, this.#log + textLogBytes);
    this.#bytes().writeUInt32LE(logPlaces.textLog, this.#log);
  }

  /** About 5 ms. `leftValues`: how many values a get-method may leave, counted as the emulator counts. */
  static async create(compiled: CompiledEmulator, leftValues = maxLeftValues): Promise<WasmEmulator> {
    const glue = require(gluePath) as Glue;
    let linked: LinkedEmulator | undefined;
    const functions = await glue({
      instantiateWasm(imports, done) {
        linked = linkEmulator(compiled, imports);
        done(linked);
        return {};
      },
    });
    const { exports, table, setStackPointer } = linked!;
    // The exports are untyped; this one is added by `patchEmulator`.
    (exports[leftValuesExport] as { value: bigint }).value = BigInt(leftValues);
    // Moves the stack, which grows downwards, to a larger block. No function is running, so nothing on it is lost.
    const top = functions._malloc(stackBytes as never) + stackBytes;
    setStackPointer(top - (top % stackAlignment));
    // The build shortens export names, so the memory is known by its type only.
    const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
    return new WasmEmulator({ ...functions, ...contractFunctions(table) }, memory as Memory, exports);
  }

  loadConfig(base64: string): ConfigInstance {
    const text = this.#allocate(base64);
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
        this.#free(text);
      },
    };
  }

  /** A contract that has a configuration, for others to share; undefined if it is refused. */
  #holdConfig(config: number): number | undefined {
    const holder = this.#callLogged("createContract", emptyCell, emptyCell, 0);
    if (this.#callLogged("setContext", holder, `0:${zeros}`, 1, 0n, zeros, config)) {
      checkConfigOf(this.#bytes(), holder);
      return holder;
    }
    this.#callLogged("destroyContract", holder);
    return undefined;
  }

  #transactionEmulator(pointer: number, verbosity: number): TransactionEmulator {
    return {
      run: ({ libraries = 0, previousBlocks, account, message, params }) => {
        this.#setVmLog(verbosity);
        return this.#callForJson<EmulatorAnswer>(
          "_emulate_with_emulator",
          pointer,
          // A null pointer keeps the libraries.
          libraries,
          account,
          message,
          previousBlocks === undefined ? params : withPreviousBlocks(params, previousBlocks),
        );
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
    shareConfig(this.#bytes(), configHolder, contract);
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
          this.#setVmLog(params.verbosity);
          return this.#callForJson<EmulatorOutput>("runMethod", contract, methodId, stack);
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
    const memory = this.#bytes();
    memory.writeUInt32LE(logLevels.info, logPlaces.level);
    memory.writeUInt32LE(log, logPlaces.log);
    // A C++ string of more than 11 bytes lies elsewhere.
    if (memory.readInt8(log + textLogBytes - 1) < 0) this.#free(memory.readUInt32LE(log + 4));
    memory.fill(0, log + 4, log + textLogBytes);
  }

  /** The emulator writes a log even at verbosity 0, which takes a fifth of a get-method's run. */
  #setVmLog(verbosity: number): void {
    this.#vmLogLevel.value = verbosity > 0 ? logLevels.debug : logLevels.fatal;
  }

  /** Calls a function; returns its pointer. */
  #call(name: EntryPoint | keyof ContractFunctions, ...args: EmulatorArgument[]): number {
    const texts: number[] = [];
    const values = args.map((arg) => {
      if (typeof arg !== "string") return arg;
      const pointer = this.#allocate(arg);
      texts.push(pointer);
      return pointer;
    });
    // While its contract runs, a get-method lowers the limit itself.
    this.#maxDepth.value = name in contractPlaces ? stackDepth : cellDepth;
    const result = this.#run(name, values);
    for (const pointer of texts) this.#free(pointer);
    return result;
  }

  /** Calls a function that returns an answer as a JSON document. */
  #callForJson<Answer>(name: EntryPoint | "runMethod", ...args: EmulatorArgument[]): Answer {
    const pointer = this.#call(name, ...args);
    const memory = this.#bytes();
    const text = memory.toString("utf8", pointer, memory.indexOf(0, pointer));
    this.#free(pointer);
    return JSON.parse(text) as Answer;
  }

  /** Copies an ASCII text into the emulator's memory as a C string; release it with `#free`. */
  #allocate(text: string): number {
    const pointer = this.#run("_malloc", [text.length + 1]);
    if (pointer === 0) throw new ExecutorError("crashed", "The executor is out of memory");
    const memory = this.#bytes();
    memory.write(text, pointer, "latin1");
    memory[pointer + text.length] = 0;
    return pointer;
  }

  #free(pointer: number): void {
    this.#run("_free", [pointer]);
  }

  #run(name: keyof Functions, args: (number | bigint)[]): number {
    try {
      return this.#functions[name](...(args as never[]));
    } catch (error) {
      // An uncaught C++ exception arrives as a number, a trap as an Error.
      throw new ExecutorError("crashed", "The executor broke down on this request", error);
    }
  }

  /** Growing the memory detaches earlier views. */
  #bytes(): Buffer {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = Buffer.from(this.#memory.buffer);
    return this.#view;
  }
}

/** Adds a member to a JSON document. Without it the emulator keeps the previous blocks that it has. */
function withPreviousBlocks(params: string, previousBlocks: string): string {
  return `{"prev_blocks_info":"${previousBlocks}",${params.slice(1)}`;
}
