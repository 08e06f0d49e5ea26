import { ExecutorError } from "./executor-error.js";
import type { EmulatorInstance } from "./wasm.js";

/** Configurations kept in an instance's memory; they change with key blocks only. */
const keptConfigs = 4;

/** `libraries`: the set it was given last, which it keeps. */
type Emulator = { readonly pointer: number; libraries: string | undefined };

/** One configuration in an instance's memory, with the emulators made from it. */
export class LoadedConfig {
  readonly #instance: EmulatorInstance;
  /** Address of the configuration's base64 text. */
  readonly text: number;
  readonly #emulators = new Map<number, Emulator>();

  constructor(instance: EmulatorInstance, base64: string) {
    this.#instance = instance;
    this.text = instance.allocate(base64);
  }

  /** An emulator for a run with these libraries. An empty set cannot be given to one that had another before. */
  emulator(verbosity: number, libraries: string | undefined): Emulator {
    const known = this.#emulators.get(verbosity);
    if (known && (libraries || !known.libraries)) return known;
    if (known) this.#instance.call("_destroy_emulator", known.pointer);
    this.#emulators.delete(verbosity);
    const pointer = this.#instance.call("_create_emulator", this.text, verbosity);
    if (pointer === 0) throw new ExecutorError("invalid", "The executor cannot use this configuration");
    const emulator: Emulator = { pointer, libraries: undefined };
    this.#emulators.set(verbosity, emulator);
    return emulator;
  }

  forgetEmulator(verbosity: number): void {
    this.#emulators.delete(verbosity);
  }

  free(): void {
    for (const { pointer } of this.#emulators.values()) this.#instance.call("_destroy_emulator", pointer);
    this.#instance.free(this.text);
  }
}

/** The configurations lately used on one instance, by hash. */
export class LoadedConfigs {
  readonly instance: EmulatorInstance;
  readonly #configs = new Map<string, LoadedConfig>();

  constructor(instance: EmulatorInstance) {
    this.instance = instance;
  }

  get(hash: string, base64: () => string): LoadedConfig {
    const known = this.#configs.get(hash);
    if (known) return known;
    if (this.#configs.size >= keptConfigs) this.#dropOldest();
    const config = new LoadedConfig(this.instance, base64());
    this.#configs.set(hash, config);
    return config;
  }

  #dropOldest(): void {
    const [hash, config] = this.#configs.entries().next().value!;
    this.#configs.delete(hash);
    config.free();
  }
}
