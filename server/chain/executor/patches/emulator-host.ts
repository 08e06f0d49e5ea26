import type { EmulatorCall, EmulatorOutput } from "../calls.js";
import type { EmulatorInstance } from "../emulator/emulator-instance.js";
import { LoadedConfigs } from "../emulator/loaded-configs.js";
import { ExecutorError } from "../executor-error.js";
import { createInstance, type EmulatorSource } from "./emulator-source.js";

/** The emulator of one thread. Results do not depend on earlier calls, even if one crashed the instance. */
export class EmulatorHost {
  readonly #source: EmulatorSource;
  #configs: LoadedConfigs | undefined;
  /** Replaces a crashed instance at once: creating one is asynchronous, calls are synchronous. */
  #spare: EmulatorInstance | undefined;

  private constructor(source: EmulatorSource, first: EmulatorInstance, spare: EmulatorInstance) {
    this.#source = source;
    this.#configs = new LoadedConfigs(first, source.version);
    this.#spare = spare;
  }

  static async create(source: EmulatorSource): Promise<EmulatorHost> {
    return new EmulatorHost(source, await createInstance(source), await createInstance(source));
  }

  /** `configText`: see LoadedConfigs.execute. Throws an ExecutorError. */
  execute(call: EmulatorCall, configText: () => string): EmulatorOutput {
    if (!this.#configs) throw new ExecutorError("unavailable", "The executor is starting again");
    try {
      return this.#configs.execute(call, configText);
    } catch (error) {
      if (error instanceof ExecutorError && error.brokeEmulator) this.#replaceInstance();
      throw error;
    }
  }

  #replaceInstance(): void {
    this.#configs = this.#spare && new LoadedConfigs(this.#spare, this.#source.version);
    this.#spare = undefined;
    void createInstance(this.#source).then((instance) => {
      if (this.#configs) this.#spare = instance;
      else this.#configs = new LoadedConfigs(instance, this.#source.version);
    });
  }
}
