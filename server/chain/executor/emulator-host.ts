import type { EmulatorCall, EmulatorOutput } from "./calls.js";
import { ExecutorError } from "./executor-error.js";
import { type LoadedConfig, LoadedConfigs } from "./loaded-configs.js";
import { type CompiledEmulator, compileEmulator, EmulatorInstance } from "./wasm.js";

type AccountCall = Extract<EmulatorCall, { kind: "account" }>;
type EmulatorAnswer = { fail: true; message: string } | { fail?: never; output: EmulatorOutput };

const briefLog = 256;

/** The emulator of one thread. Equal calls give equal answers, whatever ran before, a breakdown included. */
export class EmulatorHost {
  readonly #compiled: CompiledEmulator;
  #configs: LoadedConfigs | undefined;
  /** Takes over when a call breaks the instance in use: creating one is asynchronous, the calls are not. */
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

  /** `configText` gives the base64 of the configuration the call names; asked for only when it is not loaded. */
  execute(call: EmulatorCall, configText: () => string): EmulatorOutput {
    if (!this.#configs) throw new ExecutorError("unavailable", "The executor is starting again");
    try {
      const answer = run(this.#configs, call, configText);
      if (answer.fail)
        throw new ExecutorError("invalid", `The executor refuses its parameters: ${answer.message}`);
      return answer.output;
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

function run(configs: LoadedConfigs, call: EmulatorCall, configText: () => string): EmulatorAnswer {
  const { instance } = configs;
  const config = configs.get(call.config, configText);
  if (call.kind === "method") {
    const answer = instance.callForJson(
      "_run_get_method",
      call.params,
      call.stack,
      config.text,
    ) as EmulatorAnswer;
    return call.verbosity === 0 ? withBriefLog(answer) : answer;
  }
  return runOnAccount(instance, config, call);
}

function runOnAccount(instance: EmulatorInstance, config: LoadedConfig, call: AccountCall): EmulatorAnswer {
  const { account, message, params, libraries, verbosity } = call;
  const emulator = config.emulator(verbosity, libraries);
  // A null pointer leaves the libraries as they are; reading the same set again takes long when it is a big one.
  const newLibraries = libraries === emulator.libraries ? undefined : libraries;
  const args = [emulator.pointer, newLibraries ?? 0, account, message, params];
  const answer = instance.callForJson("_emulate_with_emulator", ...args) as EmulatorAnswer;
  emulator.libraries = libraries;
  // It has destroyed itself; its address must not be used again.
  if (answer.fail) config.forgetEmulator(verbosity);
  return answer;
}

/** What the emulator does to the log of a transaction by itself; that of a get-method may have megabytes. */
function withBriefLog(answer: EmulatorAnswer): EmulatorAnswer {
  if (answer.fail || !("vm_log" in answer.output)) return answer;
  return { output: { ...answer.output, vm_log: answer.output.vm_log.slice(-briefLog) } };
}
