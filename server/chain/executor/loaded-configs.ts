import type { AccountCall, EmulatorCall, EmulatorOutput, MethodCall } from "./calls.js";
import { ExecutorError } from "./executor-error.js";
import type { EmulatorInstance } from "./wasm.js";

/** Configurations kept in an instance's memory. */
const keptConfigs = 4;
const briefLog = 256;

type Answer = { fail: true; message: string } | { fail?: never; output: EmulatorOutput };
/** `libraries`: the set it was given last, which the emulator keeps. */
type Emulator = { readonly pointer: number; libraries: string | undefined };

/** One configuration in an instance's memory, and its emulators, one per verbosity. */
class LoadedConfig {
  readonly #instance: EmulatorInstance;
  /** Address of the configuration's base64 text. */
  readonly #text: number;
  readonly #emulators = new Map<number, Emulator>();

  constructor(instance: EmulatorInstance, base64: string) {
    this.#instance = instance;
    this.#text = instance.allocate(base64);
  }

  runMethod({ params, stack, verbosity }: MethodCall): EmulatorOutput {
    const output = this.#output("_run_get_method", params, stack, this.#text);
    // The emulator truncates only the log of transactions; that of a get-method may have megabytes.
    if (verbosity > 0 || !("vm_log" in output)) return output;
    return { ...output, vm_log: output.vm_log.slice(-briefLog) };
  }

  runOnAccount({ account, message, params, libraries, verbosity }: AccountCall): EmulatorOutput {
    const emulator = this.#emulator(verbosity, libraries);
    // A null pointer keeps the libraries: parsing a big set again would be slow.
    const newLibraries = libraries !== emulator.libraries && libraries ? libraries : 0;
    emulator.libraries = libraries;
    try {
      return this.#output("_emulate_with_emulator", emulator.pointer, newLibraries, account, message, params);
    } catch (error) {
      // An emulator that rejects parameters has destroyed itself: its address must not be used again.
      this.#emulators.delete(verbosity);
      throw error;
    }
  }

  free(): void {
    for (const { pointer } of this.#emulators.values()) this.#instance.call("_destroy_emulator", pointer);
    this.#instance.free(this.#text);
  }

  #output(...call: Parameters<EmulatorInstance["callForJson"]>): EmulatorOutput {
    const answer = this.#instance.callForJson(...call) as Answer;
    if (!answer.fail) return answer.output;
    throw new ExecutorError("invalid", `The executor refuses its parameters: ${answer.message}`);
  }

  /** Creates a new emulator to remove libraries, as an emulator cannot be given an empty set. */
  #emulator(verbosity: number, libraries: string | undefined): Emulator {
    const known = this.#emulators.get(verbosity);
    if (known && (libraries || !known.libraries)) return known;
    if (known) this.#instance.call("_destroy_emulator", known.pointer);
    this.#emulators.delete(verbosity);
    const pointer = this.#instance.call("_create_emulator", this.#text, verbosity);
    if (pointer === 0) throw new ExecutorError("invalid", "The executor cannot use this configuration");
    const emulator: Emulator = { pointer, libraries: undefined };
    this.#emulators.set(verbosity, emulator);
    return emulator;
  }
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
    const config = new LoadedConfig(this.#instance, text());
    this.#configs.set(hash, config);
    return config;
  }

  #dropOldest(): void {
    const [hash, config] = this.#configs.entries().next().value!;
    this.#configs.delete(hash);
    config.free();
  }
}
