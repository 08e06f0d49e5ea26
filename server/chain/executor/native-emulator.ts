import type { EmulatorOutput } from "./calls.js";
import type { ContractParams } from "./contract-params.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  RefusedParams,
  TransactionEmulator,
  TransactionInput,
} from "./emulator-instance.js";
import type { NativeLibrary, Pointer } from "./native-library.js";

/** The emulator of a native library. An exception that its C++ does not catch ends the process. */
export class NativeEmulator implements EmulatorInstance {
  readonly #library: NativeLibrary;

  constructor(library: NativeLibrary) {
    this.#library = library;
  }

  loadConfig(base64: string): ConfigInstance {
    const library = this.#library;
    const config = library.createConfig(base64);
    return {
      openContract: (params) =>
        config === null ? undefined : openContract(library, config, JSON.parse(params) as ContractParams),
      createEmulator: (verbosity) => {
        const emulator = library.createEmulator(base64, verbosity);
        return emulator === null ? undefined : new NativeTransactions(library, emulator, verbosity);
      },
      free: () => config !== null && library.destroyConfig(config),
    };
  }
}

type TransactionParams = {
  utime: number;
  lt: string;
  rand_seed: string;
  debug_enabled: boolean;
  ignore_chksig: boolean;
  is_tick_tock?: boolean;
  is_tock?: boolean;
};

const refused: RefusedParams = { fail: true, message: "Can't set params" };

class NativeTransactions implements TransactionEmulator {
  readonly #library: NativeLibrary;
  readonly #emulator: Pointer;
  readonly #verbosity: number;

  constructor(library: NativeLibrary, emulator: Pointer, verbosity: number) {
    this.#library = library;
    this.#emulator = emulator;
    this.#verbosity = verbosity;
  }

  run({ libraries, previousBlocks, account, message, params }: TransactionInput): EmulatorAnswer {
    const { is_tick_tock, is_tock = false, ...settings } = JSON.parse(params) as TransactionParams;
    const hasBlocks =
      previousBlocks === undefined || this.#library.setPreviousBlocks(this.#emulator, previousBlocks);
    if (!hasBlocks || !this.#accepts(settings, libraries ?? null)) {
      this.free();
      return refused;
    }
    const answer = is_tick_tock
      ? this.#library.emulateTickTock(this.#emulator, account, is_tock)
      : this.#library.emulateTransaction(this.#emulator, account, message);
    return { output: outputOf(answer, this.#verbosity) };
  }

  free(): void {
    this.#library.destroyEmulator(this.#emulator);
  }

  #accepts(settings: TransactionParams, libraries: string | null): boolean {
    const [library, emulator] = [this.#library, this.#emulator];
    return (
      library.setSeed(emulator, settings.rand_seed) &&
      library.setLibraries(emulator, libraries) &&
      library.setLt(emulator, BigInt(settings.lt)) &&
      library.setTime(emulator, settings.utime) &&
      library.setIgnoreSignatures(emulator, settings.ignore_chksig) &&
      library.setDebug(emulator, settings.debug_enabled)
    );
  }
}

/** Here the configuration is read once for all contracts. */
function openContract(
  library: NativeLibrary,
  config: Pointer,
  params: ContractParams,
): ContractEmulator | undefined {
  const contract = library.createContract(params.code, params.data, params.verbosity);
  if (contract === null) return undefined;
  const free = () => library.destroyContract(contract);
  if (prepare(library, contract, params) && library.setContractConfig(contract, config))
    return {
      runMethod: (methodId, stack) => ({
        output: outputOf(library.runMethod(contract, methodId, stack), params.verbosity),
      }),
      free,
    };
  free();
  return undefined;
}

function prepare(library: NativeLibrary, contract: Pointer, params: ContractParams): boolean {
  const { address, unixtime, balance, rand_seed: seed, libs, extra_currencies: currencies } = params;
  return (
    (libs === "" || library.setContractLibraries(contract, libs)) &&
    library.setContractContext(contract, address, unixtime, BigInt(balance), seed, null) &&
    // A library that knows none refuses them: without them a contract would see another balance.
    (!currencies || (library.setExtraCurrencies?.(contract, currencies) ?? false)) &&
    library.setContractPreviousBlocks(contract, params.prev_blocks_info) &&
    library.setGasLimit(contract, BigInt(params.gas_limit)) &&
    library.setContractDebug(contract, params.debug_enabled)
  );
}

/** A library writes a log at verbosity 0, too. */
function outputOf(json: string, verbosity: number): EmulatorOutput {
  const output = JSON.parse(json) as EmulatorOutput;
  return verbosity === 0 && "vm_log" in output ? { ...output, vm_log: "" } : output;
}
