import type { EmulatorCall, EmulatorOutput } from "./calls.js";
import { ExecutorError } from "./executor-error.js";
import type { CompiledEmulator } from "./linked-emulator.js";
import { LoadedConfigs } from "./loaded-configs.js";
import { compileEmulator, EmulatorInstance } from "./wasm.js";

/** The emulator of one thread. Results do not depend on earlier calls, even if one crashed the instance. */
export class EmulatorHost {
  readonly #compiled: CompiledEmulator;
  #configs: LoadedConfigs | undefined;
  /** Replaces a crashed instance at once: creating one is asynchronous, calls are synchronous. */
  #spare: EmulatorInstance | undefined;

  private constructor(compiled: CompiledEmulator, first: EmulatorInstance, spare: EmulatorInstance) {
    this.#compiled = compiled;
    this.#configs = new LoadedConfigs(first);
    this.#spare = spare;
  }

  static async create(compiled?: CompiledEmulator): Promise<EmulatorHost> {
    const module = compiled ?? (await compileEmulator());
    return new EmulatorHost(
      module,
      await EmulatorInstance.create(module),
      await EmulatorInstance.create(module),
    );
  }

  /** `configText`: see LoadedConfigs.execute. Throws an ExecutorError. */
  execute(call: EmulatorCall, configText: () => string): EmulatorOutput {
    if (!this.#configs) throw new ExecutorError("unavailable", "The executor is starting again");
    try {
      return this.#configs.execute(call, configText);
    } catch (error) {
      if (error instanceof ExecutorError && error.code === "crashed") this.#replaceInstance();
      throw error;
    }
  }

  #replaceInstance(): void {
    this.#configs = this.#spare && new LoadedConfigs(this.#spare);
    this.#spare = undefined;
    void EmulatorInstance.create(this.#compiled).then((instance) => {
      if (this.#configs) this.#spare = instance;
      else this.#configs = new LoadedConfigs(instance);
    });
  }
}
