import { ExecutorError } from "./executor-error.js";
import type { EmulatorInstance } from "./wasm.js";

/** Configurations kept in an instance's memory; they change with key blocks only. */
const keptConfigs = 4;

type Emulator = { pointer: number; hasLibraries: boolean };

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

  /**
   * Address of an emulator that is ready for a run with or without libraries. An emulator keeps the libraries it
   * was given once, and an empty set cannot be given, so a run without them needs a fresh one.
   */
  emulator(verbosity: number, withLibraries: boolean): number {
    const known = this.#emulators.get(verbosity);
    if (known && (withLibraries || !known.hasLibraries)) {
      known.hasLibraries = withLibraries;
      return known.pointer;
    }
    if (known) this.#instance.call("_destroy_emulator", known.pointer);
    this.#emulators.delete(verbosity);
    const pointer = this.#instance.call("_create_emulator", this.text, verbosity);
    if (pointer === 0) throw new ExecutorError("invalid", "The executor cannot use this configuration");
    this.#emulators.set(verbosity, { pointer, hasLibraries: withLibraries });
    return pointer;
  }

  forgetEmulator(pointer: number): void {
    for (const [verbosity, emulator] of this.#emulators)
      if (emulator.pointer === pointer) this.#emulators.delete(verbosity);
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
