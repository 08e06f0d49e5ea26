import { webAssembly } from "../../../os/web-assembly.js";
import type { ContractParams } from "../calls.js";
import { ExecutorError } from "../executor-error.js";
import {
  type CompiledEmulator,
  compiledFunction,
  EmulatorMemory,
  enlargeStack,
  exportedNames,
  glueAt,
  memoryOf,
  stackRestore,
  startEmscripten,
} from "./emscripten.js";
import { emulate } from "./emulate.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  TransactionEmulator,
} from "./emulator-instance.js";

/** The limits of a build without patches, as the log names them. */
export const plainLimits =
  "get-methods take and leave about 1,000 values and see one extra currency, ACCEPT takes their gas limit away, runs have 256 MB of memory and take several times as long";

/** It has no other sign of a limit that was exceeded, but of memory and recursion there are some. */
const crash = (cause: unknown) =>
  new ExecutorError(
    "too-large",
    "The executor broke down on this request: it is a build without patches, whose limits are lower",
    cause,
  );

/**
 * One instance of a build that is not known here: only what it exports is used. It must not be used after a "too-large" error,
 * which leaves C++ frames without unwinding them.
 */
export class PlainEmulator implements EmulatorInstance {
  readonly #memory: EmulatorMemory;
  readonly #params = new RunParams();

  private constructor(memory: EmulatorMemory) {
    this.#memory = memory;
  }

  /** Throws an Error if the build lacks something. */
  static async create(compiled: CompiledEmulator, gluePath: string): Promise<PlainEmulator> {
    const glue = glueAt(gluePath);
    const { functions, exports } = await startEmscripten(
      glue,
      (imports) => new webAssembly.Instance(compiled, imports),
    );
    const memory = memoryOf(exports);
    const setStackPointer = compiledFunction(glue, exports, stackRestore);
    const missing = [
      ...exportedNames.filter((name) => typeof functions[name] !== "function"),
      ...(setStackPointer ? [] : [stackRestore]),
      ...(memory ? [] : ["its memory"]),
    ];
    if (missing.length > 0) throw new Error(`it does not export ${missing.join(", ")}`);
    enlargeStack(functions, setStackPointer!);
    return new PlainEmulator(new EmulatorMemory(functions, memory!, crash));
  }

  loadConfig(base64: string): ConfigInstance {
    const memory = this.#memory;
    const config = memory.allocate(base64);
    return {
      openContract: (params) => new PlainContract(memory, config, { params, runParams: this.#params }),
      createEmulator: (verbosity) => {
        const pointer = memory.call("_create_emulator", config, verbosity);
        return pointer === 0
          ? undefined
          : transactionsOf(memory, pointer, { verbosity, runParams: this.#params });
      },
      free: () => memory.free(config),
    };
  }
}

/** The parameters of an instance's runs. */
class RunParams {
  #isFirst = true;

  /** The first run makes the table of instructions, which has those that print only if debug is enabled. */
  next(params: string): string {
    if (!this.#isFirst) return params;
    this.#isFirst = false;
    return params.replace('"debug_enabled":false', '"debug_enabled":true');
  }
}

/** Each run reads the configuration and the contract anew. */
class PlainContract implements ContractEmulator {
  readonly #memory: EmulatorMemory;
  readonly #config: number;
  readonly #verbosity: number;
  /** Without its opening brace. */
  readonly #params: string;
  readonly #runParams: RunParams;

  constructor(
    memory: EmulatorMemory,
    config: number,
    { params, runParams }: { params: string; runParams: RunParams },
  ) {
    this.#memory = memory;
    this.#config = config;
    this.#runParams = runParams;
    const { extra_currencies, ...others } = JSON.parse(params) as ContractParams;
    this.#verbosity = others.verbosity;
    const currencies = extra_currencies && { extra_currencies: currencyMembers(extra_currencies) };
    this.#params = JSON.stringify({ ...others, ...currencies }).slice(1);
  }

  runMethod(methodId: number, stack: string): EmulatorAnswer {
    const params = this.#runParams.next(`{"method_id":${methodId},${this.#params}`);
    return withoutLog(
      this.#memory.callForJson<EmulatorAnswer>("_run_get_method", params, stack, this.#config),
      this.#verbosity,
    );
  }

  free(): void {}
}

function transactionsOf(
  memory: EmulatorMemory,
  pointer: number,
  { verbosity, runParams }: { verbosity: number; runParams: RunParams },
): TransactionEmulator {
  return {
    run: (input) =>
      withoutLog(emulate(memory, pointer, { ...input, params: runParams.next(input.params) }), verbosity),
    free: () => void memory.call("_destroy_emulator", pointer),
  };
}

/** The emulator writes a log at verbosity 0, too. */
function withoutLog(answer: EmulatorAnswer, verbosity: number): EmulatorAnswer {
  if (answer.fail || verbosity > 0 || !("vm_log" in answer.output)) return answer;
  return { output: { ...answer.output, vm_log: "" } };
}

/** `1=5 2=7` as members of an object. */
function currencyMembers(text: string): Record<string, string> {
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=") as [string, string]));
}
