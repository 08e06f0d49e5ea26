import { LRUCache } from "lru-cache";
import type { AccountCall, EmulatorCall, EmulatorOutput, MethodCall } from "./calls.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  TransactionEmulator,
} from "./emulator-instance.js";
import { ExecutorError } from "./executor-error.js";

/** Configurations kept in an instance's memory. */
const keptConfigs = 4;
/** Contracts kept with each configuration, and the length of the texts that describe them. */
const keptContracts = { count: 64, length: 2_000_000 } as const;

/** With what it was given last, which the emulator keeps. */
type Emulator = {
  readonly transactions: TransactionEmulator;
  libraries: string | undefined;
  previousBlocks: string | undefined;
};

/** One configuration in an instance's memory, and its emulators, one per verbosity. */
class LoadedConfig {
  readonly #config: ConfigInstance;
  readonly #emulators = new Map<number, Emulator>();
  /** By the texts that describe them. One that is too long by itself is kept alone. */
  readonly #contracts = new LRUCache<string, ContractEmulator>({
    max: keptContracts.count,
    maxSize: keptContracts.length,
    sizeCalculation: (_, params) => Math.min(params.length, keptContracts.length),
    dispose: (contract) => contract.free(),
  });

  constructor(config: ConfigInstance) {
    this.#config = config;
  }

  runMethod({ params, methodId, stack }: MethodCall): EmulatorOutput {
    return this.#contract(params).runMethod(methodId, stack);
  }

  runOnAccount(call: AccountCall): EmulatorOutput {
    const { account, message, params, libraries, previousBlocks, verbosity } = call;
    const emulator = this.#emulator(verbosity, libraries);
    // Parsing a big set again would be slow, and the previous blocks take a quarter of a transfer's run.
    const input = {
      ...{ account, message, params },
      libraries: libraries === emulator.libraries ? undefined : libraries,
      previousBlocks: previousBlocks === emulator.previousBlocks ? undefined : previousBlocks,
    };
    emulator.libraries = libraries;
    emulator.previousBlocks = previousBlocks;
    try {
      return outputOf(emulator.transactions.run(input));
    } catch (error) {
      // An emulator that refused parameters must not be used again.
      this.#emulators.delete(verbosity);
      throw error;
    }
  }

  free(): void {
    for (const { transactions } of this.#emulators.values()) transactions.free();
    this.#contracts.clear();
    this.#config.free();
  }

  #contract(params: string): ContractEmulator {
    const known = this.#contracts.get(params);
    if (known) return known;
    const contract = this.#config.openContract(params);
    if (!contract) throw refused("Can't set params");
    this.#contracts.set(params, contract);
    return contract;
  }

  /** Creates a new emulator to remove libraries, as an emulator cannot be given an empty set. */
  #emulator(verbosity: number, libraries: string | undefined): Emulator {
    const known = this.#emulators.get(verbosity);
    if (known && (libraries || !known.libraries)) return known;
    known?.transactions.free();
    this.#emulators.delete(verbosity);
    const transactions = this.#config.createEmulator(verbosity);
    if (!transactions) throw new ExecutorError("invalid", "The executor cannot use this configuration");
    const emulator: Emulator = { transactions, libraries: undefined, previousBlocks: undefined };
    this.#emulators.set(verbosity, emulator);
    return emulator;
  }
}

function outputOf(answer: EmulatorAnswer): EmulatorOutput {
  if (!answer.fail) return answer.output;
  throw refused(answer.message);
}

function refused(message: string): ExecutorError {
  return new ExecutorError("invalid", `The executor refuses its parameters: ${message}`);
}

/** The configurations recently used on one instance. */
export class LoadedConfigs {
  readonly #instance: EmulatorInstance;
  readonly #configs = new Map<string, LoadedConfig>();

  constructor(instance: EmulatorInstance) {
    this.#instance = instance;
  }

  /** `configText` returns the base64 of the call's configuration; called only if it is not loaded. */
  execute(call: EmulatorCall, configText: () => string): EmulatorOutput {
    const config = this.#config(call.config, configText);
    return call.kind === "method" ? config.runMethod(call) : config.runOnAccount(call);
  }

  #config(hash: string, text: () => string): LoadedConfig {
    const known = this.#configs.get(hash);
    if (known) return known;
    if (this.#configs.size >= keptConfigs) this.#dropOldest();
    const config = new LoadedConfig(this.#instance.loadConfig(text()));
    this.#configs.set(hash, config);
    return config;
  }

  #dropOldest(): void {
    const [hash, config] = this.#configs.entries().next().value!;
    this.#configs.delete(hash);
    config.free();
  }
}
