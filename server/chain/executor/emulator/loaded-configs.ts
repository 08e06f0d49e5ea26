import { LRUCache } from "lru-cache";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { checkForMethods, readableConfig } from "../../../../shared/ton/run/readable-config.js";
import {
  type AccountCall,
  type EmulatorCall,
  type EmulatorOutput,
  type MethodCall,
  orInvalid,
} from "../calls.js";
import { ExecutorError } from "../executor-error.js";
import type {
  ConfigInstance,
  ContractEmulator,
  EmulatorAnswer,
  EmulatorInstance,
  TransactionEmulator,
} from "./emulator-instance.js";

/** Configurations kept in an instance's memory. */
const keptConfigs = 4;
/** Contracts kept with each configuration, and the length of the texts that describe them. */
const keptContracts = { count: 64, length: 2_000_000 } as const;

/** Characters of the emulator's own log that are kept, from its end. */
const keptOwnLog = 1 << 20;

/** The emulator's error for a configuration. The parameter follows. */
const configError = "cannot fetch config params ";

/** With what it was given last, which the emulator keeps. */
type Emulator = {
  readonly transactions: TransactionEmulator;
  libraries: string | undefined;
  previousBlocks: string | undefined;
};

/**
 * One configuration in an instance's memory, and its emulators, one per verbosity. Get-methods have it as it is,
 * transactions in the form that the executor reads.
 */
class LoadedConfig {
  readonly #instance: EmulatorInstance;
  readonly #text: string;
  readonly #version: number;
  #original: ConfigInstance | undefined;
  #readable: ConfigInstance | undefined;
  readonly #emulators = new Map<number, Emulator>();
  /** By the texts that describe them. One that is too long by itself is kept alone. */
  readonly #contracts = new LRUCache<string, ContractEmulator>({
    max: keptContracts.count,
    maxSize: keptContracts.length,
    sizeCalculation: (_, params) => Math.min(params.length, keptContracts.length),
    dispose: (contract) => contract.free(),
  });

  constructor(instance: EmulatorInstance, text: string, version: number) {
    this.#instance = instance;
    this.#text = text;
    this.#version = version;
  }

  runMethod({ params, methodId, stack }: MethodCall): EmulatorOutput {
    return this.#outputOf(this.#contract(params).runMethod(methodId, stack));
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
      const answer = emulator.transactions.run(input);
      const output = this.#outputOf(answer);
      // Builds without patches write it in any case.
      if (verbosity === 0 || answer.fail || answer.logs === undefined) return output;
      return { ...output, own_log: answer.logs.slice(-keptOwnLog) };
    } catch (error) {
      // An emulator that refused parameters must not be used again.
      this.#emulators.delete(verbosity);
      throw error;
    }
  }

  free(): void {
    for (const { transactions } of this.#emulators.values()) transactions.free();
    this.#contracts.clear();
    this.#original?.free();
    if (this.#readable !== this.#original) this.#readable?.free();
  }

  #forMethods(): ConfigInstance {
    if (this.#original) return this.#original;
    orInvalid(() => checkForMethods(rootOf(this.#text), this.#version));
    this.#original = this.#instance.loadConfig(this.#text);
    return this.#original;
  }

  #forTransactions(): ConfigInstance {
    if (this.#readable) return this.#readable;
    const { root, adapted } = orInvalid(() => readableConfig(rootOf(this.#text), this.#version));
    this.#readable = adapted.length === 0 ? this.#forMethods() : this.#instance.loadConfig(textOf(root));
    return this.#readable;
  }

  #contract(params: string): ContractEmulator {
    const known = this.#contracts.get(params);
    if (known) return known;
    const contract = this.#forMethods().openContract(params);
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
    const transactions = this.#forTransactions().createEmulator(verbosity);
    if (!transactions) throw this.#refusedConfig("it cannot be unpacked");
    const emulator: Emulator = { transactions, libraries: undefined, previousBlocks: undefined };
    this.#emulators.set(verbosity, emulator);
    return emulator;
  }

  #outputOf(answer: EmulatorAnswer): EmulatorOutput {
    if (answer.fail) throw refused(answer.message);
    const { output } = answer;
    const [, parameter] = "error" in output ? output.error.split(configError) : [];
    if (parameter !== undefined) throw this.#refusedConfig(parameter.replace(/\]$/, ""));
    return output;
  }

  #refusedConfig(reason: string): ExecutorError {
    return new ExecutorError(
      "invalid",
      `The executor, of version ${this.#version}, cannot use this configuration: ${reason}`,
    );
  }
}

function rootOf(text: string): Cell {
  return parseBocRoot(Buffer.from(text, "base64"));
}

function textOf(root: Cell): string {
  return Buffer.from(serializeBoc(root, { crc32: false })).toString("base64");
}

function refused(message: string): ExecutorError {
  return new ExecutorError("invalid", `The executor refuses its parameters: ${message}`);
}

/** The configurations recently used on one instance. */
export class LoadedConfigs {
  readonly #instance: EmulatorInstance;
  readonly #version: number;
  readonly #configs = new Map<string, LoadedConfig>();

  /** `version`: the newest global version that the instance knows. */
  constructor(instance: EmulatorInstance, version: number) {
    this.#instance = instance;
    this.#version = version;
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
    const config = new LoadedConfig(this.#instance, text(), this.#version);
    this.#configs.set(hash, config);
    return config;
  }

  #dropOldest(): void {
    const [hash, config] = this.#configs.entries().next().value!;
    this.#configs.delete(hash);
    config.free();
  }
}
